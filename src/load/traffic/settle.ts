/**
 * Settles ambiguous submissions: those whose answer never came are sent once more, with the same idempotency key.
 *
 *   409      the first one was accepted, and only its answer was lost
 *   2xx      the first one never was; this one is, and is the one submission of the job
 *   else     asked again, as long as there is time
 */

import { sleep, systemClock } from '../../common/clock.ts';
import { REQUEST_HEADERS } from '../../spec/headers.ts';
import type { SettlementRecord } from '../load-record.ts';
import type { ControlClient } from './control-client.ts';
import type { LoadAccount } from './load-account.ts';
import type { AmbiguousJob, JobParts } from './operation-desk.ts';

export interface SettleParts {
  readonly client: ControlClient;
  readonly jobs: JobParts;
  readonly accounts: ReadonlyMap<number, LoadAccount>;
  readonly sinceStartUs: () => number;
  /** When it is given up, in microseconds since the start of the run. */
  readonly untilUs: number;
  readonly signal: AbortSignal;
}

type Verdict = 'accepted' | 'again' | 'refused' | 'open';

const AT_ONCE = 16;
const PAUSE_MS = 500;

export async function settleAmbiguous(parts: SettleParts): Promise<SettlementRecord> {
  const verdicts: Verdict[] = [];
  const waiting = parts.jobs.ambiguous.splice(0).values();
  const worker = async (): Promise<void> => {
    for (const job of waiting) verdicts.push(await settle(job, parts));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const count = (wanted: Verdict): number => verdicts.filter((verdict) => verdict === wanted).length;
  return {
    wereAccepted: count('accepted'),
    submittedAgain: count('again'),
    refused: count('refused'),
    open: count('open'),
  };
}

async function settle(job: AmbiguousJob, parts: SettleParts): Promise<Verdict> {
  const { signal, sinceStartUs, untilUs, jobs } = parts;
  // A computer has it: nobody need be asked.
  if (!jobs.ledger.isOpen(job.row)) return 'accepted';
  for (;;) {
    const verdict = await ask(job, parts);
    if (verdict !== 'open' || signal.aborted || sinceStartUs() >= untilUs) return verdict;
    await sleep(systemClock, PAUSE_MS, signal).catch(() => undefined);
  }
}

async function ask({ row, arrival }: AmbiguousJob, parts: SettleParts): Promise<Verdict> {
  const { client, jobs, accounts, sinceStartUs } = parts;
  const { ledger, submissions, keyOf } = jobs;
  const account = accounts.get(arrival.account);
  if (account === undefined) return 'open';
  const { stream, operation, draw } = arrival;
  const choices = submissions.choose(stream, operation, draw, account.printers.length);
  const printerId = account.printers[choices.seat]?.id ?? 0;
  const answer = await client.trySend({
    method: 'POST',
    path: '/printjobs',
    apiKey: account.apiKey,
    headers: { [REQUEST_HEADERS.idempotencyKey.name]: keyOf(row) },
    body: submissions.body(stream, operation, row, printerId, choices),
  });
  if (answer === undefined || answer.status >= 500 || answer.status === 429) return 'open';
  if (answer.status === 409) {
    ledger.settledAs(row, 'accepted');
    return 'accepted';
  }
  if (answer.status < 300 && typeof answer.value === 'number') {
    ledger.accepted(row, answer.value, sinceStartUs());
    return 'again';
  }
  ledger.settledAs(row, 'never');
  return 'refused';
}
