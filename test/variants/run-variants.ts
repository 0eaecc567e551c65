/**
 * Runs the suite on combinations of values: rows that hold every pair of values of every two dimensions, and then random ones.
 * Prints each alarm with the fewest values that bring it, and writes the table of values to reports/baseline/variants.md.
 *
 * Usage: node test/variants/run-variants.ts [--rows packed|pairs|none] [--random N] [--seed S] [--checks REGEXP]
 *        [--processes N] [--resume]
 * Exits 1 on a false alarm. With --checks nothing is written. `--rows none --random 0` runs nothing, and writes a page
 * of the present values that says so. Ctrl-C ends it after the rows that are under way, and the page tells how many were
 * run; --resume keeps those that passed in an interrupted run (reports/variants.jsonl has them), and runs the others.
 */

import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { createRandom } from '../../src/common/random.ts';
import { CHECKS } from '../../src/conformance/registry.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { orderFrom } from '../support/child-processes.ts';
import { coveringRows, packedRows, randomRow, type Row } from './covering-array.ts';
import type { CombinationOrder, CombinationReply, Reason } from './combination-process.ts';
import { combinationOf, valuesOf, type Combination } from './dimension.ts';
import { DIMENSIONS } from './dimensions/dimensions.ts';
import { noteProven } from '../tiers/proven.ts';
import { VARIANT_PAGE, variantPage } from './variant-page.ts';
import { variantsKey } from './variants-key.ts';

const KEPT = fileURLToPath(new URL('../../reports/variants.jsonl', import.meta.url));

/** What was found on one row. */
interface Kept {
  readonly combination: Combination;
  readonly alarms: number;
}

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: 'pairs' },
    random: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    checks: { type: 'string' },
    processes: { type: 'string', default: '2' },
    resume: { type: 'boolean', default: false },
  },
});
const { checks, resume } = values;
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

const known: Reason[] = [];
const passed = resume ? passedBefore() : new Set<string>();
const run = new Set(rows.filter((row) => passed.has(keyOf(combinationOf(DIMENSIONS, row)))));
const alarmed = new Set<Row>();
const left = [...rows.entries()].filter(([, row]) => !run.has(row));
if (checks === undefined && !resume) rmSync(KEPT, { force: true });
process.once('SIGINT', () => left.splice(0));
await orderFrom<CombinationOrder, CombinationReply>({
  module: new URL('combination-process.ts', import.meta.url),
  processes: Number(values.processes),
  next() {
    const numbered = left.shift();
    if (!numbered) return undefined;
    const [index, row] = numbered;
    return { row: index + 1, combination: combinationOf(DIMENSIONS, row), ids, known };
  },
  took({ alarms, undecided, unknown }, { row, combination }) {
    process.stdout.write(`row ${row} of ${rows.length}: ${alarms} alarms, ${undecided} not judged\n`);
    const tried = rows[row - 1];
    if (tried) run.add(tried);
    if (tried && alarms > 0) alarmed.add(tried);
    if (checks === undefined) keep({ combination, alarms });
    for (const { alarm, reason } of unknown) {
      known.push(reason);
      const shown = Object.entries(reason.values).map(([id, value]) => `${id}: ${value}`);
      process.stdout.write(`  ${alarm.verdict} ${alarm.check}\n    because of ${shown.join(' + ') || 'nothing'}\n`);
      for (const line of alarm.lines.slice(0, 4)) process.stdout.write(`    ${line.slice(0, 400)}\n`);
    }
  },
});

const tried = (kind: string, all: readonly Row[]) => ({
  kind,
  count: all.filter((row) => run.has(row)).length,
  alarmed: all.filter((row) => alarmed.has(row)).length,
});
if (checks === undefined) {
  const page = variantPage([
    tried('rows with each value once', values.rows === 'packed' ? systematicRows : []),
    tried('rows with each pair of values', values.rows === 'pairs' ? systematicRows : []),
    tried(`random combinations of seed ${values.seed}`, randomRows),
  ]);
  writeBaselinePage(VARIANT_PAGE, page);
  if (values.rows !== 'none' && run.size === rows.length && alarmed.size === 0) noteProven('variants', [variantsKey()]);
}
process.stdout.write(`${run.size} of ${rows.length} combinations, ${alarmed.size} alarmed\n`);
process.exitCode = alarmed.size === 0 ? 0 : 1;

function keep(result: Kept): void {
  mkdirSync(path.dirname(KEPT), { recursive: true });
  appendFileSync(KEPT, `${JSON.stringify(result)}\n`);
}

function passedBefore(): ReadonlySet<string> {
  if (!existsSync(KEPT)) return new Set();
  const lines = readFileSync(KEPT, 'utf8').trim().split('\n').filter(Boolean);
  const results = lines.map((line): Kept => JSON.parse(line));
  return new Set(results.flatMap(({ combination, alarms }) => (alarms === 0 ? [keyOf(combination)] : [])));
}

/** The same for the same answers, whatever rows there are. */
function keyOf(combination: Combination): string {
  return JSON.stringify(combination);
}
