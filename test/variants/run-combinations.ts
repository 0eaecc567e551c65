/**
 * Runs the suite on combinations of values: rows that hold every pair of values of every two dimensions, and then random ones.
 * Prints each alarm with the fewest values that bring it, and writes the table of values to reports/baseline/variants.md.
 *
 * Usage: node test/variants/run-combinations.ts [--rows packed|pairs|none] [--random N] [--seed S] [--from ROW] [--checks REGEXP]
 * Exits 1 on a false alarm. Nothing is written unless all pairs were run with all checks.
 */

import { parseArgs } from 'node:util';

import { createRandom } from '../../src/common/random.ts';
import { CHECKS } from '../../src/conformance/registry.ts';
import { coveringRows, packedRows, randomRow, type Row } from './covering-array.ts';
import { valuesOf, type Combination } from './dimension.ts';
import { DIMENSIONS } from './dimensions/dimensions.ts';
import { shrink } from './shrink.ts';
import { tryCombination, type Alarm } from './try-combination.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: 'pairs' },
    random: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '1' },
    checks: { type: 'string' },
  },
});
const random = createRandom(Number(values.seed));
const sizes = Object.values(DIMENSIONS).map((dimension) => valuesOf(dimension).length);
const systematic: Readonly<Record<string, () => readonly Row[]>> = {
  packed: () => packedRows(sizes),
  pairs: () => coveringRows(sizes, random.stream('pairs')),
  none: () => [],
};
const chance = random.stream('random');
const rows = [
  ...(systematic[values.rows]?.() ?? []),
  ...Array.from({ length: Number(values.random) }, () => randomRow(sizes, chance)),
];
const only = values.checks;
const ids = only === undefined ? undefined : CHECKS.map(({ id }) => id).filter((id) => new RegExp(only).test(id));

function combinationOf(row: Row): Combination {
  return Object.fromEntries(
    Object.entries(DIMENSIONS).flatMap(([id, dimension], column) => {
      const value = row[column] ?? 0;
      return value === 0 ? [] : [[id, valuesOf(dimension)[value] ?? '']];
    }),
  );
}

/** The fewest values that bring the alarm, tried with its check alone where that is enough. */
async function reasonOf(combination: Combination, { check }: Alarm): Promise<Combination> {
  const isAlarmed = async (one: Combination, ids?: readonly string[]): Promise<boolean> =>
    (await tryCombination(DIMENSIONS, one, ids)).alarms.some((alarm) => alarm.check === check);
  const alone = [check];
  const isEnough = await isAlarmed(combination, alone);
  return shrink(combination, (one) => isAlarmed(one, isEnough ? alone : undefined));
}

/** What brought each alarm so far, so that it is looked for once. */
const known: { readonly check: string; readonly reason: Combination }[] = [];
let alarmed = 0;
for (const [index, row] of rows.entries()) {
  if (index + 1 < Number(values.from)) continue;
  const combination = combinationOf(row);
  const { alarms, undecided } = await tryCombination(DIMENSIONS, combination, ids);
  process.stdout.write(`row ${index + 1} of ${rows.length}: ${alarms.length} alarms, ${undecided.length} not judged\n`);
  if (alarms.length > 0) alarmed++;
  for (const alarm of alarms) {
    const isKnown = known.some(
      ({ check, reason }) =>
        check === alarm.check && Object.entries(reason).every(([id, value]) => combination[id] === value),
    );
    if (isKnown) continue;
    const reason = await reasonOf(combination, alarm);
    known.push({ check: alarm.check, reason });
    const shown = Object.entries(reason).map(([id, value]) => `${id}: ${value}`);
    process.stdout.write(`  ${alarm.verdict} ${alarm.check}\n    because of ${shown.join(' + ') || 'nothing'}\n`);
    for (const line of alarm.lines.slice(0, 4)) process.stdout.write(`    ${line.slice(0, 400)}\n`);
  }
}
process.stdout.write(`${rows.length} combinations, ${alarmed} alarmed\n`);
process.exitCode = alarmed === 0 ? 0 : 1;
