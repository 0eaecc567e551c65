/**
 * Runs the whole suite on the reference service again and again, each time with another seed: a check that
 * does not pass every time is a flake, and no good.
 *
 * Usage: node test/conformance/run-repetitions.ts [times] [first seed] [minutes at most]
 * Exits 1 when a check did not pass, 2 when the time was over before the last run.
 */

import { availableParallelism, loadavg } from 'node:os';

import { startStopwatch } from '../../src/common/stopwatch.ts';
import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';

const [times = 50, firstSeed = 1, minutesMost = 30] = process.argv.slice(2).map(Number);
const GOOD: ReadonlySet<string> = new Set(['pass', 'observed']);

const elapsedMs = startStopwatch();
const longestMs: number[] = [];
let flakes = 0;
let runs = 0;
while (runs < times && elapsedMs() < minutesMost * 60_000) {
  const seed = firstSeed + runs++;
  const target = await startEmbeddedTarget();
  const { outcomes, durationMs, leftBehind } = await runConformance({ target, seed });
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
