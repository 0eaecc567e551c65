/**
 * A worker or a coordinator in a process of its own, with work that only lasts: what a test kills.
 *
 *   node fleet-process.ts worker NATS_URL NAME        takes part in one run
 *   node fleet-process.ts stay NATS_URL NAME          takes part in run after run
 *   node fleet-process.ts coordinate NATS_URL RUN_ID WORKERS DURATION_MS
 *   node fleet-process.ts resume NATS_URL RUN_ID
 *
 * Says what happens in lines of JSON, each with the time of day in `atMs`.
 */

import { sleep, systemClock } from '../../../src/common/clock.ts';
import { coordinate, resume } from '../../../src/load/workers/coordinator.ts';
import { connectNats } from '../../../src/load/nats/nats-connection.ts';
import type { CoordinatorOptions } from '../../../src/load/workers/watch.ts';
import type { ShardWork } from '../../../src/load/workers/shard-work.ts';
import { runWorker } from '../../../src/load/workers/worker.ts';

const LEASE_MS = 4_000;

const [role = '', url = '', name = '', workers = '', durationMs = ''] = process.argv.slice(2);
const connection = await connectNats({ url }, name);

function say(what: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ atMs: systemClock.now(), ...what })}\n`);
}

/** Lasts as long as the bundle says, unless it is stopped. */
const work: ShardWork = {
  prepare: ({ bundle, shard }) =>
    Promise.resolve({
      abandon: () => Promise.resolve(),
      run: async ({ startAtMs, onStart, stop, onProgress }) => {
        await sleep(systemClock, startAtMs - systemClock.now());
        onStart();
        say({ began: shard, lateMs: systemClock.now() - startAtMs });
        const beat = systemClock.beat(200, () => onProgress({ nowMs: systemClock.now() }));
        const lasts = Number(Buffer.from(bundle).toString());
        await sleep(systemClock, lasts, stop).catch(() => say({ stopped: shard }));
        beat.cancel();
        return Buffer.from(String(shard));
      },
    }),
};

const parts: CoordinatorOptions = {
  connection,
  clock: systemClock,
  leaseMs: LEASE_MS,
  tell: (line) => say({ line }),
  onProgress: (shard, progress) => say({ shard, progress }),
  drain: new AbortController().signal,
  stop: new AbortController().signal,
};

if (role === 'worker' || role === 'stay') {
  const { tell } = parts;
  await runWorker({
    connection,
    clock: systemClock,
    name,
    version: '1',
    tags: [],
    work,
    leaseMs: LEASE_MS,
    tell,
    signal: new AbortController().signal,
    once: role === 'worker',
  });
  say({ ended: true });
} else {
  const order = {
    runId: name,
    title: 'A run',
    version: '1',
    workers: Number(workers),
    tags: [],
    bundle: Buffer.from(durationMs),
    secrets: {},
    waitMs: 20_000,
    keepMs: 120_000,
  };
  const ends = await (role === 'resume' ? resume(name, parts) : coordinate(order, parts));
  say({ ends: ends.map(({ shard, record, finding }) => ({ shard, whole: record !== undefined, finding })) });
}
await connection.close();
