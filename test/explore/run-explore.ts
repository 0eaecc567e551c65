/**
 * Lets explore loose on every mutant of what changes over time, and writes what it found, and how soon, to
 * reports/baseline/explore.md.
 *
 *   npm run prove explore [-- --step 10]      --step 10 tries one mutant in ten, and writes nothing
 *
 * Exits 1 when fewer than nine of ten are found within a minute each.
 */

import { parseArgs } from 'node:util';

import { formatDuration } from '../../src/common/duration.ts';
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

const { values } = parseArgs({ options: { step: { type: 'string', default: '1' } } });
const chosen = ALL_MUTANTS.filter(isOverTime).filter((_, index) => index % Number(values.step) === 0);
const trials: BlindTrial[] = [];
for (const mutant of chosen) {
  const trial = await tryBlind(mutant, { seed: 1, limitMs: LIMIT_MS, mostShrinkPlays: SHRINK_PLAYS });
  trials.push(trial);
  process.stdout.write(`${rowOf(trial).join('  ')}\n`);
}
const found = trials.filter(({ finding }) => finding !== undefined);
const times = found.map(({ foundMs = 0 }) => foundMs).toSorted((one, other) => one - other);
const steps = found.map(({ finding }) => finding?.day.steps.length ?? 0).toSorted((one, other) => one - other);
const summary =
  `${found.length} of ${trials.length} found; median ${formatDuration(Math.round(times[times.length >> 1] ?? 0))}, ` +
  `${steps[steps.length >> 1] ?? 0} steps at the median, ${steps.at(-1) ?? 0} at most.`;
process.stdout.write(`${summary}\n`);
if (Number(values.step) === 1) {
  writeBaselinePage('explore.md', {
    title: 'Explore',
    command: 'npm run prove explore',
    about: `Mutants of what changes over time, and what exploring found within a minute each, blind. ${summary}`,
    columns: ['id', 'what', 'found as', 'after', 'days', 'steps'],
    rows: trials.map(rowOf),
  });
}
process.exitCode = found.length >= trials.length * BAR ? 0 : 1;

function isOverTime({ clause }: Mutant): boolean {
  return OVER_TIME.test(clause);
}

function rowOf({ mutant, finding, days, foundMs }: BlindTrial): readonly string[] {
  const after = foundMs === undefined ? '' : formatDuration(Math.round(foundMs));
  const as = finding === undefined ? '**not found**' : `\`${finding.signature}\``;
  return [`\`${mutantId(mutant)}\``, mutant.name, as, after, String(days), String(finding?.day.steps.length ?? '')];
}
