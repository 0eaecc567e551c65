/**
 * Settles ambiguous submissions, those without an answer: each is sent again with the same idempotency key.
 *
 *   409      the first request was accepted; only its answer was lost
 *   2xx      the first request never arrived; this one submits the job
 *   other    sent again, as long as there is time
 */

import { sleep, systemClock } from '../../common/clock.ts';
import { REQUEST_HEADERS } from '../../specification/headers.ts';
import type { SettlementRecord } from '../../record/load-record.ts';
import type { ServiceClient } from '../../targets/service-client.ts';
import type { LoadAccount } from './load-account.ts';
import type { JobSubmission, LoadJobs } from './request-sender.ts';

export interface SettleOptions {
  readonly client: ServiceClient;
  readonly jobs: LoadJobs;
  readonly accounts: ReadonlyMap<number, LoadAccount>;
  readonly sinceStartUs: () => number;
  /** The end of all attempts, in microseconds since the start of the run. */
  readonly untilUs: number;
  readonly signal: AbortSignal;
}

type Settled = 'accepted' | 'again' | 'refused' | 'open';

const AT_ONCE = 16;
const PAUSE_MS = 500;

export async function settleAmbiguous(options: SettleOptions): Promise<SettlementRecord> {
  const verdicts: Settled[] = [];
  const waiting = options.jobs.ambiguous.splice(0).values();
  const worker = async (): Promise<void> => {
    for (const job of waiting) verdicts.push(await settle(job, options));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const count = (wanted: Settled): number => verdicts.filter((verdict) => verdict === wanted).length;
  return {
    wereAccepted: count('accepted'),
    submittedAgain: count('again'),
    refused: count('refused'),
    open: count('open'),
  };
}

async function settle(job: JobSubmission, options: SettleOptions): Promise<Settled> {
  const { signal, sinceStartUs, untilUs, jobs } = options;
  // A computer has received it, so it was accepted.
  if (!jobs.ledger.isOpen(job.row)) return 'accepted';
  for (;;) {
    const verdict = await ask(job, options);
    if (verdict !== 'open' || signal.aborted || sinceStartUs() >= untilUs) return verdict;
    await sleep(systemClock, PAUSE_MS, signal).catch(() => undefined);
  }
}

async function ask({ row, arrival }: JobSubmission, options: SettleOptions): Promise<Settled> {
  const { client, jobs, accounts, sinceStartUs } = options;
  const { ledger, submissions, keyOf, onAccepted } = jobs;
  const account = accounts.get(arrival.account);
  if (account === undefined) return 'open';
  const answer = await client.trySend({
    method: 'POST',
    path: '/printjobs',
    apiKey: account.apiKey,
    headers: { [REQUEST_HEADERS.idempotencyKey.name]: keyOf(row) },
    body: submissions.body(arrival, row, account.printers),
  });
  if (!answer.ok) return 'open';
  const { status, value } = answer.value;
  if (status >= 500 || status === 429) return 'open';
  if (status === 409) {
    if (!jobs.needsId) ledger.settledAs(row, 'accepted');
    return 'accepted';
  }
  if (status < 300 && typeof value === 'number') {
    ledger.accepted(row, value, sinceStartUs());
    onAccepted?.({ row, arrival }, value);
    return 'again';
  }
  ledger.settledAs(row, 'never');
  return 'refused';
}
