/**
 * How far apart the workers of a fleet on one host begin, over fifty starts, and how old the figures are that
 * the coordinator shows.
 *
 *   npm run bench fleet-start [-- STARTS]
 */

import { systemClock } from '../../src/common/clock.ts';
import { coordinate } from '../../src/load/workers/coordinator.ts';
import { connectNats } from '../../src/load/nats/nats-connection.ts';
import { FleetProcess } from '../distributed/support/fleet-processes.ts';
import { NatsServer } from '../support/nats-server.ts';

const STARTS = Number(process.argv[2] ?? 50);
const WORKERS = ['north', 'south', 'west'];
const LASTS_MS = 300;

await using nats = await NatsServer.start();
const workers = WORKERS.map((name) => FleetProcess.lastingWorker(nats.url, name));
const connection = await connectNats({ url: nats.url }, 'bench');
const skewsMs: number[] = [];
const lateMs: number[] = [];
const agesMs: number[] = [];
try {
  for (let start = 0; start < STARTS; start++) await startOnce(start);
} finally {
  await connection.close();
  for (const worker of workers) await worker.kill();
}
print('apart from each other', skewsMs);
print('late by their own clock', lateMs);
print('age of live figures', agesMs);

async function startOnce(start: number): Promise<void> {
  const before = workers.map(({ said }) => said.length);
  const ends = await coordinate(
    {
      runId: `bench-${start}`,
      title: 'A start',
      version: '1',
      workers: WORKERS.length,
      tags: [],
      bundle: Buffer.from(String(LASTS_MS)),
      secrets: {},
      waitMs: 20_000,
      keepMs: 60_000,
    },
    {
      connection,
      clock: systemClock,
      leaseMs: 10_000,
      tell: () => undefined,
      onProgress: (_, progress) => agesMs.push(systemClock.now() - (progress as { nowMs: number }).nowMs),
      drain: new AbortController().signal,
      stop: new AbortController().signal,
    },
  );
  const begins = workers.flatMap(({ said }, index) =>
    said.slice(before[index]).flatMap(({ began, atMs }) => (began === undefined ? [] : [atMs])),
  );
  if (begins.length !== WORKERS.length || ends.some(({ finding }) => finding !== '')) {
    throw new Error(`start ${start}: ${JSON.stringify(ends)}`);
  }
  skewsMs.push(Math.max(...begins) - Math.min(...begins));
  for (const { startLateMs } of ends) if (startLateMs !== undefined) lateMs.push(startLateMs);
}

function print(what: string, figures: readonly number[]): void {
  const sorted = figures.toSorted((left, right) => left - right);
  const at = (share: number): string => (sorted[Math.ceil(share * sorted.length) - 1] ?? NaN).toFixed(1);
  process.stdout.write(
    `${what.padEnd(24)} ${String(sorted.length).padStart(4)} figures   p50 ${at(0.5)} ms   p99 ${at(0.99)} ms   most ${at(1)} ms\n`,
  );
}
