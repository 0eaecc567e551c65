/**
 * Cancels one of the jobs that the account submitted last. Most are delivered by then and cannot be cancelled: the
 * answer says which were, and the ledger holds the service to it.
 */

import { parseJson } from '../../../common/json-value.ts';
import type { Ledger } from '../../../oracle/ledger.ts';
import type { Attempt } from '../attempt.ts';
import type { Operation } from '../request-sender.ts';

export const cancel: Operation = (arrival, sender) => {
  const attempt = sender.begin(arrival);
  if (!attempt) return;
  const { ledger } = sender.jobs;
  const job = attempt.account.recentJob(arrival.draw);
  if (job === undefined) attempt.ask('GET', '/printjobs?limit=1');
  else {
    attempt.ask('DELETE', `/printjobs/${job}`);
    attempt.conclude = (ended) => noteCancelled(ended, job, ledger);
  }
  sender.send(attempt);
};

/** The answer lists what was cancelled: the job, or nothing. */
function noteCancelled({ isGood, body }: Attempt, job: number, ledger: Ledger): void {
  const cancelled = isGood ? parseJson(body) : undefined;
  if (!Array.isArray(cancelled) || cancelled[0] !== job) return;
  const row = ledger.rowOfJob(job);
  if (row !== undefined) ledger.cancelled(row);
}
