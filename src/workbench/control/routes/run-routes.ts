/**
 * Routes of runs: their records, and starting, showing and stopping one.
 */

import * as schema from '../../../record/control-runs.ts';
import { SCHEMAS, type RunRecord } from '../../../record/run-record.ts';
import { badRequest } from '../../../service/gate/api-error.ts';
import { reportOf } from '../../runs/run-report.ts';
import { shippedScenarios } from '../../runs/shipped-scenarios.ts';
import { bytes, json } from '../control-reply.ts';
import { readAs, route, type ControlRoute } from '../control-route.ts';

/** Ten times a run of a thousand failed checks with all their evidence. */
const RECORD_MAX_BYTES = 128 * 1024 * 1024;

export const RUN_ROUTES: readonly ControlRoute[] = [
  route('GET /runs', {
    summary: 'records below the reports folder, newest first, and runs that are under way',
    answer: schema.runSummaries,
    handler: async (_, { runs }) => json(await runs.list()),
  }),
  route('GET /runs/{id}', {
    summary: 'a run record (`run.json`); while the run goes on, the record so far',
    answer: schema.storedRun,
    handler: async ({ params }, { runs }) => ({
      status: 200,
      contentType: 'application/json',
      body: await runs.record(params['id'] ?? ''),
    }),
  }),
  route('GET /runs/{id}/report.html', {
    summary: 'the run as one HTML document, made from its record',
    answer: 'text/html',
    handler: async ({ params }, { runs }) => ({
      status: 200,
      contentType: 'text/html; charset=utf-8',
      body: await reportOf(await runs.record(params['id'] ?? ''), 'html'),
    }),
  }),
  route('GET /runs/{id}/report.pdf', {
    summary: 'the run as a PDF, made from its record',
    answer: 'application/pdf',
    handler: async ({ params }, { runs }) =>
      bytes('application/pdf', await reportOf(await runs.record(params['id'] ?? ''), 'pdf')),
  }),
  route('POST /runs', {
    summary: 'starts a check, a scenario or exploring, on its own service unless `url` names one; `run` events show it',
    answer: schema.runSummary,
    status: 201,
    body: schema.runRequest,
    handler: async ({ body }, { runs }) => json(await runs.start(body), 201),
  }),
  route('PUT /runs/{id}', {
    summary: 'shows a run from elsewhere (`platen check --open`): its record so far, and at the end the whole of it',
    answer: schema.runPosted,
    body: schema.storedRun,
    mostBytes: RECORD_MAX_BYTES,
    handler: ({ params, body }, { runs }) => json({ stops: runs.take(params['id'] ?? '', recordIn(body)) }),
  }),
  route('POST /runs/{id}/stop', {
    summary: 'stops a run: in good order, or at once when asked again',
    answer: schema.runSummary,
    handler: ({ params }, { runs }) => json(runs.stop(params['id'] ?? '')),
  }),
  route('GET /scenarios', {
    summary: 'the scenarios that ship, by name',
    answer: schema.scenarios,
    handler: async () => json(await shippedScenarios()),
  }),
];

/** @throws ApiError when it is not one */
function recordIn(body: Readonly<Record<string, unknown>>): RunRecord {
  const [, schemaOfKind] = Object.entries(SCHEMAS).find(([kind]) => kind === body['kind']) ?? [];
  if (!schemaOfKind) throw badRequest(`kind: must be ${Object.keys(SCHEMAS).join(' or ')}, as in run.json`);
  return readAs<RunRecord>(schemaOfKind, body, 'the record');
}
