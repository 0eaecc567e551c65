/**
 * Lets explore loose on the mutants of what changes over time, each until the first finding, and
 * writes what it found, and how soon, to reports/baseline/explore-catch.md.
 *
 *   npm run prove explore [-- OPTIONS]
 *
 *   --grep REGEXP    only mutants whose id or name matches; nothing is written
 *   --sample N       N of them by chance
 *   --limit 60s      of processor time for each mutant
 *   --seed N         the first day, 1 by default
 *   --shrinks N      how often a day is played again to make it shorter, 150 by default
 *   --processes N    at the same time, 2 by default
 *   --resume         keeps what an interrupted run has found, and tries the others
 *
 * Exits 1 when fewer than nine of ten are found. Mutants of what a service only may do, which explore does not judge,
 * are left out.
 */

import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { durationMs, formatDuration } from '../../src/common/duration.ts';
import { createRandom } from '../../src/common/random.ts';
import { levelOf } from '../../src/conformance/verdict/levels.ts';
import { ALL_MUTANTS } from '../mutants/catalogue.ts';
import type { Mutant } from '../mutants/mutant.ts';
import { mutantId } from '../mutants/mutant-page.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { orderFrom } from '../support/child-processes.ts';
import type { TrialOrder, TrialReply } from './trial-process.ts';

/** Delivery, states, expiry, idempotency, cancelling, events and webhooks, scales, accounts. */
const OVER_TIME =
  /^(print-jobs\/(?!created-as-form|content-type|body-|only|options)|states\/(?!field-)|events\/|webhooks\/(?!field-)|scales\/(?!field-|websocket)|accounts\/(state|tag|api-key|delete|update)|limits\/(idempotency|webhook|scale|expire))/;
const BAR = 0.9;
const KEPT = fileURLToPath(new URL('../../reports/explore-catch.jsonl', import.meta.url));

const { values } = parseArgs({
  options: {
    grep: { type: 'string', default: '' },
    sample: { type: 'string' },
    limit: { type: 'string', default: '60s' },
    seed: { type: 'string', default: '1' },
    shrinks: { type: 'string', default: '150' },
    processes: { type: 'string', default: '2' },
    resume: { type: 'boolean', default: false },
  },
});
/** In an order by chance, those that were tried stand for all. */
const isFair = values.grep === '';
const wanted = new RegExp(values.grep);
const all = inChanceOrder(ALL_MUTANTS.filter(isOverTime));
const chosen = all
  .filter((mutant) => wanted.test(mutantId(mutant)) || wanted.test(mutant.name))
  .slice(0, Number(values.sample ?? Infinity));
const trials = new Map<string, TrialReply>();
if (values.resume && existsSync(KEPT)) for (const trial of kept()) trials.set(trial.id, trial);
else if (isFair) rmSync(KEPT, { force: true });

const left = chosen.map(mutantId).filter((id) => !trials.has(id));
await orderFrom<TrialOrder, TrialReply>({
  module: new URL('trial-process.ts', import.meta.url),
  processes: Number(values.processes),
  next() {
    const id = left.shift();
    const { seed, limit, shrinks } = values;
    return id === undefined
      ? undefined
      : { id, seed: Number(seed), limitMs: durationMs(limit), mostShrinkPlays: Number(shrinks) };
  },
  took(trial) {
    trials.set(trial.id, trial);
    if (isFair) {
      appendFileSync(KEPT, `${JSON.stringify(trial)}\n`);
      writePage();
    }
    process.stdout.write(`${trials.size}/${chosen.length}  ${rowOf(trial).join('  ')}\n`);
  },
});
process.stdout.write(`${summaryOf()}\n`);
process.exitCode = tried().filter(({ found }) => found).length >= chosen.length * BAR ? 0 : 1;

function tried(): readonly TrialReply[] {
  return chosen.flatMap((mutant) => trials.get(mutantId(mutant)) ?? []);
}

function kept(): readonly TrialReply[] {
  const lines = readFileSync(KEPT, 'utf8').trim().split('\n');
  return lines.filter(Boolean).map((line): TrialReply => JSON.parse(line));
}

function inChanceOrder(mutants: readonly Mutant[]): readonly Mutant[] {
  const chance = createRandom('explore');
  const places = new Map(mutants.map((mutant) => [mutant, chance.stream(mutantId(mutant)).fraction()]));
  return mutants.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
}

function summaryOf(): string {
  const found = tried().flatMap((trial) => trial.found ?? []);
  const times = found.map(({ afterMs }) => afterMs).toSorted((one, other) => one - other);
  const steps = found.map((one) => one.steps).toSorted((one, other) => one - other);
  const share = Math.round((1_000 * found.length) / Math.max(1, trials.size)) / 10;
  return (
    `${trials.size} of ${all.length} tried, by chance: ${found.length} found (${share} %) within ${values.limit} of processor time each, after ` +
    `${formatDuration(times[times.length >> 1] ?? 0)} at the median. The scenarios have ` +
    `${steps[steps.length >> 1] ?? 0} steps at the median and ${steps.at(-1) ?? 0} at most; ` +
    `${found.filter(({ isShown }) => isShown).length} of them fail on their mutant in the same way and pass on the ` +
    'sound service.'
  );
}

function writePage(): void {
  writeBaselinePage('explore-catch.md', {
    title: 'What explore finds blind',
    command: 'npm run prove explore',
    about:
      'Mutants of what changes over time (delivery, states, expiry, idempotency, cancelling, events and webhooks, ' +
      'scales, accounts, by the ids of their clauses), and what exploring found of each with no word of what is ' +
      `broken. ${summaryOf()}`,
    columns: ['id', 'what', 'found as', 'after', 'days', 'steps', 'shown'],
    rows: tried()
      .map(rowOf)
      .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
  });
}

function isOverTime({ clause }: Mutant): boolean {
  return OVER_TIME.test(clause) && levelOf(clause) !== 'observed';
}

function rowOf({ id, days, found }: TrialReply): readonly string[] {
  const what = ALL_MUTANTS.find((mutant) => mutantId(mutant) === id)?.name ?? '';
  const [as, after, steps] = found
    ? [`\`${found.signature}\``, formatDuration(found.afterMs), String(found.steps)]
    : ['**not found**', '', ''];
  return [`\`${id}\``, what, as, after, String(days), steps, found ? (found.isShown ? 'yes' : '**no**') : ''];
}
