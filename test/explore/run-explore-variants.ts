/**
 * Plays days on conforming variants of the reference service: on each row that holds every answer once, and on random
 * combinations of answers. None of them may find anything.
 *
 *   npm run prove explore-variants [-- OPTIONS]
 *
 *   --random N       how many combinations by chance, 200 by default
 *   --days N         on each of them, 200 by default
 *   --seed N         the first day, 1 by default; each combination has days of its own
 *   --shrinks N      how often a day is played again to make it shorter, 40 by default
 *   --processes N    at the same time, 2 by default
 *   --resume         keeps what an interrupted run has found, and tries the others
 *
 * Prints each finding; its scenario and its combination are in reports/explore-variants.jsonl. Exits 1 when there is one.
 */

import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { createRandom } from '../../src/common/random.ts';
import { orderFrom } from '../support/child-processes.ts';
import { packedRows, randomRow } from '../variants/covering-array.ts';
import { combinationOf, valuesOf } from '../variants/dimension.ts';
import { DIMENSIONS } from '../variants/dimensions/dimensions.ts';
import type { VariantOrder, VariantReply } from './variant-process.ts';

const KEPT = fileURLToPath(new URL('../../reports/explore-variants.jsonl', import.meta.url));

const { values } = parseArgs({
  options: {
    random: { type: 'string', default: '200' },
    days: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    shrinks: { type: 'string', default: '40' },
    processes: { type: 'string', default: '2' },
    resume: { type: 'boolean', default: false },
  },
});
const [days, seed, mostShrinkPlays] = [Number(values.days), Number(values.seed), Number(values.shrinks)];
const sizes = Object.values(DIMENSIONS).map((dimension) => valuesOf(dimension).length);
const chance = createRandom('explore variants');
const rows = [...packedRows(sizes), ...Array.from({ length: Number(values.random) }, () => randomRow(sizes, chance))];
const orders = rows.map((row, index): VariantOrder => {
  const combination = combinationOf(DIMENSIONS, row);
  return { row: index + 1, combination, seed: seed + index * days, days, mostShrinkPlays };
});

const replies = new Map<number, VariantReply>();
mkdirSync(path.dirname(KEPT), { recursive: true });
if (values.resume && existsSync(KEPT)) for (const reply of kept()) replies.set(reply.row, reply);
else rmSync(KEPT, { force: true });

const left = orders.filter(({ row }) => !replies.has(row));
await orderFrom<VariantOrder, VariantReply>({
  module: new URL('variant-process.ts', import.meta.url),
  processes: Number(values.processes),
  next: () => left.shift(),
  took(reply) {
    replies.set(reply.row, reply);
    appendFileSync(KEPT, `${JSON.stringify(reply)}\n`);
    tell(reply);
  },
});
const found = [...replies.values()].filter(({ findings }) => findings.length > 0).length;
const played = [...replies.values()].reduce((sum, reply) => sum + reply.days, 0);
process.stdout.write(`${replies.size} variants, ${played} days, ${found} variants with findings\n`);
process.exitCode = found === 0 ? 0 : 1;

function tell({ row, findings, unplayed, unplayedBecause, days: done }: VariantReply): void {
  const gaps = unplayed === 0 ? '' : `, ${unplayed} not played (${unplayedBecause})`;
  process.stdout.write(`row ${row} of ${rows.length}: ${done} days${gaps}, ${findings.length} findings\n`);
  for (const one of findings) process.stdout.write(`  ${one.message} (day ${one.seed}, ${one.count} days)\n`);
}

function kept(): readonly VariantReply[] {
  const lines = readFileSync(KEPT, 'utf8').trim().split('\n');
  return lines.filter(Boolean).map((line): VariantReply => JSON.parse(line));
}
