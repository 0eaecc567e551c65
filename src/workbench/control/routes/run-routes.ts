/**
 * Routes of runs: records of checks and scenarios, and starting one.
 */

import * as schema from '../../../record/control-schemas.ts';
import { scenarios } from '../../runs.ts';
import { json } from '../control-reply.ts';
import { route, type ControlRoute } from '../control-route.ts';

export const RUN_ROUTES: readonly ControlRoute[] = [
  route('GET /runs', {
    summary: 'records below the reports folder, newest first, and runs that are under way',
    answer: schema.runSummaries,
    handler: async (_, { runs }) => json(await runs.list()),
  }),
  route('GET /runs/{id}', {
    summary: 'a run record (`run.json`)',
    answer: schema.storedRun,
    handler: async ({ params }, { runs }) => ({
      status: 200,
      contentType: 'application/json',
      body: await runs.record(params['id'] ?? ''),
    }),
  }),
  route('POST /runs', {
    summary: 'starts a check or a scenario against a service of its own; `run` events show its progress',
    answer: schema.runSummary,
    status: 201,
    body: schema.runRequest,
    handler: async ({ body }, { runs }) => json(await runs.start(body), 201),
  }),
  route('GET /scenarios', {
    summary: 'the scenario files that ship',
    answer: schema.scenarios,
    handler: async () => json(await scenarios()),
  }),
];
