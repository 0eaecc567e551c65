import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { judgeLoad } from '../../../../src/load/verdict/judge-load.ts';
import type { RunSummaryView } from '../../../../src/record/control-types.ts';
import type { RunRecord } from '../../../../src/record/run-record.ts';
import { start, type StartedPlaten } from '../../../../src/workbench/start.ts';
import { soundLoadFacts } from '../../../support/load-facts.ts';
import { madeUpExplore, madeUpLoad, madeUpRun, madeUpScenarios } from '../../../support/run-records.ts';

/** A process of the command line takes its time on a busy machine. */
const SOON = { timeout: 50_000, interval: 100 };

let platen: StartedPlaten;
let reports: string;

beforeAll(async () => {
  reports = mkdtempSync(path.join(tmpdir(), 'platen-runs-'));
  platen = await start({ port: 0, clock: 'virtual', room: 'none', reports });
});

afterAll(async () => {
  await platen.close();
  rmSync(reports, { recursive: true, force: true });
});

interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

async function ask<Body>(method: string, target: string, body?: unknown): Promise<Answer<Body>> {
  const response = await fetch(`${platen.url}/_platen${target}`, {
    method,
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

const listed = async (id: string): Promise<RunSummaryView | undefined> =>
  (await ask<RunSummaryView[]>('GET', '/runs')).body.find((run) => run.id === id);

async function ended(id: string): Promise<RunSummaryView> {
  await expect.poll(async () => (await listed(id))?.running, SOON).toBe(false);
  const run = await listed(id);
  if (!run) throw new Error(`run ${id} is not listed`);
  return run;
}

/** As a run leaves it. */
function keep(record: RunRecord): void {
  mkdirSync(path.join(reports, record.runId), { recursive: true });
  writeFileSync(path.join(reports, record.runId, 'run.json'), JSON.stringify(record));
}

const soFar = (record: RunRecord): RunRecord => ({
  ...record,
  progress: { done: 3, total: 10, remainingMs: 7_000, doing: 'what ended last' },
});

it.each(
  [madeUpRun(), madeUpScenarios(), madeUpLoad(), madeUpExplore()].map((record) => [record.kind, record] as const),
)('shows a %s from elsewhere while it goes on, and what it came to', async (_, made) => {
  const record = { ...made, runId: `elsewhere-${made.kind}` };
  const id = record.runId;
  expect(await ask('PUT', `/runs/${id}`, soFar(record))).toEqual({ status: 200, body: { stops: 0, beside: [] } });
  expect(await listed(id)).toMatchObject({ running: true, exitCode: null, progress: { done: 3, total: 10 } });
  expect((await ask<RunRecord>('GET', `/runs/${id}`)).body.progress?.remainingMs).toBe(7_000);

  await ask('PUT', `/runs/${id}`, record);
  expect(await listed(id)).toMatchObject({ running: false, exitCode: record.summary.exitCode });
  expect((await ask('GET', `/runs/${id}`)).body).toEqual(record);
});

it('asks a run to stop, and says how urgently', async () => {
  const record = soFar({ ...madeUpRun(), runId: 'to-be-stopped' });
  await ask('PUT', '/runs/to-be-stopped', record);
  await ask('POST', '/runs/to-be-stopped/stop');
  expect((await ask('PUT', '/runs/to-be-stopped', record)).body).toMatchObject({ stops: 1 });
  await ask('POST', '/runs/to-be-stopped/stop');
  expect((await ask('PUT', '/runs/to-be-stopped', record)).body).toMatchObject({ stops: 2 });
  expect(await ask('POST', '/runs/none/stop')).toMatchObject({ status: 404 });
  await ask('PUT', '/runs/to-be-stopped', { ...madeUpRun(), runId: 'to-be-stopped' });
});

it('does not say of a load that goes on that it was stopped', async () => {
  await ask('PUT', '/runs/live-load', soFar({ ...madeUpLoad(), runId: 'live-load', ending: 'interrupted' }));
  expect(await listed('live-load')).toMatchObject({ running: true, headline: expect.stringMatching(/^\d+ jobs, /) });
  await ask('PUT', '/runs/live-load', { ...madeUpLoad(), runId: 'live-load' });
});

it('says of a load that was stopped that its thresholds were judged over a part of it', async () => {
  const facts = soundLoadFacts({ runId: 'stopped-load', ending: 'interrupted' });
  const record = judgeLoad({ ...facts, plan: { ...facts.plan, thresholds: ['ledger.lost == 0'] } });
  await ask('PUT', '/runs/stopped-load', record);
  expect(await listed('stopped-load')).toMatchObject({
    exitCode: 130,
    headline: expect.stringMatching(/^stopped before its end: 100 jobs, .*; 1 of 1 threshold kept until then$/),
    counts: { total: 1, inconclusive: 1, fail: 0 },
  });
});

it.each([
  ['another name than its address', { ...madeUpRun(), runId: 'other' }, "runId: the record is of run 'other'"],
  ['an unknown kind', { ...madeUpRun(), kind: 'guess' }, 'kind: must be check or run or load or explore'],
  ['a summary that is missing', { ...madeUpRun(), summary: undefined }, /^the record: summary: is missing/],
])('refuses a record with %s', async (_, record, message) => {
  const { status, body } = await ask<{ readonly message: string }>('PUT', '/runs/wrong', record);
  expect(status).toBe(400);
  expect(body.message).toMatch(message);
});

it('starts a check of the service that it is given, follows it, and keeps its record under its name', async () => {
  await using service = await start({ port: 0 });
  const { status, body } = await ask<RunSummaryView>('POST', '/runs', {
    kind: 'check',
    profile: 'smoke',
    grep: '^misc/',
    seed: 7,
    url: service.url,
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({ running: true, target: service.url, about: 'smoke, matching ^misc/' });
  await expect.poll(async () => (await listed(body.id))?.running, SOON).toBe(false);
  const { body: record } = await ask<RunRecord>('GET', `/runs/${body.id}`);
  expect(record).toMatchObject({ kind: 'check', runId: body.id, seed: 7, selection: { profile: 'smoke' } });
  expect(await listed(body.id)).toMatchObject({ id: body.id, about: 'smoke, matching ^misc/' });
}, 60_000);

it('finds a run by the name in its record, whatever its folder is called', async () => {
  const record = { ...madeUpRun(), runId: 'check-of-its-own-name' };
  mkdirSync(path.join(reports, 'a-folder'));
  writeFileSync(path.join(reports, 'a-folder', 'run.json'), JSON.stringify(record));
  expect((await ask('GET', '/runs/check-of-its-own-name')).body).toEqual(record);
  expect((await ask('GET', '/runs/a-folder')).body).toEqual(record);
  expect(await listed('check-of-its-own-name')).toMatchObject({ kind: 'check', headline: '2 fail, 8 pass' });
  expect(await listed('a-folder')).toBeUndefined();
});

it.each([
  ['html', /^<!DOCTYPE html>/],
  ['pdf', /^%PDF-/],
])('makes the %s report of a run from its record', async (form, beginning) => {
  await ask('PUT', '/runs/to-be-read', { ...madeUpLoad(), runId: 'to-be-read' });
  const answer = await fetch(`${platen.url}/_platen/runs/to-be-read/report.${form}`);
  expect(answer.headers.get('content-type')).toContain(form);
  expect(await answer.text()).toMatch(beginning);
  expect((await fetch(`${platen.url}/_platen/runs/none/report.${form}`)).status).toBe(404);
});

it('plays the day that shows what exploring found', async () => {
  const record = madeUpExplore();
  keep(record);
  expect(await listed(record.runId)).toMatchObject({
    about: '25 days from seed 7',
    headline: '1 finding: print-jobs/idempotency-conflict',
  });
  const signature = record.findings[0]?.signature ?? '';
  const { body } = await ask<RunSummaryView>('POST', '/runs', {
    kind: 'run',
    finding: { run: record.runId, signature },
  });
  await expect.poll(async () => (await listed(body.id))?.exitCode, SOON).toBe(0);
  expect((await ask<RunRecord>('GET', `/runs/${body.id}`)).body).toMatchObject({
    scenarios: [{ title: 'print-jobs/idempotency-conflict is broken', verdict: 'pass' }],
  });
  expect(await ask('POST', '/runs', { kind: 'run', finding: { run: record.runId, signature: 'other' } })).toMatchObject(
    {
      status: 400,
      body: { message: expect.stringContaining("did not find 'other'") },
    },
  );
}, 60_000);

it('tells apart what is wrong with a request from which request it was', async () => {
  expect(await ask('POST', '/runs', { kind: 'check', seed: -1 })).toMatchObject({
    status: 400,
    body: {
      message: expect.stringMatching(/^the body of POST \/runs: seed: .* \(it takes kind, /),
      problem: expect.stringMatching(/^seed: [^(]*$/),
    },
  });
});

it('explores as many days as it is asked for', async () => {
  const { body } = await ask<RunSummaryView>('POST', '/runs', { kind: 'explore', days: 2, seed: 7 });
  await expect.poll(async () => (await listed(body.id))?.exitCode, SOON).toBe(0);
  expect(await listed(body.id)).toMatchObject({ about: '2 days from seed 7', headline: 'nothing was found' });
}, 60_000);

it('says why a run could not begin', async () => {
  const { body } = await ask<RunSummaryView>('POST', '/runs', { kind: 'check', grep: 'there-is-no-such-check' });
  await expect.poll(async () => (await listed(body.id))?.exitCode, SOON).toBe(64);
  expect(await listed(body.id)).toMatchObject({
    headline: expect.stringMatching(/^error: .*there-is-no-such-check.*[^.]\. [A-Z`]/),
    recorded: false,
  });
}, 60_000);

it('refuses a run that is under way already, and says what to do', async () => {
  const request = { kind: 'check', profile: 'smoke', seed: 8 };
  const answers = await Promise.all([
    ask<RunSummaryView>('POST', '/runs', request),
    ask<RunSummaryView>('POST', '/runs', request),
  ]);
  const [started, refused] = answers.toSorted((a, b) => a.status - b.status);
  expect([started?.status, refused?.status]).toEqual([201, 409]);
  expect(refused?.body).toMatchObject({
    code: 'UnderWay',
    message: expect.stringMatching(
      /^a check is under way already \(smoke: check-\w+\): wait for the end, or stop it, or/,
    ),
  });
  await expect.poll(async () => (await listed(started?.body.id ?? ''))?.running, SOON).toBe(false);
  const again = await ask<RunSummaryView>('POST', '/runs', request);
  expect(again.status).toBe(201);
  await expect.poll(async () => (await listed(again.body.id))?.running, SOON).toBe(false);
}, 60_000);

describe('a run beside another', () => {
  it('is started where that is asked for, and both records say so', async () => {
    await ask('PUT', '/runs/of-a-terminal', soFar({ ...madeUpLoad(), runId: 'of-a-terminal' }));
    const first = await ask<RunSummaryView>('POST', '/runs', { kind: 'explore', days: 40, seed: 7 });
    const second = await ask<RunSummaryView>('POST', '/runs', { kind: 'check', grep: '^misc/', beside: true });
    expect([first.status, second.status]).toEqual([201, 201]);
    const posted = await ask('PUT', '/runs/of-a-terminal', { ...madeUpLoad(), runId: 'of-a-terminal' });
    const ids = [first, second].map(({ body }) => body.id);
    for (const id of ids) await ended(id);
    const records = await Promise.all(ids.map((id) => ask<RunRecord>('GET', `/runs/${id}`)));
    const [besideFirst, besideSecond] = records.map(({ body }) => body.beside?.map(({ runId }) => runId).toSorted());
    expect(posted.body).toMatchObject({ beside: ids.map((runId) => ({ runId })) });
    expect(besideFirst).toEqual([second.body.id, 'of-a-terminal'].toSorted());
    expect(besideSecond).toEqual([first.body.id, 'of-a-terminal'].toSorted());
  }, 60_000);

  it('is one of two at most', async () => {
    const load = { kind: 'run', scenario: 'load/ten-seconds.yaml', beside: true };
    const started = [
      await ask<RunSummaryView>('POST', '/runs', load),
      await ask<RunSummaryView>('POST', '/runs', { kind: 'check', beside: true }),
    ];
    expect(started.map(({ body: { kind, about } }) => [kind, about])).toEqual([
      ['load', 'Ten seconds'],
      ['check', 'full'],
    ]);
    expect(await ask('POST', '/runs', load)).toMatchObject({ status: 409, body: { code: 'TooMany' } });
    for (const { body } of [...started, ...started]) await ask('POST', `/runs/${body.id}/stop`);
    for (const { body } of started) expect((await ended(body.id)).exitCode).not.toBe(0);
  }, 60_000);
});

describe('what came over HTTP', () => {
  const record = { ...madeUpExplore(), runId: 'of-a-stranger' };
  const finding = { run: record.runId, signature: record.findings[0]?.signature };

  it('is shown, and not played', async () => {
    await ask('PUT', `/runs/${record.runId}`, record);
    expect(await listed(record.runId)).toMatchObject({ playable: false });
    expect(await ask('POST', '/runs', { kind: 'run', finding })).toMatchObject({
      status: 400,
      body: { message: "finding: run 'of-a-stranger' came from elsewhere, and is shown but not played" },
    });
  });

  it('does not hide what is on disk', async () => {
    const own = { ...madeUpRun(), runId: record.runId };
    keep(own);
    await ask('PUT', `/runs/${record.runId}`, record);
    expect((await ask('GET', `/runs/${record.runId}`)).body).toEqual(own);
    expect(await listed(record.runId)).toMatchObject({ kind: 'check', playable: true });
    expect(await ask('POST', '/runs', { kind: 'run', finding })).toMatchObject({ status: 400 });
  });

  it('does not speak for a run that was started here', async () => {
    const { body } = await ask<RunSummaryView>('POST', '/runs', { kind: 'check', grep: '^misc/ping$', seed: 7 });
    expect(await ask('PUT', `/runs/${body.id}`, { ...record, runId: body.id })).toMatchObject({
      status: 409,
      body: { message: `run '${body.id}' was started here: its record comes from its own process` },
    });
    expect(await ended(body.id)).toMatchObject({ kind: 'check', exitCode: 0 });
  }, 60_000);
});

it('takes an API key from the request, never from the environment of the workbench', async () => {
  await using service = await start({ port: 0, apiKey: 'of-the-environment' });
  vi.stubEnv('PLATEN_API_KEY', service.apiKey);
  const request = { kind: 'check', grep: '^misc/ping$', url: service.url };
  const without = await ask<RunSummaryView>('POST', '/runs', request);
  expect((await ended(without.body.id)).exitCode).not.toBe(0);
  const withKey = await ask<RunSummaryView>('POST', '/runs', { ...request, key: service.apiKey });
  expect((await ended(withKey.body.id)).exitCode).toBe(0);
  vi.unstubAllEnvs();
}, 60_000);

it.each([
  [
    { kind: 'run', scenario: 'jam-on-page-three', seed: 9, url: undefined },
    { kind: 'run', scenarios: [{ seed: 9, verdict: 'pass' }], target: { kind: 'embedded' } },
  ],
  [
    { kind: 'check', profile: 'full', grep: '^misc/ping$', seed: 9, link: 'websocket', key: 'test-key' },
    { kind: 'check', seed: 9, selection: { profile: 'full', grep: '^misc/ping$' }, target: { link: 'websocket' } },
  ],
  [
    { kind: 'explore', days: 1, seed: 9 },
    { kind: 'explore', days: 1, seed: 9 },
  ],
])(
  'runs what it is asked for: %j',
  async (request, record) => {
    await using service = await start({ port: 0 });
    const { body } = await ask<RunSummaryView>('POST', '/runs', { url: service.url, ...request });
    expect((await ended(body.id)).exitCode).toBe(0);
    expect((await ask('GET', `/runs/${body.id}`)).body).toMatchObject({ ...record, runId: body.id });
  },
  60_000,
);

it('does not change a service of another machine, and says how a person does', async () => {
  const url = 'https://service.example';
  expect(await ask('POST', '/runs', { kind: 'run', scenario: 'jam on page', url })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(`In a terminal: platen run 'jam on page' '${url}'`) },
  });
});

it('shows its runs to itself over TLS as well', async () => {
  await using safe = await start({ port: 0, clock: 'virtual', room: 'none', reports, tls: true });
  const answer = await fetch(`${safe.url}/_platen/runs`, {
    method: 'POST',
    body: JSON.stringify({ kind: 'check', grep: '^misc/ping$' }),
  });
  const { id } = (await answer.json()) as RunSummaryView;
  const view = async (): Promise<RunSummaryView | undefined> => {
    const list = (await (await fetch(`${safe.url}/_platen/runs`)).json()) as RunSummaryView[];
    return list.find((run) => run.id === id);
  };
  await expect.poll(async () => (await view())?.running, SOON).toBe(false);
  expect(await view()).toMatchObject({ exitCode: 0, counts: { total: 1 } });
}, 60_000);
