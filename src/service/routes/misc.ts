/**
 * Routes of the family "miscellaneous": whether the service runs, and whether the credentials are valid.
 */

import { ok, type Handler } from '../gate/request-context.ts';
import type { Route } from '../gate/router.ts';

export function miscRoutes(): Route<Handler>[] {
  return [
    // Choice (gap/ping-body): the JSON text "OK".
    { method: 'GET', path: '/ping', handler: () => ok('"OK"') },
    { method: 'GET', path: '/noop', handler: ({ requestId }) => ok(JSON.stringify(requestId)) },
  ];
}
