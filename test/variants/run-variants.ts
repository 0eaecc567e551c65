/**
 * Runs the suite on combinations of values: rows that hold every pair of values of every two dimensions, and then random ones.
 * Prints each alarm with the fewest values that bring it, and writes the table of values to reports/baseline/variants.md.
 *
 * Usage: node test/variants/run-variants.ts [--rows packed|pairs|none] [--random N] [--seed S] [--from ROW] [--checks REGEXP]
 * Exits 1 on a false alarm. With --from or --checks nothing is written. `--rows none --random 0` runs nothing, and
 * writes a page of the present values that says so.
 */

import { parseArgs } from 'node:util';

import { createRandom } from '../../src/common/random.ts';
import { CHECKS } from '../../src/conformance/registry.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { coveringRows, packedRows, randomRow, type Row } from './covering-array.ts';
import { combinationOf, valuesOf, type Combination } from './dimension.ts';
import { DIMENSIONS } from './dimensions/dimensions.ts';
import { shrink } from './shrink.ts';
import { tryCombination, type Alarm } from './try-combination.ts';
import { VARIANT_PAGE, variantPage } from './variant-page.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: 'pairs' },
    random: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string' },
    checks: { type: 'string' },
  },
});
const { from, checks } = values;
const random = createRandom(Number(values.seed));
const sizes = Object.values(DIMENSIONS).map((dimension) => valuesOf(dimension).length);
const SYSTEMATIC: Readonly<Record<string, () => readonly Row[]>> = {
  packed: () => packedRows(sizes),
  pairs: () => coveringRows(sizes, random.stream('pairs')),
  none: () => [],
};
const systematic = SYSTEMATIC[values.rows];
if (!systematic) throw new Error(`--rows is packed, pairs or none, not ${values.rows}`);
const chance = random.stream('random');
const systematicRows = systematic();
const randomRows = Array.from({ length: Number(values.random) }, () => randomRow(sizes, chance));
const rows = [...systematicRows, ...randomRows];
const ids = checks === undefined ? undefined : CHECKS.map(({ id }) => id).filter((id) => new RegExp(checks).test(id));

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
const alarmed = new Set<Row>();
for (const [index, row] of rows.entries()) {
  if (index + 1 < Number(from ?? 1)) continue;
  const combination = combinationOf(DIMENSIONS, row);
  const { alarms, undecided } = await tryCombination(DIMENSIONS, combination, ids);
  process.stdout.write(`row ${index + 1} of ${rows.length}: ${alarms.length} alarms, ${undecided.length} not judged\n`);
  if (alarms.length > 0) alarmed.add(row);
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

const tried = (kind: string, all: readonly Row[]) => ({
  kind,
  count: all.length,
  alarmed: all.filter((row) => alarmed.has(row)).length,
});
if (from === undefined && checks === undefined) {
  const page = variantPage([
    tried('rows with each value once', values.rows === 'packed' ? systematicRows : []),
    tried('rows with each pair of values', values.rows === 'pairs' ? systematicRows : []),
    tried(`random combinations of seed ${values.seed}`, randomRows),
  ]);
  writeBaselinePage(VARIANT_PAGE, page);
}
process.stdout.write(`${rows.length} combinations, ${alarmed.size} alarmed\n`);
process.exitCode = alarmed.size === 0 ? 0 : 1;
