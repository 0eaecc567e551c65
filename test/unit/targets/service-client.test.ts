import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';

import { expect, it } from 'vitest';

import { portOf } from '../../../src/common/port-of.ts';
import { realTimekeeper, type Timekeeper } from '../../../src/common/timekeeper.ts';
import { ServiceClient } from '../../../src/targets/service-client.ts';

/** Asks a service that refuses the first requests; returns how long each pause was. */
async function pausesAfter(
  refusal: Record<string, string>,
  { refusals = 1, ...timekeeper }: Partial<Timekeeper> & { readonly refusals?: number } = {},
): Promise<number[]> {
  let requests = 0;
  const server = createServer((_, response: ServerResponse) => {
    const isRefused = ++requests <= refusals;
    response.writeHead(isRefused ? 429 : 200, isRefused ? refusal : {}).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pauses: number[] = [];
  const elapse = (ms: number): Promise<void> => Promise.resolve(void pauses.push(ms));
  const client = new ServiceClient({
    baseUrl: `http://127.0.0.1:${portOf(server)}`,
    apiKey: 'key',
    isPatient: true,
    timekeeper: { ...realTimekeeper, ...timekeeper, elapse },
  });
  const { status } = await client.send({ method: 'GET', path: '/printers' });
  await client.close();
  server.close();
  expect(status).toBe(refusals === Infinity ? 429 : 200);
  return pauses;
}

it('waits as long as a service that refuses for the rate asks for', async () => {
  expect(await pausesAfter({ 'Retry-After': '7' })).toEqual([7_000]);
});

it('asks again soon where a refusal names no time, or one that is over', async () => {
  expect(await pausesAfter({})).toEqual([200]);
  expect(await pausesAfter({ 'Retry-After': 'soon' })).toEqual([200]);
  expect(await pausesAfter({ 'Retry-After': 'Fri, 01 Jan 2016 00:00:00 GMT' })).toEqual([200]);
});

it('waits a minute at most', async () => {
  expect(await pausesAfter({ 'Retry-After': '86400' })).toEqual([60_000]);
  expect(await pausesAfter({ 'Retry-After': 'Fri, 01 Jan 2100 00:00:00 GMT' })).toEqual([60_000]);
});

it('spends no time of a virtual clock on it', async () => {
  expect(await pausesAfter({ 'Retry-After': '7' }, { isVirtual: true })).toEqual([200]);
});

it('ends a pause when it is interrupted, asks once more, and waits no longer than a second for the rest', async () => {
  const interruption = new AbortController();
  const server = createServer((_, response) => {
    response.writeHead(429, { 'Retry-After': '50' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pauses: [number, AbortSignal | undefined][] = [];
  const elapse = async (ms: number, signal?: AbortSignal): Promise<void> => {
    pauses.push([ms, signal]);
    interruption.abort();
    signal?.throwIfAborted();
  };
  const client = new ServiceClient({
    baseUrl: `http://127.0.0.1:${portOf(server)}`,
    apiKey: 'key',
    isPatient: true,
    signal: interruption.signal,
    timekeeper: { ...realTimekeeper, elapse },
  });
  expect((await client.lookFor('/printers')).status).toBe(429);
  expect(pauses).toEqual([[50_000, interruption.signal]]);
  expect((await client.lookFor('/printers')).status).toBe(429);
  expect(pauses.slice(1)).toEqual([[1_000, undefined]]);
  await client.close();
  server.close();
});

it('gives up after two minutes', async () => {
  expect(await pausesAfter({ 'Retry-After': '50' }, { refusals: Infinity })).toEqual([50_000, 50_000, 50_000]);
});

async function listedBy(answer: (url: string) => unknown): Promise<readonly unknown[]> {
  const server = createServer(({ url = '' }, response) => response.end(JSON.stringify(answer(url))));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new ServiceClient({ baseUrl: `http://127.0.0.1:${portOf(server)}`, apiKey: 'key' });
  try {
    return await client.listAll('/printers');
  } finally {
    await client.close();
    server.close();
  }
}

const PRINTERS = Array.from({ length: 150 }, (_, index) => ({ id: index + 1 }));

const pageOf = (url: string): readonly unknown[] => {
  const after = Number(/after=(\d+)/.exec(url)?.[1] ?? 0);
  return PRINTERS.slice(after, after + 100);
};

it.each([
  ['an array', pageOf],
  ['an array in an object', (url: string) => ({ data: pageOf(url), total: 150 })],
])('lists all records of %s, page by page', async (_, answer) => {
  expect(await listedBy(answer)).toHaveLength(150);
});

it('ends where a service ignores at which record a page is to begin', async () => {
  expect((await listedBy(() => PRINTERS.slice(0, 100))).length).toBeLessThanOrEqual(200);
});

it.each([[{ code: 'NotFound' }], [{ a: [], b: [] }], [['x']], [7]])('finds no list in %j', async (answer) => {
  await expect(listedBy(() => answer)).rejects.toThrow('answers GET /printers with 200');
});
