/**
 * Routes of the family "miscellaneous": is the service there, and are these credentials good.
 */

import { ok, type Handler } from '../request-context.ts';
import type { Route } from '../router.ts';

export function miscRoutes(): Route<Handler>[] {
  return [
    // Choice (gap/ping-body): the JSON text "OK".
    { method: 'GET', path: '/ping', handler: () => ok('"OK"') },
    { method: 'GET', path: '/noop', handler: ({ requestId }) => ok(JSON.stringify(requestId)) },
  ];
}
