import { once } from 'node:events';

import { describe, expect, it, onTestFinished } from 'vitest';

import { sleep, systemClock } from '../../src/common/clock.ts';
import { within } from '../../src/common/waiter.ts';
import { coordinate } from '../../src/load/workers/coordinator.ts';
import type { FleetOrder } from '../../src/load/workers/join.ts';
import { connectNats } from '../../src/load/nats/nats-connection.ts';
import type { CoordinatorOptions } from '../../src/load/workers/watch.ts';
import type { WorkStart, ShardWork } from '../../src/load/workers/shard-work.ts';
import { runWorker } from '../../src/load/workers/worker.ts';
import { NatsServer } from '../support/nats-server.ts';

const LIMIT_MS = 30_000;
const SHARD_MS = 6_000;
const SERVER_AWAY_MS = 1_000;

describe('a fleet on one NATS server', { tags: ['nats-server'] }, () => {
  it(
    'gives each worker one shard, the bundle and the secrets, and collects the records',
    async () => {
      const { url, connection } = await server();
      for (const name of ['north', 'south', 'west']) void worker(url, name, echo);
      const ends = await coordinate(order({ workers: 3 }), parts(connection));
      expect(ends.map(({ shard, finding }) => [shard, finding])).toEqual([
        [1, ''],
        [2, ''],
        [3, ''],
      ]);
      const records = ends.map(({ record }) => Buffer.from(record ?? []).toString());
      expect(records).toEqual(['1 of the bundle with key', '2 of the bundle with key', '3 of the bundle with key']);
      expect(new Set(ends.map(({ ready }) => ready?.worker))).toEqual(new Set(['north', 'south', 'west']));
    },
    LIMIT_MS,
  );

  it(
    'leaves nothing behind in the server',
    async () => {
      const { url, connection } = await server();
      void worker(url, 'north', echo);
      await coordinate(order({ workers: 1 }), parts(connection));
      const { jetstreamManager } = await import('@nats-io/jetstream');
      const manager = await jetstreamManager(connection);
      const { streams } = await manager.getAccountInfo();
      expect(streams).toBe(0);
    },
    LIMIT_MS,
  );

  it(
    'refuses a worker of another version, and says so on both sides',
    async () => {
      const { url, connection } = await server();
      const told: string[] = [];
      void worker(url, 'old', echo, { version: '0.0.9', tell: (line) => told.push(line) });
      const alone = coordinate(order({ workers: 1, waitMs: 1_500 }), parts(connection));
      await expect(alone).rejects.toThrow(/refused: old \(it runs platen 0\.0\.9, and the coordinator 1\.0\.0/);
      expect(told.join()).toContain('the versions must match');
    },
    LIMIT_MS,
  );

  it(
    'sends nothing when a worker cannot bear its shard',
    async () => {
      const { url, connection } = await server();
      const ran: number[] = [];
      const weak: ShardWork = {
        prepare: () => Promise.reject(new Error('127.0.9.9 is no address of this machine')),
      };
      const strong: ShardWork = {
        prepare: ({ shard }) =>
          Promise.resolve({
            abandon,
            run: () => {
              ran.push(shard);
              return Promise.resolve(new Uint8Array());
            },
          }),
      };
      void worker(url, 'weak', weak);
      void worker(url, 'strong', strong);
      const run = coordinate(order({ workers: 2 }), parts(connection));
      await expect(run).rejects.toThrow('weak: 127.0.9.9 is no address of this machine');
      expect(ran).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'names a worker that fails, and keeps what the others did',
    async () => {
      const { url, connection } = await server();
      const broken: ShardWork = {
        prepare: () => Promise.resolve({ abandon, run: () => Promise.reject(new Error('out of paper')) }),
      };
      void worker(url, 'broken', broken);
      void worker(url, 'whole', echo);
      const ends = await coordinate(order({ workers: 2 }), parts(connection));
      expect(ends.map(({ finding }) => finding).join('')).toMatch(/^shard [12] failed: out of paper$/);
      expect(ends.filter(({ record }) => record)).toHaveLength(1);
    },
    LIMIT_MS,
  );

  it(
    'drains when it is interrupted once, and stops at the second time',
    async () => {
      const { url, connection } = await server();
      const heard: string[] = [];
      void worker(url, 'north', untilTold(heard));
      const [drain, stop] = [new AbortController(), new AbortController()];
      const run = coordinate(order({ workers: 1 }), {
        ...parts(connection),
        drain: drain.signal,
        stop: stop.signal,
        onProgress: () => (heard.length > 0 ? stop.abort() : drain.abort()),
      });
      const [end] = await run;
      expect(heard).toEqual(['drain', 'stop']);
      expect(end?.finding).toBe('');
    },
    LIMIT_MS,
  );

  it(
    'plays on while the server is away for a while',
    async () => {
      const { url, connection, nats } = await server();
      const begun = Promise.withResolvers<void>();
      void worker(url, 'north', takes(SHARD_MS, begun.resolve));
      const run = coordinate(order({ workers: 1 }), parts(connection));
      await within(begun.promise, { description: 'the start of the shard', limit: '20s' });
      await nats.kill();
      await sleep(systemClock, SERVER_AWAY_MS);
      await nats.run();
      const [end] = await run;
      expect(end).toMatchObject({ shard: 1, finding: '' });
    },
    LIMIT_MS,
  );
});

const abandon = (): Promise<void> => Promise.resolve();

/** Says what it was given. */
const echo: ShardWork = {
  prepare: ({ shard, bundle, secrets }) =>
    Promise.resolve({
      abandon,
      run: ({ onStart }) => {
        onStart();
        const { apiKey } = secrets as { apiKey: string };
        return Promise.resolve(Buffer.from(`${shard} of ${Buffer.from(bundle).toString()} with ${apiKey}`));
      },
    }),
};

/** Begins, and goes on for that long unless it is stopped. */
function takes(durationMs: number, begun: () => void): ShardWork {
  return {
    prepare: () =>
      Promise.resolve({
        abandon,
        run: async ({ stop, onStart }) => {
          onStart();
          begun();
          await sleep(systemClock, durationMs, stop).catch(() => undefined);
          return new Uint8Array();
        },
      }),
  };
}

/** Goes on until it is stopped, and tells how it is getting on. */
function untilTold(heard: string[]): ShardWork {
  const run = async ({ drain, stop, onProgress }: WorkStart): Promise<Uint8Array> => {
    const beat = systemClock.beat(20, () => onProgress({}));
    drain.addEventListener('abort', () => heard.push('drain'));
    await once(stop, 'abort');
    heard.push('stop');
    beat.cancel();
    return new Uint8Array();
  };
  return { prepare: () => Promise.resolve({ abandon, run }) };
}

async function server() {
  const nats = await NatsServer.start();
  const connection = await connectNats({ url: nats.url }, 'coordinator');
  onTestFinished(async () => {
    await connection.close();
    await nats[Symbol.asyncDispose]();
  });
  return { nats, url: nats.url, connection };
}

async function worker(
  url: string,
  name: string,
  work: ShardWork,
  { version = '1.0.0', tell = () => undefined }: { version?: string; tell?: (line: string) => void } = {},
): Promise<void> {
  const connection = await connectNats({ url }, name);
  const ended = new AbortController();
  onTestFinished(async () => {
    ended.abort();
    await connection.close();
  });
  const common = { connection, clock: systemClock, name, version, tags: [], work };
  await runWorker({ ...common, leaseMs: 10_000, tell, signal: ended.signal });
}

function order(changes: Partial<FleetOrder> = {}): FleetOrder {
  return {
    runId: 'run-1',
    title: 'A run',
    version: '1.0.0',
    workers: 1,
    tags: [],
    bundle: Buffer.from('the bundle'),
    secrets: { apiKey: 'key' },
    waitMs: 10_000,
    keepMs: 60_000,
    ...changes,
  };
}

function parts(connection: CoordinatorOptions['connection']): CoordinatorOptions {
  return {
    connection,
    clock: systemClock,
    tell: () => undefined,
    leaseMs: 10_000,
    onProgress: () => undefined,
    drain: new AbortController().signal,
    stop: new AbortController().signal,
  };
}
