/**
 * Submits a job: an intent in the ledger first, so that whatever happens afterwards is accounted for.
 *
 *   2xx with an id ─► accepted        4xx ─► refused
 *   no answer, 5xx, or an answer that nobody can read ─► ambiguous: settled later, by its idempotency key
 */

import { REQUEST_HEADERS } from '../../../spec/headers.ts';
import type { Flight } from '../flight.ts';
import type { OperationDesk } from '../operation-desk.ts';
import type { Operation } from './operation.ts';

export const submit: Operation = (arrival, desk) => {
  const { ledger, submissions } = desk.jobs;
  const { stream, operation, draw } = arrival;
  const account = desk.account(arrival.account);
  const choices = submissions.choose(stream, operation, draw, account.printers.length);
  const seat = account.printers[choices.seat];
  const row = ledger.intend({
    intendedUs: arrival.intendedMs * 1_000,
    account: arrival.account,
    printer: seat?.printer ?? 0,
    document: submissions.documentOf(stream, operation),
    copies: choices.copies * choices.qty,
  });
  const flight = desk.begin(arrival);
  if (!flight) {
    ledger.shed(row);
    return;
  }
  const { request } = flight;
  request.method = 'POST';
  request.path = '/printjobs';
  request.headers = [...account.writeHeaders, REQUEST_HEADERS.idempotencyKey.name, desk.jobs.keyOf(row)];
  request.body = submissions.body(stream, operation, row, seat?.id ?? 0, choices);
  flight.row = row;
  flight.conclude = (landed) => conclude(landed, desk);
  desk.launch(flight);
};

function conclude(flight: Flight, desk: OperationDesk): void {
  const { ledger, ambiguous } = desk.jobs;
  const { row, arrival, sentUs, end, status, endedUs } = flight;
  if (end === 'unsent') return ledger.refused(row);
  ledger.sent(row, sentUs);
  const isRefusal = end === 'answered' && status >= 300 && status < 500;
  if (isRefusal) return ledger.refused(row);
  const id = end === 'answered' && status < 300 ? idOf(flight.body) : undefined;
  if (id === undefined) {
    ledger.ambiguous(row);
    ambiguous.push({ row, arrival });
    return;
  }
  ledger.accepted(row, id, endedUs);
  flight.account.remember(id);
}

/** The job id that is the whole body; undefined when it is none. */
function idOf(body: Buffer): number | undefined {
  const id = Number(body.toString('latin1'));
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
