/**
 * Operations that read one thing: a GET, and nothing to remember of its answer.
 */

import type { LoadAccount } from '../load-account.ts';
import type { Operation } from './operation.ts';

/** @param pathOf - path for this account; `draw` are 32 bits to choose by */
export function getOperation(
  name: string,
  pathOf: (account: LoadAccount, draw: number) => string,
  isAuthenticated = true,
): Operation {
  return {
    name,
    run(arrival, desk) {
      const flight = desk.begin(arrival);
      if (!flight) return;
      const { account } = flight;
      flight.request.method = 'GET';
      flight.request.path = pathOf(account, arrival.draw);
      flight.request.headers = isAuthenticated ? account.readHeaders : [];
      flight.request.body = null;
      desk.launch(flight);
    },
  };
}

/** Job states: of one of the jobs the account submitted last, or of the newest jobs of all. */
export const states = getOperation('states', (account, draw) => {
  const job = account.recentJob(draw);
  return job === undefined ? '/printjobs/states?limit=10' : `/printjobs/${job}/states`;
});

/** Scales of one of the account's computers; computer 0 has the scale that every account can simulate. */
export const readScales = getOperation('read-scales', ({ computerIds }, draw) => {
  const computer = computerIds[draw % Math.max(1, computerIds.length)] ?? 0;
  return `/computer/${computer}/scales`;
});

export const listWebhooks = getOperation('list-webhooks', () => '/webhooks');
export const whoami = getOperation('whoami', () => '/whoami');
export const noop = getOperation('noop', () => '/noop');
export const ping = getOperation('ping', () => '/ping', false);
