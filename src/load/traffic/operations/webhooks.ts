/**
 * Webhooks as callers manage them: make one, delete one, look at them, by the draw. What is made here points
 * nowhere and is deleted again; the webhooks that are accounted for belong to the load itself (webhook sender).
 */

import type { Attempt } from '../attempt.ts';
import type { Operation } from '../request-sender.ts';

/** An account may have five, and the load itself needs one. */
const MOST_OF_OURS = 2;

/** Its events fail and are dropped after two requests: nothing listens on TCP port 9 of most machines. */
const BODY = JSON.stringify({
  url: 'http://127.0.0.1:9/platen-load',
  secret: 'load',
  messages: ['computer state'],
});

export const webhooks: Operation = (arrival, sender) => {
  const attempt = sender.begin(arrival);
  if (!attempt) return;
  const { account } = attempt;
  const choice = arrival.draw % 3;
  const doomed = choice === 1 ? account.webhookIds.pop() : undefined;
  if (doomed !== undefined) attempt.ask('DELETE', `/webhook/${doomed}`);
  else if (choice !== 2 && account.webhookIds.length + account.webhooksUnderWay < MOST_OF_OURS) {
    account.webhooksUnderWay++;
    attempt.ask('POST', '/webhook', BODY);
    attempt.conclude = keepNewest;
  } else attempt.ask('GET', '/webhooks');
  sender.send(attempt);
};

/** The answer lists all webhooks; ours has the highest id. */
function keepNewest(attempt: Attempt): void {
  const { account } = attempt;
  account.webhooksUnderWay--;
  if (attempt.status < 200 || attempt.status >= 300) return;
  try {
    const listed = JSON.parse(attempt.body.toString('utf8')) as readonly { readonly webhookId: number }[];
    const newest = listed.reduce((most, { webhookId }) => Math.max(most, webhookId), 0);
    if (Number.isSafeInteger(newest) && newest > 0) account.webhookIds.push(newest);
  } catch {
    // The invariants report an answer that is not a list.
  }
}
