/**
 * Cancels one of the jobs that the account submitted last. Most are delivered by then and cannot be cancelled: the
 * answer says which were, and the ledger holds the service to it.
 */

import type { Ledger } from '../../../oracle/ledger.ts';
import type { Attempt } from '../attempt.ts';
import type { Operation } from '../request-sender.ts';

export const cancel: Operation = (arrival, sender) => {
  const attempt = sender.begin(arrival);
  if (!attempt) return;
  const { account, request } = attempt;
  const job = account.recentJob(arrival.draw) ?? 0;
  request.method = job === 0 ? 'GET' : 'DELETE';
  request.path = job === 0 ? '/printjobs?limit=1' : `/printjobs/${job}`;
  request.headers = account.readHeaders;
  request.body = null;
  const { ledger } = sender.jobs;
  if (job !== 0) attempt.conclude = (ended) => noteCancelled(ended, job, ledger);
  sender.send(attempt);
};

/** The answer lists what was cancelled: the job, or nothing. */
function noteCancelled({ isGood, body }: Attempt, job: number, ledger: Ledger): void {
  if (!isGood || body.toString('latin1').trim() !== `[${job}]`) return;
  const row = ledger.rowOfJob(job);
  if (row !== undefined) ledger.cancelled(row);
}
