/**
 * Webhooks as callers manage them: make one, delete one, look at them, by the draw. What is made here points
 * nowhere and is deleted again; the webhooks that are accounted for belong to the load itself (webhook desk).
 */

import type { Flight } from '../flight.ts';
import type { Operation } from './operation.ts';

/** An account may have five; the load itself needs one. */
const MOST_OF_OURS = 2;

/** Events for it are dropped after two failures: TCP port 9 discards, and on most machines nobody listens. */
const BODY = JSON.stringify({
  url: 'http://127.0.0.1:9/platen-load',
  secret: 'load',
  messages: ['computer state'],
});

export const webhooks: Operation = (arrival, desk) => {
  const flight = desk.begin(arrival);
  if (!flight) return;
  const { request, account } = flight;
  const choice = arrival.draw % 3;
  request.headers = account.readHeaders;
  request.body = null;
  const doomed = choice === 1 ? account.webhookIds.pop() : undefined;
  if (doomed !== undefined) {
    request.method = 'DELETE';
    request.path = `/webhook/${doomed}`;
  } else if (choice !== 2 && account.webhookIds.length + account.webhooksUnderWay < MOST_OF_OURS) {
    account.webhooksUnderWay++;
    request.method = 'POST';
    request.path = '/webhook';
    request.headers = account.writeHeaders;
    request.body = BODY;
    flight.conclude = keepNewest;
  } else {
    request.method = 'GET';
    request.path = '/webhooks';
  }
  desk.launch(flight);
};

/** The answer lists all; ours is the one with the highest id. */
function keepNewest(flight: Flight): void {
  const { account } = flight;
  account.webhooksUnderWay--;
  if (flight.status < 200 || flight.status >= 300) return;
  try {
    const listed = JSON.parse(flight.body.toString('utf8')) as readonly { readonly webhookId: number }[];
    const newest = Math.max(...listed.map(({ webhookId }) => webhookId));
    if (Number.isSafeInteger(newest)) account.webhookIds.push(newest);
  } catch {
    // An answer that is no list is the invariants' affair.
  }
}
