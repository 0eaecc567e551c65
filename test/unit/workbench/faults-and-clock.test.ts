/**
 * What the control API does to a running workbench: faults in the room, the run of a virtual clock.
 */

import { afterAll, beforeAll, expect, it } from 'vitest';

import { realTimekeeper } from '../../../src/common/timekeeper.ts';
import { VirtualClock } from '../../../src/common/virtual-clock.ts';
import { start, type StartedPlaten } from '../../../src/workbench/start.ts';
import { fixtureDocument } from '../../support/print-room.ts';
import { soon } from '../../support/soon.ts';

let platen: StartedPlaten;
beforeAll(async () => {
  platen = await start({ port: 0, clock: 'virtual', limits: 'off' });
});
afterAll(() => platen.close());

async function control(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const response = await fetch(`${platen.url}/_platen${path}`, init);
  return { status: response.status, body: await response.json() };
}

async function submit(): Promise<number> {
  const printers = await platen.printers();
  const response = await fetch(`${platen.url}/printjobs`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${platen.apiKey}:`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      printerId: printers.find(({ name }) => name === 'Laser')?.id,
      contentType: 'pdf_base64',
      content: fixtureDocument('three-pages.pdf').toString('base64'),
    }),
  });
  return Number(await response.json());
}

async function sheetsOf(id: number): Promise<number> {
  return (await platen.jobs.get(id)).sheets.length;
}

it('jams a printer after a sheet, and lets the rest out when the fault is repaired', async () => {
  const rule = { at: 'printer/Laser', fault: 'media-jam', after: 1 };
  expect(await control('POST', '/faults', rule)).toEqual({ status: 201, body: { id: 'printer-rule-1' } });
  expect(await control('GET', '/faults')).toMatchObject({
    body: [{ id: 'printer-rule-1', rule, fired: null }],
  });
  const id = await submit();
  await platen.jobs.wait({ id, state: 'done' });
  await platen.clock.advance('10m');
  expect(await sheetsOf(id)).toBe(1);
  expect(await control('DELETE', '/faults/printer-rule-1')).toEqual({ status: 200, body: [] });
  await platen.clock.advance('1s');
  expect(await sheetsOf(id)).toBe(3);
});

it('repairs a fault by itself when its time is over', async () => {
  await control('POST', '/faults', { at: 'printer/Laser', fault: 'cover-open', for: '1h' });
  const id = await submit();
  await platen.clock.advance('59m');
  expect(await sheetsOf(id)).toBe(0);
  await platen.clock.advance('2m');
  expect(await sheetsOf(id)).toBe(3);
  expect(await control('GET', '/faults')).toMatchObject({ body: [] });
});

it('lets a computer crash where a rule says so, and counts it', async () => {
  await control('POST', '/faults', { at: 'computer/*', fault: 'crash-before-acknowledged', times: 1 });
  const id = await submit();
  await platen.jobs.wait({ id, state: 'done' }, { timeout: '10m' });
  expect((await platen.jobs.get(id)).printouts).toHaveLength(1);
  expect(await control('GET', '/faults')).toMatchObject({ body: [{ fired: 1 }] });
  expect(await control('DELETE', '/faults')).toMatchObject({ body: [] });
});

it.each([
  ['no rule', { fault: 'media-jam' }, 'at: '],
  ['an unknown place', { at: 'coffee/1', fault: 'empty' }, "nothing can go wrong at 'coffee/1'"],
  ['an unknown fault', { at: 'printer/Laser', fault: 'media-jm' }, "did you mean 'media-jam'?"],
  ['an unknown printer', { at: 'printer/Lasr', fault: 'media-jam' }, "the room has no printer 'Lasr'"],
  [
    'chance at a printer',
    { at: 'printer/Laser', fault: 'media-jam', probability: 0.5 },
    'has no times and no probability',
  ],
  [
    'a number of times at a printer',
    { at: 'printer/Laser', fault: 'media-jam', times: 1 },
    'has no times and no probability',
  ],
])('refuses %s', async (_, rule, message) => {
  const answer = await control('POST', '/faults', rule);
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'BadRequest', message: expect.stringContaining(message) },
  });
});

it('knows no rule of another id', async () => {
  expect(await control('DELETE', '/faults/rule-99')).toMatchObject({ status: 404 });
});

it('lets the clock run with real time, and stands still again', async () => {
  expect(await control('GET', '/clock')).toMatchObject({ body: { isVirtual: true, running: false } });
  const beganMs = await platen.clock.now();
  expect(await control('POST', '/clock/resume')).toMatchObject({ body: { running: true } });
  await soon('the clock to move', '5s', async () => ((await platen.clock.now()) > beganMs ? true : undefined));
  expect(await control('POST', '/clock/freeze')).toMatchObject({ body: { running: false } });
  const frozenAtMs = await platen.clock.now();
  await realTimekeeper.elapse(120);
  expect(await platen.clock.now()).toBe(frozenAtMs);
});

it('stands still, and serves on, where its clock ends', async () => {
  await using late = await start({
    port: 0,
    clock: new VirtualClock(Date.UTC(9999, 11, 31, 23, 59, 59)),
    limits: 'off',
  });
  await expect(late.clock.advance('1h')).rejects.toThrow('a virtual clock ends with the year 9999. Start again');
  await late.clock.resume();
  const ended = await soon('the clock to stand still', '5s', async () => {
    const clock = (await (await fetch(`${late.url}/_platen/clock`)).json()) as { running: boolean; now: string };
    return clock.running ? undefined : clock.now;
  });
  expect(ended).toMatch(/^9999-12-31T23:59:59/);
  expect((await fetch(`${late.url}/_platen/health`)).status).toBe(200);
});

it('takes the faults away with a reset', async () => {
  await control('POST', '/faults', { at: 'link/*', fault: 'refuse' });
  await control('POST', '/faults', { at: 'printer/*', fault: 'offline' });
  await control('POST', '/reset');
  expect(await control('GET', '/faults')).toMatchObject({ body: [] });
  const { computers } = await platen.room();
  expect(computers.flatMap(({ printers }) => printers).flatMap(({ reasons }) => reasons)).toEqual([]);
});

it.each(['printer/Lasr', 'scale/Parcel', 'computer/DESK', 'link/DESK'])(
  'refuses a rule at %s, which does not exist, and says what does',
  async (at) => {
    const [kind = ''] = at.split('/');
    const fault = { printer: 'media-jam', scale: 'unplug', computer: 'forget-job' }[kind] ?? 'drop';
    const { status, body } = await control('POST', '/faults', { at, fault });
    expect([status, body]).toEqual([400, expect.objectContaining({ code: 'BadRequest' })]);
    expect(JSON.stringify(body)).toMatch(/the room has no .*It has '/);
  },
);

it('takes rules at the scale and the link of the room', async () => {
  for (const rule of [
    { at: 'scale/Parcel scale', fault: 'unplug' },
    { at: 'link/FRONT-DESK', fault: 'refuse', after: 9 },
    { at: 'scale', fault: 'unplug', after: 9 },
  ]) {
    expect((await control('POST', '/faults', rule)).status).toBe(201);
  }
  await control('DELETE', '/faults');
});
