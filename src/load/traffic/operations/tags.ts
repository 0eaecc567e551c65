/**
 * Tags as callers use them: set, read and delete a few names of the account.
 */

import type { Dispatcher } from 'undici';

import type { Operation } from '../request-sender.ts';

const NAMES = 8;

/** Callers mostly set tags. */
const METHODS: readonly Dispatcher.HttpMethod[] = ['POST', 'POST', 'GET', 'DELETE'];

export const tags: Operation = (arrival, sender) => {
  const attempt = sender.begin(arrival);
  if (!attempt) return;
  const method = METHODS[arrival.draw % METHODS.length] ?? 'GET';
  const body = method === 'POST' ? `"${arrival.draw}"` : null;
  attempt.ask(method, `/account/tag/load-${(arrival.draw >>> 8) % NAMES}`, body);
  // Reading or deleting a tag that was never set rightly answers 404.
  attempt.mayBeMissing = method !== 'POST';
  sender.send(attempt);
};
