/**
 * Stall watch: loaded into a process by `--import`, it says at the end how long the event loop of that process
 * stood still, and why: the collector, work of its own, or a machine that gave the processor to others.
 *
 *   every millisecond ─► late? ─► did this thread have the processor? ─► yes: a long turn of its own
 *                                                                    └► no:  others had it
 *
 * The start of the process does not count.
 */

import { basename } from 'node:path';
import { constants, PerformanceObserver } from 'node:perf_hooks';

import { systemClock } from '../../src/common/clock.ts';
import { monotonicMs } from '../../src/common/stopwatch.ts';

const EVERY_MS = 1;
/** Shorter than that nothing is called a stall. */
const STALL_MS = 4;
const START_MS = 5_000;
const LONGEST_SHOWN = 3;

const COLLECTIONS: readonly (readonly [string, number])[] = [
  ['young', constants.NODE_PERFORMANCE_GC_MINOR],
  ['whole', constants.NODE_PERFORMANCE_GC_MAJOR],
  ['steps of a whole', constants.NODE_PERFORMANCE_GC_INCREMENTAL],
];

/** What the processor did for this thread between two beats, and how long they were apart. */
interface Stall {
  readonly ms: number;
  readonly ownMs: number;
}

const stalls: Stall[] = [];
const pauses = new Map<unknown, number[]>();

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
let last = { atMs: monotonicMs(), cpuMs: cpuMs() };

function beat(): void {
  const now = { atMs: monotonicMs(), cpuMs: cpuMs() };
  const ms = now.atMs - last.atMs;
  if (ms >= STALL_MS && last.atMs > START_MS) stalls.push({ ms, ownMs: now.cpuMs - last.cpuMs });
  last = now;
}

const collector = new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const kind = kindOf(entry);
    if (entry.startTime > START_MS) pauses.set(kind, [...(pauses.get(kind) ?? []), entry.duration]);
  }
});

/** Which kind of collection it was: the types of Node leave it out. */
function kindOf(entry: object): unknown {
  const detail: unknown = 'detail' in entry ? entry.detail : undefined;
  return typeof detail === 'object' && detail !== null && 'kind' in detail ? detail.kind : undefined;
}

const longest = (times: readonly number[]): string =>
  times
    .toSorted((one, other) => other - one)
    .slice(0, LONGEST_SHOWN)
    .map((ms) => ms.toFixed(1))
    .join(', ');

function tell(): void {
  const own = stalls.filter(({ ms, ownMs }) => ownMs > ms / 2);
  const others = stalls.filter((stall) => !own.includes(stall));
  const lines = [
    `${basename(process.argv[1] ?? '')}, process ${process.pid}: turns of ${STALL_MS} ms and more, the longest in ms`,
    `  ${own.length} of its own: ${longest(own.map(({ ms }) => ms))}`,
    `  ${others.length} while others had the processor: ${longest(others.map(({ ms }) => ms))}`,
    ...COLLECTIONS.map(([name, kind]) => {
      const times = pauses.get(kind) ?? [];
      return `  ${times.length} collections, ${name}: ${longest(times)}`;
    }),
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}

collector.observe({ entryTypes: ['gc'] });
systemClock.beat(EVERY_MS, beat);
process.on('exit', tell);
