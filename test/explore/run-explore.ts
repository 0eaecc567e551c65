/**
 * Lets explore loose on the mutants of what changes over time, in an order by chance, and writes what it found, and how
 * soon, to reports/baseline/explore-catch.md. The page says how many of them were tried.
 *
 *   npm run prove explore [-- --for 30m]      --for begins no new mutant after this time
 *
 * Exits 1 when fewer than nine of ten are found within a minute each of processor time. Mutants of what a service only
 * may do, which explore does not judge, are left out.
 */

import { parseArgs } from 'node:util';

import { durationMs, formatDuration } from '../../src/common/duration.ts';
import { createRandom } from '../../src/common/random.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { levelOf } from '../../src/conformance/verdict/levels.ts';
import { ALL_MUTANTS } from '../mutants/catalogue.ts';
import type { Mutant } from '../mutants/mutant.ts';
import { mutantId } from '../mutants/mutant-page.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { tryBlind, type BlindTrial } from './try-mutant-blind.ts';

/** Delivery, states, expiry, idempotency, cancelling, events and webhooks, scales, accounts. */
const OVER_TIME =
  /^(print-jobs\/(?!created-as-form|content-type|body-|only|options)|states\/(?!field-)|events\/|webhooks\/(?!field-)|scales\/(?!field-|websocket)|accounts\/(state|tag|api-key|delete|update)|limits\/(idempotency|webhook|scale|expire))/;
const LIMIT_MS = 60_000;
const SHRINK_PLAYS = 150;
const BAR = 0.9;

const { values } = parseArgs({ options: { for: { type: 'string', default: '1d' } } });
const stopwatch = startStopwatch();
const all = inChanceOrder(ALL_MUTANTS.filter(isOverTime));
const trials: BlindTrial[] = [];
for (const mutant of all) {
  if (stopwatch() > durationMs(values.for)) break;
  const trial = await tryBlind(mutant, { seed: 1, limitMs: LIMIT_MS, mostShrinkPlays: SHRINK_PLAYS });
  trials.push(trial);
  process.stdout.write(`${rowOf(trial).join('  ')}\n`);
  writePage();
}
process.stdout.write(`${summaryOf()}\n`);
const caught = trials.filter(({ finding }) => finding !== undefined);
process.exitCode = caught.length >= trials.length * BAR ? 0 : 1;

function inChanceOrder(mutants: readonly Mutant[]): readonly Mutant[] {
  const chance = createRandom('explore');
  const places = new Map(mutants.map((mutant) => [mutant, chance.stream(mutantId(mutant)).fraction()]));
  return mutants.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
}

function summaryOf(): string {
  const found = trials.filter(({ finding }) => finding !== undefined);
  const times = found.map(({ foundMs = 0 }) => foundMs).toSorted((one, other) => one - other);
  const steps = found.map(({ finding }) => finding?.day.steps.length ?? 0).toSorted((one, other) => one - other);
  return (
    `${trials.length} of ${all.length} tried, in an order by chance; ${found.length} of them found; median ` +
    `${formatDuration(Math.round(times[times.length >> 1] ?? 0))}, ${steps[steps.length >> 1] ?? 0} steps at the ` +
    `median, ${steps.at(-1) ?? 0} at most.`
  );
}

function writePage(): void {
  writeBaselinePage('explore-catch.md', {
    title: 'What explore finds blind',
    command: 'npm run prove explore',
    about: `Mutants of what changes over time, and what exploring found within a minute of processor time each, with no word of what is broken. ${summaryOf()}`,
    columns: ['id', 'what', 'found as', 'after', 'days', 'steps'],
    rows: trials.map(rowOf).toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
  });
}

function isOverTime({ clause }: Mutant): boolean {
  return OVER_TIME.test(clause) && levelOf(clause) !== 'observed';
}

function rowOf({ mutant, finding, days, foundMs }: BlindTrial): readonly string[] {
  const after = foundMs === undefined ? '' : formatDuration(Math.round(foundMs));
  const as = finding === undefined ? '**not found**' : `\`${finding.signature}\``;
  return [`\`${mutantId(mutant)}\``, mutant.name, as, after, String(days), String(finding?.day.steps.length ?? '')];
}
