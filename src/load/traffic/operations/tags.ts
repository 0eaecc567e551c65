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
  const { account } = attempt;
  const method = METHODS[arrival.draw % METHODS.length] ?? 'GET';
  attempt.request.method = method;
  attempt.request.path = `/account/tag/load-${(arrival.draw >>> 8) % NAMES}`;
  attempt.request.headers = method === 'POST' ? account.writeHeaders : account.readHeaders;
  attempt.request.body = method === 'POST' ? `"${arrival.draw}"` : null;
  // Reading or deleting a tag that was never set rightly answers 404.
  attempt.mayBeMissing = method !== 'POST';
  sender.send(attempt);
};
