/**
 * Submits a job. The intent is entered in the ledger first, so that every outcome is accounted for.
 *
 *   2xx with an id ─► accepted        4xx ─► refused
 *   no answer, 5xx, or an unreadable answer ─► ambiguous: settled later, by its idempotency key
 */

import { REQUEST_HEADERS } from '../../../specification/headers.ts';
import type { Attempt } from '../attempt.ts';
import type { Operation, RequestSender } from '../request-sender.ts';

export const submit: Operation = (arrival, sender) => {
  const { ledger, submissions, keyOf } = sender.jobs;
  const { stream, operation, draw } = arrival;
  const account = sender.account(arrival.account);
  const choices = submissions.choose(stream, operation, draw, account.printers.length);
  const printer = account.printers[choices.printer];
  const row = ledger.intend({
    intendedUs: arrival.intendedMs * 1_000,
    account: arrival.account,
    printer: printer?.printer ?? 0,
    document: submissions.documentOf(stream, operation),
    copies: choices.copies * choices.qty,
  });
  const attempt = sender.begin(arrival);
  if (!attempt) {
    ledger.shed(row);
    return;
  }
  attempt.ask('POST', '/printjobs', submissions.body(arrival, row, account.printers));
  const { request } = attempt;
  request.headers = [...request.headers, REQUEST_HEADERS.idempotencyKey.name, keyOf(row)];
  attempt.row = row;
  attempt.conclude = (ended) => conclude(ended, sender);
  sender.send(attempt);
};

function conclude(attempt: Attempt, sender: RequestSender): void {
  const { ledger, ambiguous, onAccepted } = sender.jobs;
  const { row, arrival, sentUs, end, status, endedUs } = attempt;
  if (end === 'unsent') return ledger.refused(row);
  ledger.sent(row, sentUs);
  const isRefusal = end === 'answered' && status >= 300 && status < 500;
  if (isRefusal) return ledger.refused(row);
  const id = end === 'answered' && status < 300 ? idOf(attempt.body) : undefined;
  if (id === undefined) {
    ambiguous.push({ row, arrival });
    return;
  }
  ledger.accepted(row, id, endedUs);
  onAccepted?.({ row, arrival }, id);
  attempt.account.remember(id);
}

/** The job id that the body consists of; undefined for any other body. */
function idOf(body: Buffer): number | undefined {
  const id = Number(body.toString('latin1'));
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
