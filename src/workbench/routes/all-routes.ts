/**
 * All routes of the control API.
 */

import type { ControlRoute } from '../control-route.ts';
import { ACCOUNT_ROUTES } from './account-routes.ts';
import { BENCH_ROUTES } from './bench-routes.ts';
import { FAULT_ROUTES } from './fault-routes.ts';
import { JOB_ROUTES } from './job-routes.ts';
import { ROOM_ROUTES } from './room-routes.ts';
import { RUN_ROUTES } from './run-routes.ts';
import { TRAFFIC_ROUTES } from './traffic-routes.ts';

export const CONTROL_ROUTES: readonly ControlRoute[] = [
  ...BENCH_ROUTES,
  ...JOB_ROUTES,
  ...ROOM_ROUTES,
  ...FAULT_ROUTES,
  ...TRAFFIC_ROUTES,
  ...ACCOUNT_ROUTES,
  ...RUN_ROUTES,
];
