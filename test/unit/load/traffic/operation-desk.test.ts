import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, describe, expect, it } from 'vitest';

import { startStopwatch } from '../../../../src/common/stopwatch.ts';
import type { Arrival } from '../../../../src/load/plan/load-plan.ts';
import type { Flight } from '../../../../src/load/traffic/flight.ts';
import { LoadAccount } from '../../../../src/load/traffic/load-account.ts';
import { OperationDesk, type DeskParts } from '../../../../src/load/traffic/operation-desk.ts';

/** What became of a request, kept before the flight is used again. */
interface Landing {
  readonly end: Flight['end'];
  readonly status: number;
  readonly body: string;
  readonly serviceMs: number;
}

const opened: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

async function serverOf(listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return server;
}

function deskOn(
  server: Server,
  parts: Partial<DeskParts> = {},
): { desk: OperationDesk; landings: Landing[]; shed: number[] } {
  const landings: Landing[] = [];
  const shed: number[] = [];
  const sinceMs = startStopwatch();
  const desk = new OperationDesk({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accounts: new Map([
      [0, new LoadAccount(0, 'key', null)],
      [1, new LoadAccount(1, 'key', null)],
    ]),
    sources: [],
    timeoutMs: 5_000,
    mostInFlight: 100,
    mostConnections: 10,
    sinceStartUs: () => Math.round(sinceMs() * 1_000),
    listener: {
      landed: (flight) => {
        const { end, status, endedUs, sentUs } = flight;
        landings.push({ end, status, body: flight.body.toString(), serviceMs: (endedUs - sentUs) / 1_000 });
      },
      shed: ({ index }) => shed.push(index),
    },
    ...parts,
  });
  opened.push(() => desk.close());
  return { desk, landings, shed };
}

function arrival(index: number, account = 0): Arrival {
  return { stream: 0, index, intendedMs: 0, operation: 0, account, draw: 0 };
}

function ask(desk: OperationDesk, index: number, path = '/', account = 0): void {
  const flight = desk.begin(arrival(index, account));
  if (!flight) return;
  flight.request.path = path;
  desk.launch(flight);
}

describe('operation desk', () => {
  it('sends a request and hands in its answer', async () => {
    const server = await serverOf((request, response) => response.writeHead(201).end(`to ${request.url}`));
    const { desk, landings } = deskOn(server);
    ask(desk, 0, '/noop');
    await desk.quiet();
    expect(landings).toEqual([expect.objectContaining({ end: 'answered', status: 201, body: 'to /noop' })]);
  });

  it('puts the pieces of a long answer together', async () => {
    const long = 'x'.repeat(300_000);
    const server = await serverOf((_, response) => response.end(long));
    const { desk, landings } = deskOn(server);
    ask(desk, 0);
    await desk.quiet();
    expect(landings[0]?.body).toBe(long);
  });

  it('lets requests above its connections wait, and sends all of them', async () => {
    let most = 0;
    let now = 0;
    const server = await serverOf((_, response) => {
      most = Math.max(most, ++now);
      setImmediate(() => {
        now--;
        response.end();
      });
    });
    const { desk, landings } = deskOn(server, { mostConnections: 3 });
    for (let index = 0; index < 50; index++) ask(desk, index);
    await desk.quiet();
    expect(landings.filter(({ end }) => end === 'answered')).toHaveLength(50);
    expect(most).toBeLessThanOrEqual(3);
    expect(desk.connections).toBe(3);
  });

  it('sheds what is above its cap of requests under way, and tells which', async () => {
    const server = await serverOf((_, response) => response.end());
    const { desk, landings, shed } = deskOn(server, { mostInFlight: 2 });
    for (let index = 0; index < 5; index++) ask(desk, index);
    expect(shed).toEqual([2, 3, 4]);
    await desk.quiet();
    expect(landings).toHaveLength(2);
  });

  it('gives up what has no answer in time, and what never reached a connection counts as unsent', async () => {
    const server = await serverOf(() => undefined);
    const { desk, landings } = deskOn(server, { timeoutMs: 150, mostConnections: 1 });
    ask(desk, 0);
    ask(desk, 1);
    await desk.quiet();
    expect(landings.map(({ end }) => end)).toEqual(['timeout', 'unsent']);
    expect(landings[0]?.serviceMs).toBeGreaterThan(100);
  });

  it('never sends what it has given up before a connection was there', async () => {
    const asked: string[] = [];
    const server = await serverOf((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    const { desk, landings } = deskOn(server, { timeoutMs: 100 });
    // Behind an immediate, timers come before sockets.
    await nextTurn();
    ask(desk, 0, '/given-up');
    // The process stands still, so that the limit is over before the connection is made.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    await desk.quiet();
    ask(desk, 1, '/afterwards');
    await desk.quiet();
    expect(landings.map(({ end }) => end)).toEqual(['unsent', 'answered']);
    expect(asked).toEqual(['/afterwards']);
  });

  it('goes on after an answer that came too late', async () => {
    let isSlow = true;
    const server = await serverOf((_, response) => {
      if (!isSlow) response.end('second');
    });
    const { desk, landings } = deskOn(server, { timeoutMs: 100, mostConnections: 1 });
    ask(desk, 0);
    await desk.quiet();
    isSlow = false;
    ask(desk, 1);
    await desk.quiet();
    expect(landings.map(({ end, body }) => [end, body])).toEqual([
      ['timeout', ''],
      ['answered', 'second'],
    ]);
  });

  it('tells a connection that broke under a request from one that could not be made', async () => {
    const server = await serverOf((request) => request.socket.destroy());
    const { desk, landings } = deskOn(server);
    ask(desk, 0);
    await desk.quiet();
    server.close();
    ask(desk, 1);
    await desk.quiet();
    expect(landings.map(({ end }) => end)).toEqual(['failed', 'unsent']);
  });

  it('sends from the source address of the account', async () => {
    const server = await serverOf((request, response) => response.end(request.socket.remoteAddress));
    const { desk, landings } = deskOn(server, { sources: ['127.0.0.2', '127.0.0.3'] });
    ask(desk, 0, '/', 0);
    ask(desk, 1, '/', 1);
    await desk.quiet();
    expect(landings.map(({ body }) => body).toSorted()).toEqual(['127.0.0.2', '127.0.0.3']);
  });

  it('fails what is under way when it is closed', async () => {
    const server = await serverOf(() => undefined);
    const { desk, landings } = deskOn(server);
    ask(desk, 0);
    await desk.close();
    expect(landings).toHaveLength(1);
    expect(desk.inFlight).toBe(0);
  });
});
