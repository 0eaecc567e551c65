/**
 * Operations that read one thing: a GET, and nothing to remember of its answer.
 */

import type { LoadAccount } from '../load-account.ts';
import type { Operation } from './operation.ts';

/** @param pathOf - path for this account; `draw` are 32 bits to choose by */
function readOperation(
  pathOf: (account: LoadAccount, draw: number) => string,
  isAuthenticated = true,
): Operation {
  return (arrival, desk) => {
    const flight = desk.begin(arrival);
    if (!flight) return;
    const { account, request } = flight;
    request.method = 'GET';
    request.path = pathOf(account, arrival.draw);
    request.headers = isAuthenticated ? account.readHeaders : [];
    request.body = null;
    desk.launch(flight);
  };
}

/** One of the jobs the account submitted last; before the first, its newest. */
export const job = readOperation((account, draw) => {
  const id = account.recentJob(draw);
  return id === undefined ? '/printjobs?limit=1' : `/printjobs/${id}`;
});

/** States of one of the jobs the account submitted last; before the first, of its newest jobs. */
export const states = readOperation((account, draw) => {
  const id = account.recentJob(draw);
  return id === undefined ? '/printjobs/states?limit=10' : `/printjobs/${id}/states`;
});

/** Scales of one of the account's computers; computer 0 has the scale that every account can simulate. */
export const readScales = readOperation(({ computerIds }, draw) => {
  const computer = computerIds[draw % Math.max(1, computerIds.length)] ?? 0;
  return `/computer/${computer}/scales`;
});

export const whoami = readOperation(() => '/whoami');
export const noop = readOperation(() => '/noop');
export const ping = readOperation(() => '/ping', false);
