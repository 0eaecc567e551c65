/**
 * Cancels one of the jobs the account submitted last. Most are delivered by then, and stay: what the service
 * answers says which, and the ledger holds it to its word.
 */

import type { Ledger } from '../../../oracle/ledger.ts';
import type { Flight } from '../flight.ts';
import type { Operation } from './operation.ts';

export const cancel: Operation = (arrival, desk) => {
  const flight = desk.begin(arrival);
  if (!flight) return;
  const { account, request } = flight;
  const job = account.recentJob(arrival.draw) ?? 0;
  request.method = job === 0 ? 'GET' : 'DELETE';
  request.path = job === 0 ? '/printjobs?limit=1' : `/printjobs/${job}`;
  request.headers = account.readHeaders;
  request.body = null;
  const { ledger } = desk.jobs;
  if (job !== 0) flight.conclude = (landed) => tell(landed, job, ledger);
  desk.launch(flight);
};

/** The answer lists what was cancelled: the job, or nothing. */
function tell({ isGood, body }: Flight, job: number, ledger: Ledger): void {
  if (!isGood || body.toString('latin1').trim() !== `[${job}]`) return;
  const row = ledger.rowOfJob(job);
  if (row !== undefined) ledger.cancelled(row);
}
