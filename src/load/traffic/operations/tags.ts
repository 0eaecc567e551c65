/**
 * Tags as callers use them: set, read, take away, on a handful of names of the account.
 */

import type { Dispatcher } from 'undici';

import type { Operation } from './operation.ts';

const NAMES = 8;

/** Setting is what most callers do. */
const METHODS: readonly Dispatcher.HttpMethod[] = ['POST', 'POST', 'GET', 'DELETE'];

export const tags: Operation = (arrival, desk) => {
  const flight = desk.begin(arrival);
  if (!flight) return;
  const { account } = flight;
  const method = METHODS[arrival.draw % METHODS.length] ?? 'GET';
  flight.request.method = method;
  flight.request.path = `/account/tag/load-${(arrival.draw >>> 8) % NAMES}`;
  flight.request.headers = method === 'POST' ? account.writeHeaders : account.readHeaders;
  flight.request.body = method === 'POST' ? `"${arrival.draw}"` : null;
  // A tag that was never set is not found, and that is as it should be.
  flight.mayBeMissing = method !== 'POST';
  desk.launch(flight);
};
