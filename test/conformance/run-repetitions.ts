/**
 * Runs the whole suite on the reference service again and again, each time with another seed: a check that
 * does not pass every time is a flake, and no good.
 *
 * Usage: node test/conformance/run-repetitions.ts [times] [first seed] [minutes at most] [lanes]
 * On a virtual clock, check by check; with `lanes` on a real one, many checks at a time in the lanes of an Integrator
 * Account, and with a second account.
 * Exits 1 when a check did not pass, 2 when the time was over before the last run.
 */

import { availableParallelism, loadavg } from 'node:os';

import { startStopwatch } from '../../src/common/stopwatch.ts';
import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { embeddedTarget } from '../../src/targets/embedded.ts';
import type { Target } from '../../src/targets/target.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';

const [numbers, modes] = [process.argv.slice(2, 5).map(Number), process.argv.slice(5)];
const [times = 50, firstSeed = 1, minutesMost = 30] = numbers;
const isInLanes = modes.includes('lanes');
const GOOD: ReadonlySet<string> = new Set(['pass', 'observed', ...(isInLanes ? ['too-long'] : [])]);
/** As long as a descriptor would declare. */
const WAITS_MS = 60_000;

function startTarget(): Promise<Target> {
  return isInLanes ? embeddedTarget({ clock: 'real' }) : startEmbeddedTarget();
}

const elapsedMs = startStopwatch();
const longestMs: number[] = [];
let flakes = 0;
let runs = 0;
while (runs < times && elapsedMs() < minutesMost * 60_000) {
  const seed = firstSeed + runs++;
  const target = await startTarget();
  const { outcomes, durationMs, leftBehind } = await runConformance({ target: { ...target, waitsMs: WAITS_MS }, seed });
  await target.close();
  longestMs.push(durationMs);
  const bad = outcomes.filter(({ verdict }) => !GOOD.has(verdict));
  flakes += bad.length + leftBehind.length;
  for (const { check, verdict, message } of bad) {
    process.stdout.write(`seed ${seed}: ${check.id} ${verdict}: ${message}\n`);
  }
  for (const line of leftBehind) process.stdout.write(`seed ${seed}: ${line}\n`);
}
const seconds = longestMs.toSorted((left, right) => left - right).map((ms) => (ms / 1_000).toFixed(1));
const [load = 0] = loadavg();
process.stdout.write(
  `${runs} of ${times} runs, ${flakes} flakes; ${seconds[0]} to ${seconds.at(-1)} s each, ` +
    `median ${seconds[Math.floor(seconds.length / 2)]} s; load ${load.toFixed(1)} on ${availableParallelism()} cores\n`,
);
process.exitCode = flakes > 0 ? 1 : runs < times ? 2 : 0;
