import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

import { portOf } from '../../../src/common/port-of.ts';
import { connect, JobWaitExpired, start, type StartedPlaten, type StartOptions } from '../../../src/index.ts';
import { LINK_PROTOCOLS } from '../../../src/link/messages.ts';
import { fixtureDocument } from '../../support/print-room.ts';

let platen: StartedPlaten;

beforeAll(async () => {
  platen = await start({ port: 0, clock: 'virtual', limits: 'off' });
});

afterAll(() => platen.close());

describe('a workbench in this process', () => {
  it('has a small and varied room, connected', async () => {
    const printers = await platen.printers();
    expect(printers.map(({ name, computer }) => [name, computer])).toEqual([
      ['Laser', 'FRONT-DESK'],
      ['Label 4x6', 'FRONT-DESK'],
      ['Unknown Printer', 'FRONT-DESK'],
      ['Office MFP', 'BACK-OFFICE'],
    ]);
    const { computers } = await platen.room();
    expect(computers.map((computer) => computer.connected)).toEqual([true, true]);
  });

  it('has a parcel on its scale, whose weight it knows hours later too, and not for ever', async () => {
    await using workbench = await start({ port: 0, clock: 'virtual' });
    const headers = { authorization: `Basic ${Buffer.from(`${workbench.apiKey}:`).toString('base64')}` };
    const { computers } = await workbench.room();
    const desk = computers.find(({ name }) => name === 'FRONT-DESK');
    const scales = async (): Promise<unknown> =>
      (await fetch(`${workbench.url}/computer/${desk?.id}/scales`, { headers })).json();
    const parcel = { deviceName: 'Parcel scale', measurement: { lb: 2_650_000_000 } };
    expect(await scales()).toMatchObject([parcel]);
    await workbench.clock.advance('7h');
    expect(await scales()).toMatchObject([parcel]);
    await workbench.clock.advance('2h');
    expect(await scales()).toEqual([]);
  });

  it.each([
    [{ computers: [{ printers: [{ profile: 'laser-a4' }] }] }, 'room.computers[0].name: is missing: a string'],
    [{ computers: [{ name: 'DESK' }] }, 'room.computers[0].printers: is missing: a list'],
    [
      { computers: [{ name: 'DESK', printers: [{ profil: 'laser-a4' }] }] },
      "room.computers[0].printers[0]: there is no key 'profil' here; did you mean 'profile'?",
    ],
    ['defualt', "room: must be default or none, not 'defualt'; did you mean 'default'?"],
  ])('says what is wrong with a room, and where: %j', async (room, complaint) => {
    // As a program in JavaScript gives it.
    const options = JSON.parse(JSON.stringify({ port: 0, clock: 'virtual', room })) as StartOptions;
    await expect(start(options)).rejects.toMatchObject({
      name: 'ActionableError',
      message: expect.stringContaining(complaint),
    });
  });

  it('closes although a computer reads nothing any more, not even that it closes', async () => {
    const workbench = await start({ port: 0, clock: 'virtual', room: 'none' });
    const headers = { authorization: `Basic ${Buffer.from(`${workbench.apiKey}:`).toString('base64')}` };
    const computer = new WebSocket(`${workbench.url.replace('http', 'ws')}/link`, [...LINK_PROTOCOLS], { headers });
    await once(computer, 'open');
    computer.pause();
    await workbench.close();
    await expect(fetch(workbench.url)).rejects.toThrow('fetch failed');
    computer.terminate();
  });

  it('shows what became of a job, with its timeline', async () => {
    const id = await submit({ title: 'Invoice 12', options: { pages: '2-3', copies: 2 }, qty: 2 });
    const job = await platen.jobs.wait({ title: /^Invoice/, state: 'done', printouts: 2 });
    expect(job).toMatchObject({ id, title: 'Invoice 12', printer: { name: 'Laser' }, sides: 8 });
    expect(job.printouts.map(({ submission, sheets }) => [submission, sheets])).toEqual([
      [1, 4],
      [2, 4],
    ]);
    expect(job.timeline.map(({ state }) => state)).toEqual(expect.arrayContaining(['new', 'sent_to_client', 'done']));
  });

  it('lets its own time pass while it waits for a job, and says at the limit how close it came', async () => {
    await submit({ title: 'Delivery note' });
    await platen.jobs.wait({ title: 'Delivery note', state: 'done' });
    const beganMs = await platen.clock.now();
    const wait = platen.jobs.wait({ title: 'Delivery note', state: 'error' }, { timeout: '1h' });
    await expect(wait).rejects.toThrow(JobWaitExpired);
    await expect(wait).rejects.toThrow(/the closest is job \d+: it is done, not error/);
    expect((await platen.clock.now()) - beganMs).toBe(3_600_000);
  });

  it('looks at any rate without using up the request rate of its callers', async () => {
    await using limited = await start({ port: 0, clock: 'virtual', room: 'none' });
    for (let look = 0; look < 50; look++) await limited.jobs.list();
    const headers = { authorization: `Basic ${Buffer.from(`${limited.apiKey}:`).toString('base64')}` };
    const statuses: number[] = [];
    for (let ask = 0; ask < 40; ask++) statuses.push((await fetch(`${limited.url}/noop`, { headers })).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(statuses.at(-1)).toBe(429);
  });

  it('advances fourteen days at once', async () => {
    const beganMs = await platen.clock.now();
    await platen.clock.advance('14d');
    expect((await platen.clock.now()) - beganMs).toBe(14 * 86_400_000);
    const { computers } = await platen.room();
    expect(computers.every((computer) => computer.connected)).toBe(true);
  });

  it('keeps a second account apart', async () => {
    const answer = await call('/printjobs', { key: platen.secondApiKey });
    expect(await answer.json()).toEqual([]);
  });

  it('says which port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const port = portOf(taken);
    await expect(start({ port })).rejects.toThrow(`port ${port} of 127.0.0.1 is in use`);
    taken.close();
  });

  it('leaves nothing: another one can take the port', async () => {
    const first = await start({ port: 0, room: 'none' });
    const port = Number(new URL(first.url).port);
    await first.close();
    await using second = await start({ port, room: 'none' });
    expect(second.url).toBe(first.url);
    expect((await second.room()).computers).toEqual([]);
  });
});

describe('the control API', () => {
  it('answers health and info', async () => {
    expect(await (await call('/_platen/health')).json()).toEqual({ status: 'ready' });
    expect(await (await call('/_platen/info')).json()).toMatchObject({ url: platen.url });
  });

  it('gives a job, its sheets and a picture of any side', async () => {
    const id = await submit({ title: 'With pictures', qty: 2 });
    await platen.jobs.wait({ id, state: 'done' });
    const job = await call(`/_platen/jobs/${id}`);
    expect(await job.json()).toMatchObject({ id, sides: 6, timeline: expect.anything() });
    const pdf = await call(`/_platen/jobs/${id}/sheets.pdf`);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expect((await pdf.text()).startsWith('%PDF-')).toBe(true);
    const last = await call(`/_platen/jobs/${id}/sheets/6.png`);
    expect(last.headers.get('content-type')).toBe('image/png');
    expect((await call(`/_platen/jobs/${id}/sheets/7.png`)).status).toBe(404);
    expect((await call(`/_platen/jobs/${id}/raw`)).status).toBe(404);
  });

  it('gives raw printouts as they were sent', async () => {
    const content = Buffer.from('\nN\nA26,26,0,3,1,1,N,"Hi"\nP1\n');
    const id = await submit({ printerId: 2, contentType: 'raw_base64', content: content.toString('base64') });
    await platen.jobs.wait({ id, state: 'done' });
    expect(await (await call(`/_platen/jobs/${id}/raw`)).text()).toBe(content.toString());
    expect((await call(`/_platen/jobs/${id}/sheets.pdf`)).status).toBe(404);
  });

  it('gives labels in ZPL as pictures too, and says why where it cannot', async () => {
    const drawable = Buffer.from('^XA^FO9,9^A0N,30,30^FDhello^FS^PQ2^XZ').toString('base64');
    const id = await submit({ printerId: 2, contentType: 'raw_base64', content: drawable, qty: 2 });
    const job = await platen.jobs.wait({ id, state: 'done', printouts: 2 });
    expect(job.printouts.map(({ sides, raw }) => [sides, raw?.notDrawn])).toEqual([
      [2, null],
      [2, null],
    ]);
    expect([job.sides, await job.text(4)]).toEqual([4, 'hello']);
    expect(Buffer.from(await job.png(4, { width: 100 })).readUInt32BE(16)).toBe(100);
    expect(Buffer.from(await job.pdf()).toString('latin1', 0, 5)).toBe('%PDF-');
    const endless = btoa(`^XA^FO9,9^BQN,2,6^FDQA,${'A'.repeat(9_000)}^FS^XZ`);
    const odd = await submit({ printerId: 2, contentType: 'raw_base64', content: endless });
    await platen.jobs.wait({ id: odd, state: 'done' });
    const picture = await call(`/_platen/jobs/${odd}/sheets/1.png`);
    const why = /the renderer says '.*: data too big'/;
    expect([picture.status, await picture.text()]).toEqual([404, expect.stringMatching(why)]);
    const { sides, printouts } = await platen.jobs.get(odd);
    expect([sides, printouts[0]?.raw?.notDrawn]).toEqual([0, expect.stringMatching(why)]);
  });

  it('waits for a job by query, and answers 408 with the closest and why', async () => {
    const id = await submit({ title: 'Awaited' });
    const found = await call(`/_platen/jobs/wait?title=awaited&printer=Laser&state=done,error&after=${id - 1}`);
    expect(await found.json()).toMatchObject({ id, state: 'done' });
    const missed = await call('/_platen/jobs/wait?title=awaited&state=expired&timeout=1s');
    expect(missed.status).toBe(408);
    expect(await missed.json()).toMatchObject({
      code: 'WaitExpired',
      closest: [{ job: { id }, why: ['it is done, not expired'] }, expect.anything(), expect.anything()],
    });
  });

  it('advances the clock', async () => {
    const beganMs = await platen.clock.now();
    const answer = await call('/_platen/clock/advance', { method: 'POST', body: '{"by":"45s"}' });
    expect(await answer.json()).toMatchObject({
      now: new Date(beganMs + 45_000).toISOString(),
      isVirtual: true,
    });
  });

  it.each([
    ['GET', '/_platen/nothing-here', 404],
    ['GET', '/_platen/nothing', 404],
    ['GET', '/_platen/jobs/0', 404],
    ['GET', '/_platen/jobs/latest-but-one', 404],
    ['GET', '/_platen/jobs/999999', 404],
    ['GET', '/_platen/jobs/1/sheets/one.png', 404],
    ['PATCH', '/_platen/jobs', 405],
    ['GET', '/_platen/jobs/wait?timeout=soon', 400],
    ['GET', '/_platen/jobs/wait?after=x', 400],
    ['POST', '/_platen/clock/advance', 400],
  ])('refuses %s %s with %d and the error object', async (method, path, status) => {
    const answer = await call(path, { method });
    expect(answer.status).toBe(status);
    const { code, message, problem, ...others } = (await answer.json()) as Readonly<Record<string, unknown>>;
    expect([typeof code, typeof message, others]).toEqual(['string', 'string', {}]);
    expect(typeof problem).toBe(status === 400 ? 'string' : 'undefined');
  });

  it.each(['{', '{}', '{"by":"yesterday"}', '{"by":-5}', '[]', 'null', `"${'x'.repeat(70_000)}"`])(
    'refuses to advance the clock by %.20s',
    async (body) => {
      const answer = await call('/_platen/clock/advance', { method: 'POST', body });
      expect([400, 413]).toContain(answer.status);
    },
  );

  it('refuses pages of other origins', async () => {
    const headers = { origin: 'http://evil.example' };
    expect((await call('/_platen/info', { headers })).status).toBe(403);
    expect((await call('/_platen/health', { headers })).status).toBe(403);
    expect((await call('/noop', { headers })).status).toBe(403);
  });

  it('refuses webhooks that lead to its control API', async () => {
    const body = JSON.stringify({ url: `${platen.url}/_platen/reset`, secret: '', messages: ['*'] });
    const answer = await call('/webhook', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { message: 'url: no webhook may lead to the control API of a workbench' },
    ]);
  });

  it('wants its token when it is bound beyond loopback', async () => {
    await using exposed = await start({ port: 0, host: '0.0.0.0', room: 'none' });
    const ask = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${exposed.url}/_platen/info`, { headers });
    expect((await ask({})).status).toBe(403);
    expect((await ask({ authorization: `Bearer ${exposed.controlToken}` })).status).toBe(200);
  });

  it('does not move a real clock', async () => {
    await using real = await start({ port: 0, room: 'none' });
    const answer = await fetch(`${real.url}/_platen/clock/advance`, { method: 'POST', body: '{"by":"1d"}' });
    expect(answer.status).toBe(409);
  });
});

/** With this key its room is connected, after a reset too. */
async function keyOf(starting: Promise<StartedPlaten>): Promise<string> {
  await using started = await starting;
  await started.reset();
  expect(await started.printers()).toHaveLength(4);
  return started.apiKey;
}

describe('the key of a workbench to which none is given', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'platen-key-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const begin = (name: string, options: StartOptions = {}): Promise<StartedPlaten> =>
    start({ port: 0, clock: 'virtual', dataFile: path.join(folder, name), ...options });
  const BEYOND = { host: '0.0.0.0' } as const;

  it('is known on loopback, and made at the first start beyond it', async () => {
    expect(await keyOf(begin('here.db'))).toBe('test-key');
    const made = await keyOf(begin('beyond.db', BEYOND));
    expect(made).toMatch(/^[0-9a-f]{32}$/);
    expect(await keyOf(begin('beyond.db', BEYOND))).toBe(made);
    expect(await keyOf(begin('other.db', BEYOND))).not.toBe(made);
  });

  it('is that of the data file', async () => {
    expect(await keyOf(begin('own.db', { apiKey: 'own' }))).toBe('own');
    expect(await keyOf(begin('own.db'))).toBe('own');
    expect(await keyOf(begin('own.db', BEYOND))).toBe('own');
  });

  it('is not taken beyond loopback from a data file, if everybody knows it, but when it is given', async () => {
    await keyOf(begin('known.db'));
    for (const other of [{}, { apiKey: 'another', room: 'none' }] as const) {
      await expect(begin('known.db', { ...BEYOND, ...other })).rejects.toThrow('which everybody knows');
    }
    expect(await keyOf(begin('known.db', { ...BEYOND, apiKey: 'test-key' }))).toBe('test-key');
  });
});

it('goes on with virtual time where its data file ends', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-time-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const options = { port: 0, clock: 'virtual', dataFile: path.join(folder, 'data.db') } as const;
  const before = await start(options);
  await before.clock.advance('30d');
  const { createdMs } = await before.print('invoice');
  await before.close();
  await using after = await start(options);
  expect(await after.clock.now()).toBeGreaterThanOrEqual(createdMs);
  expect((await after.jobs.list())[0]?.ageMs).toBeGreaterThanOrEqual(0);
});

describe('a mistake in what a program passes', () => {
  it('is an option that does not exist', async () => {
    // @ts-expect-error -- as a program in JavaScript writes it
    await expect(start({ port: 0, clck: 'virtual' })).rejects.toThrow(
      "no option of start 'clck'; did you mean 'clock'?",
    );
  });

  it('is a clock that does not exist', async () => {
    // @ts-expect-error -- as a program in JavaScript writes it
    await expect(start({ port: 0, clock: 'virtul' })).rejects.toThrow("no clock 'virtul'; did you mean 'virtual'?");
  });

  it.each([
    [{ limits: 'of' }, "limits: must be spec or off, not 'of'; did you mean 'off'?"],
    [{ seed: {} }, 'seed: must be a number, or a string, not an object'],
    [{ apiKey: '' }, 'apiKey: must not be empty'],
    [{ port: 'x' }, "port: must be a number, not 'x'"],
    [{ port: 65_536 }, 'port: must be at most 65535'],
    [{ expose: { raww: 0 } }, "expose: there is no key 'raww' here; did you mean 'raw'?"],
    [{ host: 1 }, 'host: must be a string, not 1'],
    [{ tls: 'yes' }, "tls: must be true or false, or an object of keys and values, not 'yes'"],
  ])('is an option with a value that it cannot have: %j', async (wrong, complaint) => {
    // As a program in JavaScript gives it.
    const options = JSON.parse(JSON.stringify({ port: 0, clock: 'virtual', ...wrong })) as StartOptions;
    await expect(start(options)).rejects.toMatchObject({
      name: 'ActionableError',
      message: complaint,
    });
  });

  it('is an address without a protocol', async () => {
    await expect(connect('localhost:8631')).rejects.toThrow("'localhost:8631' is not the address of a workbench");
  });
});

interface CallOptions {
  readonly method?: string;
  readonly key?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

function call(
  path: string,
  { method = 'GET', key = platen.apiKey, body, headers }: CallOptions = {},
): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  return fetch(platen.url + path, {
    method,
    headers: { authorization, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  });
}

async function submit(job: Readonly<Record<string, unknown>>): Promise<number> {
  const content = fixtureDocument('three-pages.pdf').toString('base64');
  const body = { printerId: 1, contentType: 'pdf_base64', content, ...job };
  const answer = await call('/printjobs', { method: 'POST', body: JSON.stringify(body) });
  expect(answer.status).toBe(201);
  return (await answer.json()) as number;
}
