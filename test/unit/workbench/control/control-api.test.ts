/**
 * The control API: it answers what it says it does, and does again what was done.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { start, type StartedPlaten } from '../../../../src/index.ts';
import { answers } from '../../../../src/record/control-answers.ts';
import { CONTROL_ROUTES } from '../../../../src/workbench/control/routes/all-routes.ts';
import { printRequest } from '../../../support/print-request.ts';
import { madeUpLoad } from '../../../support/run-records.ts';
import { soon } from '../../../support/soon.ts';

let platen: StartedPlaten;
let reports: string;
let jobId: number;
let printoutId: string;

beforeAll(async () => {
  reports = mkdtempSync(path.join(tmpdir(), 'platen-runs-'));
  mkdirSync(path.join(reports, 'check-1'));
  const summary = { checks: { total: 3, pass: 2, fail: 1 }, exitCode: 1 };
  const record = { tool: 'platen', kind: 'check', startedAt: '2026-01-01T00:00:00.000Z', summary };
  writeFileSync(path.join(reports, 'check-1/run.json'), JSON.stringify(record));
  mkdirSync(path.join(reports, 'load-1'));
  writeFileSync(path.join(reports, 'load-1/run.json'), JSON.stringify(madeUpLoad('Rush')));
  mkdirSync(path.join(reports, 'other'));
  writeFileSync(path.join(reports, 'other/run.json'), 'no record');
  platen = await start({ port: 0, clock: 'virtual', limits: 'off', reports, expose: { raw: 0 } });
  await using inbox = await platen.webhooks.receive();
  jobId = await printRequest(platen, { printerId: 1, title: 'It\'s "12"', options: { copies: 2, nup: 3 } });
  await inbox.wait({ jobId, state: 'done' });
  printoutId = await printPastTheService();
});

afterAll(async () => {
  await platen.close();
  rmSync(reports, { recursive: true, force: true });
});

/** @returns the id of the printout */
async function printPastTheService(): Promise<string> {
  const address = platen.hardware().find(({ name }) => name === 'Label 4x6')?.uris.raw ?? '';
  const { hostname, port } = new URL(address.replace('socket:', 'http:'));
  connect(Number(port), hostname).end('^XA^FDlabel^FS^XZ');
  return soon(
    'what was printed past the service',
    '5s',
    async () => ((await control('GET', '/printouts')) as { id: string }[])[0]?.id,
  );
}

async function control(method: string, target: string, body?: unknown): Promise<unknown> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const response = await fetch(`${platen.url}/_platen${target}`, {
    ...init,
    headers: { 'x-platen-page': '1' },
  });
  return response.json();
}

const JSON_GETS = CONTROL_ROUTES.flatMap(({ method, path: route, answer }) =>
  method === 'GET' && typeof answer !== 'string' ? [{ route, answer, name: answers.get(answer)?.id }] : [],
);

it.each(JSON_GETS)('answers GET $route as its schema $name says, and no more', async ({ route, answer, name }) => {
  expect(name).toBeDefined();
  const target = route
    .replace('/jobs/{id}', `/jobs/${jobId}`)
    .replace('/printouts/{id}', `/printouts/${printoutId}`)
    .replace('/runs/{id}', '/runs/check-1')
    .replace('{name}', 'FRONT-DESK')
    .replace('{key}', 'printer-1');
  const given = await control('GET', target);
  const read = answer.safeParse(given);
  expect(read.error?.issues ?? []).toEqual([]);
  expect(read.data).toEqual(given);
});

it.each(
  CONTROL_ROUTES.map(({ method, path: route, query }) => ({ method, route, keys: Object.keys(query?.shape ?? {}) })),
)(
  'refuses a key that $method $route does not take, and names the nearest that it takes',
  async ({ method, route, keys }) => {
    const [meant] = keys;
    const wrong = meant === undefined ? 'nothing' : `${meant}s`;
    const address = route.replaceAll(/\{\w+\}/g, '1');
    const answer = await control(method, `${address}?${wrong}=1`);
    const hint = meant === undefined ? `there is no key '${wrong}' here` : `did you mean '${meant}'?`;
    expect(answer).toMatchObject({ code: 'BadRequest', message: expect.stringContaining(hint) });
  },
);

it('describes every route in its OpenAPI document, with references that lead somewhere', async () => {
  const document = (await control('GET', '/openapi.json')) as {
    readonly openapi: string;
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
  };
  expect(document.openapi).toBe('3.1.0');
  const described = Object.entries(document.paths).flatMap(([name, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${name}`),
  );
  expect(described.toSorted()).toEqual(
    CONTROL_ROUTES.map(({ method, path: route }) => `${method} /_platen${route}`).toSorted(),
  );
  const ids = Object.values(document.paths).flatMap((one) => Object.values(one).map((each) => each.operationId));
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, name = ''] of JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    expect(document.components.schemas).toHaveProperty(name);
  }
});

it('shows what a job asked for and what became of it', async () => {
  const job = await platen.jobs.get(jobId);
  expect(job.options).toMatchObject({
    asked: { copies: 2, nup: 3 },
    applied: { copies: 2 },
    ignored: { nup: expect.any(String) },
  });
  const detail = (await control('GET', `/jobs/${jobId}`)) as {
    readonly curl: string;
    readonly snippet: string;
  };
  expect(detail.curl).toContain(String.raw`"title":"It'\''s \"12\""`);
  expect(detail.curl).toContain('-u "$PLATEN_API_KEY:"');
  expect(detail.snippet).toContain('expect(job).toHaveSheets(6);');
});

it('pages through jobs', async () => {
  for (let count = 0; count < 4; count++) await printRequest(platen, { printerId: 1, title: `Page ${count}` });
  const first = (await control('GET', '/jobs?limit=3')) as { jobs: { id: number }[]; more: boolean };
  expect([first.jobs.length, first.more]).toEqual([3, true]);
  const rest = await control('GET', `/jobs?limit=3&before=${first.jobs.at(-1)?.id}`);
  expect(rest).toMatchObject({ jobs: [{ title: 'Page 0' }, { id: jobId }], more: false });
  expect(await control('GET', '/jobs?limit=2&q=page')).toMatchObject({
    jobs: [{ title: 'Page 3' }, { title: 'Page 2' }],
    more: true,
  });
});

it('deletes a job, and what a search finds: they are shown no more, and the service keeps them', async () => {
  const { jobs } = (await control('GET', '/jobs?q=page')) as { readonly jobs: readonly { readonly id: number }[] };
  const [newest, ...others] = jobs.map(({ id }) => id);
  expect(await control('DELETE', `/jobs/${newest}`)).toEqual({ ids: [newest] });
  expect(await control('GET', `/jobs/${newest}`)).toMatchObject({ code: 'NotFound' });
  expect(await control('DELETE', `/jobs/${newest}`)).toMatchObject({ code: 'NotFound' });
  expect(await control('DELETE', '/jobs?q=page')).toEqual({ ids: others });
  expect(await control('GET', '/jobs')).toMatchObject({ jobs: [{ id: jobId }], more: false });
  const kept = await fetch(`${platen.url}/printjobs/${newest}`, {
    headers: { authorization: `Basic ${btoa(`${platen.apiKey}:`)}` },
  });
  expect(await kept.json()).toMatchObject([{ id: newest }]);
});

it('cancels a job that is deleted before its computer took it', async () => {
  await platen.computer('FRONT-DESK').disconnect();
  const id = await printRequest(platen, { printerId: 1, title: 'Too late' });
  await control('DELETE', `/jobs/${id}`);
  const kept = await fetch(`${platen.url}/printjobs/${id}`, {
    headers: { authorization: `Basic ${btoa(`${platen.apiKey}:`)}` },
  });
  expect(await kept.json()).toMatchObject([{ id, state: 'deleted' }]);
  await platen.computer('FRONT-DESK').connect();
});

it('makes a delivery once more', async () => {
  const [model] = await platen.deliveries();
  const again = await control('POST', `/deliveries/${model?.id}/redeliver`);
  // Its receiver has gone by now.
  expect(again).toMatchObject({
    repeats: model?.id,
    status: null,
    error: expect.any(String),
    outcome: 'dropped',
  });
});

it('lists the runs below the reports folder, and leaves out what is not a record', async () => {
  expect(await control('GET', '/runs')).toEqual([
    {
      id: 'load-20260101T080000Z-1f',
      kind: 'load',
      startedAt: '2026-01-01T08:00:00.000Z',
      exitCode: 1,
      about: 'Rush',
      target: 'Rush',
      headline: '100 jobs, 96 delivered once, 1 lost, 3 refused; 1 of 3 thresholds kept',
      counts: { total: 3, pass: 1, fail: 2 },
      running: false,
      recorded: true,
      playable: true,
    },
    expect.objectContaining({
      id: 'check-1',
      exitCode: 1,
      about: '',
      target: '',
      headline: '1 fail, 2 pass',
      running: false,
    }),
  ]);
});

it('starts a run, and shows how it ended', async () => {
  const events = await fetch(`${platen.url}/_platen/events`);
  let seen = '';
  const ended = (async () => {
    for await (const chunk of events.body ?? []) {
      seen += Buffer.from(chunk).toString();
      if (/"exitCode":\d+/.test(seen)) return;
    }
  })();
  const run = await control('POST', '/runs', {
    kind: 'run',
    scenario: 'edge-cases/burst-of-submissions.yaml',
  });
  expect(run).toMatchObject({ kind: 'run', running: true, exitCode: null });
  await ended;
  const { id } = run as { readonly id: string };
  expect(await control('GET', `/runs/${id}`)).toMatchObject({ tool: 'platen', kind: 'run' });
}, 60_000);

it('forgets requests, and never shows those of the page itself', async () => {
  const paths = async (): Promise<readonly string[]> => {
    const { entries } = (await control('GET', '/requests')) as {
      readonly entries: readonly { readonly path: string }[];
    };
    return entries.map(({ path: one }) => one);
  };
  await control('DELETE', '/requests');
  expect(await paths()).toEqual([]);
  await fetch(`${platen.url}/ping`, { headers: { 'x-platen-page': '1' } });
  await fetch(`${platen.url}/noop`);
  expect(await paths()).toEqual(['/noop']);
});
