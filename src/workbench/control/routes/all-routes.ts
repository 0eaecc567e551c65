/**
 * All routes of the control API.
 */

import * as schema from '../../../record/control-workbench.ts';
import { json } from '../control-reply.ts';
import { route, type ControlRoute } from '../control-route.ts';
import { ACCOUNT_ROUTES } from './account-routes.ts';
import { FAULT_ROUTES } from './fault-routes.ts';
import { JOB_ROUTES } from './job-routes.ts';
import { PRINTING_API_ROUTES } from './printing-api-routes.ts';
import { PRINTOUT_ROUTES } from './printout-routes.ts';
import { ROOM_ROUTES } from './room-routes.ts';
import { RUN_ROUTES } from './run-routes.ts';
import { TRAFFIC_ROUTES } from './traffic-routes.ts';
import { WORKBENCH_ROUTES } from './workbench-routes.ts';

/** The API's description of itself: of this table, with this line. */
const SELF = route('GET /openapi.json', {
  summary: 'the control API as an OpenAPI document',
  answer: schema.openApiDocument,
  handler: async () => {
    const { openApi } = await import('../openapi.ts');
    return json(openApi(CONTROL_ROUTES));
  },
});

export const CONTROL_ROUTES: readonly ControlRoute[] = [
  SELF,
  ...WORKBENCH_ROUTES,
  ...JOB_ROUTES,
  ...PRINTOUT_ROUTES,
  ...ROOM_ROUTES,
  ...FAULT_ROUTES,
  ...TRAFFIC_ROUTES,
  ...ACCOUNT_ROUTES,
  ...RUN_ROUTES,
  ...PRINTING_API_ROUTES,
];
