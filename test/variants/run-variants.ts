/**
 * Runs the whole suite on every variant, prints the table and writes it to reports/baseline/variants.md.
 *
 * Usage: node test/variants/run-variants.ts [--grep ID]
 * Exits 1 on a false alarm. With --grep nothing is written.
 */

import { parseArgs } from 'node:util';

import { writeBaselinePage } from '../support/baseline-page.ts';
import { tryVariant, type VariantResult } from './try-variant.ts';
import { VARIANT_PAGE, variantPage, variantRow } from './variant-page.ts';
import { VARIANTS } from './variants.ts';

const { values } = parseArgs({ options: { grep: { type: 'string' } } });
const { grep } = values;

const results: VariantResult[] = [];
const chosen = VARIANTS.filter(({ id }) => grep === undefined || new RegExp(grep).test(id));
for (const variant of chosen) {
  const result = await tryVariant(variant);
  results.push(result);
  process.stdout.write(`${variantRow(variant, result).join('  ')}\n`);
  for (const alarm of result.alarms) process.stdout.write(`    ${alarm}\n`);
}
if (grep === undefined) writeBaselinePage(VARIANT_PAGE, variantPage(results));
const alarmed = results.filter(({ alarms }) => alarms.length > 0).length;
process.stdout.write(`${results.length} variants, ${results.length - alarmed} pass, ${alarmed} alarmed\n`);
process.exitCode = results.length > 0 && alarmed === 0 ? 0 : 1;
