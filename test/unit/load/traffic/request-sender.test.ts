import { createServer, type RequestListener, type Server } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, describe, expect, it } from 'vitest';

import { portOf } from '../../../../src/common/port-of.ts';
import { startStopwatch } from '../../../../src/common/stopwatch.ts';
import type { Arrival } from '../../../../src/load/plan/load-plan.ts';
import type { Attempt } from '../../../../src/load/traffic/attempt.ts';
import { LoadAccount } from '../../../../src/load/traffic/load-account.ts';
import { RequestSender, type RequestSenderOptions } from '../../../../src/load/traffic/request-sender.ts';

/** What became of a request, kept before the attempt is used again. */
interface EndedAttempt {
  readonly end: Attempt['end'];
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

function senderOn(
  server: Server,
  parts: Partial<RequestSenderOptions> = {},
): { sender: RequestSender; ended: EndedAttempt[]; shed: number[] } {
  const ended: EndedAttempt[] = [];
  const shed: number[] = [];
  const sinceMs = startStopwatch();
  const sender = new RequestSender({
    baseUrl: `http://127.0.0.1:${portOf(server)}`,
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
      ended: (attempt) => {
        const { end, status, endedUs, sentUs } = attempt;
        ended.push({ end, status, body: attempt.body.toString(), serviceMs: (endedUs - sentUs) / 1_000 });
      },
      shed: ({ index }) => shed.push(index),
    },
    ...parts,
  });
  opened.push(() => sender.close());
  return { sender, ended, shed };
}

function arrival(index: number, account = 0): Arrival {
  return { stream: 0, index, intendedMs: 0, operation: 0, account, draw: 0 };
}

function ask(sender: RequestSender, index: number, path = '/', account = 0): void {
  const attempt = sender.begin(arrival(index, account));
  if (!attempt) return;
  attempt.request.path = path;
  sender.send(attempt);
}

describe('the request sender', () => {
  it('sends a request and passes its answer on', async () => {
    const server = await serverOf((request, response) => response.writeHead(201).end(`to ${request.url}`));
    const { sender, ended } = senderOn(server);
    ask(sender, 0, '/noop');
    await sender.quiet();
    expect(ended).toEqual([expect.objectContaining({ end: 'answered', status: 201, body: 'to /noop' })]);
  });

  it('joins the chunks of a long answer', async () => {
    const long = 'x'.repeat(300_000);
    const server = await serverOf((_, response) => response.end(long));
    const { sender, ended } = senderOn(server);
    ask(sender, 0);
    await sender.quiet();
    expect(ended[0]?.body).toBe(long);
  });

  it('queues requests when all connections are in use, and sends all of them', async () => {
    let most = 0;
    let now = 0;
    const server = await serverOf((_, response) => {
      most = Math.max(most, ++now);
      setImmediate(() => {
        now--;
        response.end();
      });
    });
    const { sender, ended } = senderOn(server, { mostConnections: 3 });
    for (let index = 0; index < 50; index++) ask(sender, index);
    await sender.quiet();
    expect(ended.filter(({ end }) => end === 'answered')).toHaveLength(50);
    expect(most).toBeLessThanOrEqual(3);
    expect(sender.connections).toBe(3);
  });

  it('ends every request when no connection can be made, also those that wait for one', async () => {
    const server = await serverOf((_, response) => response.end());
    const { sender, ended } = senderOn(server, { mostConnections: 1 });
    server.close();
    for (let index = 0; index < 5; index++) ask(sender, index);
    await sender.quiet();
    expect(ended.map(({ end }) => end)).toEqual(Array.from({ length: 5 }, () => 'unsent'));
  });

  it('sheds requests above its cap in flight, and reports which', async () => {
    const server = await serverOf((_, response) => response.end());
    const { sender, ended, shed } = senderOn(server, { mostInFlight: 2 });
    for (let index = 0; index < 5; index++) ask(sender, index);
    expect(shed).toEqual([2, 3, 4]);
    await sender.quiet();
    expect(ended).toHaveLength(2);
  });

  it('times out requests without an answer, and counts as unsent those without a connection', async () => {
    let nowUs = 0;
    const arrived = Promise.withResolvers<void>();
    const server = await serverOf(() => arrived.resolve());
    // Both are issued at one moment of this clock, so that they expire in one sweep.
    const { sender, ended } = senderOn(server, { timeoutMs: 150, mostConnections: 1, sinceStartUs: () => nowUs });
    ask(sender, 0);
    ask(sender, 1);
    await arrived.promise;
    nowUs = 150_000;
    await sender.quiet();
    expect(ended.map(({ end }) => end)).toEqual(['timeout', 'unsent']);
    expect(ended[0]?.serviceMs).toBe(150);
  });

  it('never sends a request that timed out before it had a connection', async () => {
    const asked: string[] = [];
    const server = await serverOf((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    const { sender, ended } = senderOn(server, { timeoutMs: 100 });
    // Behind an immediate, timers come before sockets.
    await nextTurn();
    ask(sender, 0, '/given-up');
    // The process stands still, so that the limit is over before the connection is made.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    await sender.quiet();
    ask(sender, 1, '/afterwards');
    await sender.quiet();
    expect(ended.map(({ end }) => end)).toEqual(['unsent', 'answered']);
    expect(asked).toEqual(['/afterwards']);
  });

  it('goes on after an answer that arrives too late', async () => {
    let isSlow = true;
    const server = await serverOf((_, response) => {
      if (!isSlow) response.end('second');
    });
    const { sender, ended } = senderOn(server, { timeoutMs: 100, mostConnections: 1 });
    ask(sender, 0);
    await sender.quiet();
    isSlow = false;
    ask(sender, 1);
    await sender.quiet();
    expect(ended.map(({ end, body }) => [end, body])).toEqual([
      ['timeout', ''],
      ['answered', 'second'],
    ]);
  });

  it('distinguishes a connection that broke from one that could not be opened', async () => {
    const server = await serverOf((request) => request.socket.destroy());
    const { sender, ended } = senderOn(server);
    ask(sender, 0);
    await sender.quiet();
    server.close();
    ask(sender, 1);
    await sender.quiet();
    expect(ended.map(({ end }) => end)).toEqual(['failed', 'unsent']);
  });

  it('sends from the source address of the account', async () => {
    const server = await serverOf((request, response) => response.end(request.socket.remoteAddress));
    const { sender, ended } = senderOn(server, { sources: ['127.0.0.2', '127.0.0.3'] });
    ask(sender, 0, '/', 0);
    ask(sender, 1, '/', 1);
    await sender.quiet();
    expect(ended.map(({ body }) => body).toSorted()).toEqual(['127.0.0.2', '127.0.0.3']);
  });

  it('fails requests in flight when it is closed', async () => {
    const server = await serverOf(() => undefined);
    const { sender, ended } = senderOn(server);
    ask(sender, 0);
    await sender.close();
    expect(ended).toHaveLength(1);
    expect(sender.inFlight).toBe(0);
  });
});
