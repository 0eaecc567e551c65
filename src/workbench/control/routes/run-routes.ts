/**
 * Routes of runs: their records, and starting, showing and stopping one.
 */

import { shellWord } from '../../../common/shell-word.ts';
import * as schema from '../../../record/control-runs.ts';
import type { RunRequest } from '../../../record/control-types.ts';
import { badRequest } from '../../../service/gate/api-error.ts';
import { shippedScenarios } from '../../runs/shipped-scenarios.ts';
import { bytes, json } from '../control-reply.ts';
import { isLoopbackName } from '../control-guard.ts';
import { bytesRoute, route, type ControlRoute } from '../control-route.ts';

/** A full check has a megabyte, one in which a thousand checks fail with all their evidence thirteen. */
const RECORD_MAX_BYTES = 32 * 1024 * 1024;

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
      body: await runs.report(params['id'] ?? '', 'html'),
    }),
  }),
  route('GET /runs/{id}/report.pdf', {
    summary: 'the run as a PDF, made from its record',
    answer: 'application/pdf',
    handler: async ({ params }, { runs }) => bytes('application/pdf', await runs.report(params['id'] ?? '', 'pdf')),
  }),
  route('POST /runs', {
    summary: 'starts a check, a scenario or exploring, on its own service unless `url` names one; `run` events show it',
    answer: schema.runSummary,
    status: 201,
    body: schema.runRequest,
    handler: async ({ body }, { runs }) => {
      refuseWritesElsewhere(body);
      return json(await runs.start(body), 201);
    },
  }),
  bytesRoute('PUT /runs/{id}', {
    summary: 'shows a run from elsewhere (`platen check --open`): its record so far, and at the end the whole of it',
    answer: schema.runPosted,
    body: schema.storedRun,
    mostBytes: RECORD_MAX_BYTES,
    handler: async ({ params, bytes: record }, { runs }) => json(await runs.take(params['id'] ?? '', record)),
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

/** A check only reads on a service of another machine; what else changes things there is asked for in a terminal. */
function refuseWritesElsewhere({ kind, url, scenario = 'SCENARIO' }: RunRequest): void {
  if (url === undefined || kind === 'check' || isLoopbackName(new URL(url).hostname)) return;
  const command = kind === 'explore' ? kind : `run ${shellWord(scenario)}`;
  throw badRequest(
    `url: it is not of this machine, and this would change things there. In a terminal: platen ${command} ${shellWord(url)}`,
  );
}
