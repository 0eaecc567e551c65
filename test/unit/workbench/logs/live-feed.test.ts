/**
 * The live feed: what a client gets, one that comes back, one that does not read, and many events at once.
 */

import { createConnection, type Socket } from 'node:net';
import { once } from 'node:events';

import { afterEach, expect, it } from 'vitest';

import { realTimekeeper } from '../../../../src/common/timekeeper.ts';
import { start } from '../../../../src/index.ts';
import { LiveFeed, watch, type FeedClient, type FeedEvent } from '../../../../src/workbench/logs/live-feed.ts';
import { printRequest } from '../../../support/print-request.ts';
import { soon } from '../../../support/soon.ts';

const FIRST_ID = 100;

class Reader implements FeedClient {
  readonly got: FeedEvent[] = [];
  ready = true;
  isDropped = false;
  drop(): void {
    this.isDropped = true;
  }
  send(events: readonly FeedEvent[]): void {
    this.got.push(...events);
  }
}

let feed: LiveFeed | undefined;
afterEach(() => feed?.close());

function newFeed(...args: Parameters<typeof watch>[]): LiveFeed {
  feed = new LiveFeed(
    args.map((one) => watch(...one)),
    FIRST_ID,
  );
  return feed;
}

function until(what: string, isSo: () => boolean): Promise<true> {
  return soon(what, '5s', () => isSo() || undefined, { every: 5 });
}

function tellJob(to: LiveFeed, id: number): void {
  to.announce(`job ${id}`, () => ({ name: 'job', data: { id } }));
}

it('does nothing without a client', () => {
  let made = 0;
  newFeed(['clock', () => made++]).announce('job 1', () => ({ name: 'job', data: made++ }));
  expect([made, feed?.isWatched]).toEqual([0, false]);
});

it('sends what happened, with ids that grow, and several changes of one thing once', async () => {
  const reader = new Reader();
  newFeed().join(reader, undefined);
  for (const id of [1, 2, 1, 1]) tellJob(feed as LiveFeed, id);
  await until('two events', () => reader.got.length >= 2);
  expect(reader.got.map(({ id, name, data }) => [id, name, data])).toEqual([
    [FIRST_ID + 1, 'job', '{"id":1}'],
    [FIRST_ID + 2, 'job', '{"id":2}'],
  ]);
});

it('sends what is watched when it has changed, and only then', async () => {
  const reader = new Reader();
  let value = 1;
  newFeed(['faults', () => value]).join(reader, undefined);
  await realTimekeeper.elapse(250);
  expect(reader.got).toEqual([]);
  value = 2;
  await until('the change', () => reader.got.length === 1);
  expect(reader.got[0]).toMatchObject({ name: 'faults', data: '2' });
});

it('gives a client that comes back what it missed', async () => {
  const first = new Reader();
  const leave = newFeed().join(first, undefined);
  tellJob(feed as LiveFeed, 1);
  await until('the first event', () => first.got.length === 1);
  leave();
  tellJob(feed as LiveFeed, 2);
  await realTimekeeper.elapse(60);
  const back = new Reader();
  feed?.join(back, first.got[0]?.id);
  expect(back.got.map(({ data }) => data)).toEqual(['{"id":2}']);
});

it.each([1, FIRST_ID + 5_000])('makes a client with the unknown id %d read everything again', async (id) => {
  const reader = new Reader();
  newFeed().join(new Reader(), undefined);
  tellJob(feed as LiveFeed, 1);
  feed?.join(reader, id);
  await until('a reset', () => reader.got.length > 0);
  expect(reader.got[0]?.name).toBe('reset');
});

it('writes at most five hundred events a second, and holds no more than it may', async () => {
  const reader = new Reader();
  newFeed().join(reader, undefined);
  for (let id = 0; id < 1_500; id++) tellJob(feed as LiveFeed, id);
  await realTimekeeper.elapse(1_000);
  expect(reader.got.length).toBeGreaterThan(100);
  expect(reader.got.length).toBeLessThanOrEqual(520);
  for (let id = 0; id < 3_000; id++) tellJob(feed as LiveFeed, 10_000 + id);
  await until('a reset', () => reader.got.some(({ name }) => name === 'reset'));
});

it('drops a client that is not ready and has missed too much; one that comes back reads everything again', async () => {
  const slow = new Reader();
  const quick = new Reader();
  newFeed().join(slow, undefined);
  feed?.join(quick, undefined);
  slow.ready = false;
  for (let round = 0; round < 5; round++) {
    feed?.announceAll('workbench', { what: 'reset' });
    for (let id = 0; id < 1_000; id++) feed?.announceAll('workbench', { what: 'reset' });
  }
  await until('the quick one', () => quick.got.length > 0);
  expect([slow.got, slow.isDropped, quick.isDropped, feed?.readers]).toEqual([[], true, false, 1]);
  slow.ready = true;
  feed?.join(slow, FIRST_ID);
  expect(slow.got.map(({ name }) => name)).toEqual(['reset']);
});

it('waits for a client that is not ready and has missed little', async () => {
  const slow = new Reader();
  const quick = new Reader();
  newFeed().join(slow, undefined);
  feed?.join(quick, undefined);
  slow.ready = false;
  tellJob(feed as LiveFeed, 1);
  await until('the quick one', () => quick.got.length > 0);
  slow.ready = true;
  await until('the slow one', () => slow.got.length > 0);
  expect([slow.got, slow.isDropped]).toEqual([quick.got, false]);
});

/** Asks for the stream, and reads nothing of it. */
async function deafClient(port: number): Promise<Socket> {
  const socket = createConnection(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET /_platen/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  await once(socket, 'readable');
  return socket.pause();
}

it('does not grow for clients that never read, while others get 500 events a second', async () => {
  await using platen = await start({ port: 0, clock: 'virtual', limits: 'off' });
  const { port } = new URL(platen.url);
  const deaf = await Promise.all(Array.from({ length: 20 }, () => deafClient(Number(port))));
  const events = await fetch(`${platen.url}/_platen/events`);
  let got = '';
  void (async () => {
    for await (const chunk of events.body ?? []) got += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  const printerId = await platen.printer('Label 4x6').id();
  const beforeBytes = process.memoryUsage().heapUsed;
  for (let round = 0; round < 30; round++) {
    const content = Buffer.from(`^XA^FD${round}^FS^XZ`).toString('base64');
    const jobs = Array.from({ length: 20 }, () =>
      printRequest(platen, { printerId, contentType: 'raw_base64', content, title: 'x'.repeat(500) }),
    );
    await Promise.all(jobs);
  }
  await until('the events', () => (got.match(/^event: job$/gm) ?? []).length > 200);
  const grownMb = (process.memoryUsage().heapUsed - beforeBytes) / 1024 / 1024;
  expect(grownMb).toBeLessThan(100);
  for (const socket of deaf) socket.destroy();
  const ids = [...got.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
}, 30_000);
