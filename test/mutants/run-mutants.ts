/**
 * Tries every mutant, prints the table and writes it to reports/baseline/mutants.md.
 *
 * Usage: node test/mutants/run-mutants.ts
 * Exits 1 when a mutant survives.
 */

import { writeBaselinePage } from '../support/baseline-page.ts';
import { MUTANT_PAGE, mutantPage, mutantRow } from './mutant-page.ts';
import { ALL_MUTANTS } from './catalogue.ts';
import { tryMutant, type MutantResult } from './try-mutant.ts';

const results: MutantResult[] = [];
for (const mutant of ALL_MUTANTS) {
  const result = await tryMutant(mutant);
  results.push(result);
  process.stdout.write(`${mutantRow(mutant, result).join('  ')}\n`);
}
writeBaselinePage(MUTANT_PAGE, mutantPage(results));
const survivors = results.filter(({ caughtBy }) => caughtBy.length === 0).length;
process.stdout.write(`${results.length} mutants, ${results.length - survivors} caught, ${survivors} survived\n`);
process.exitCode = survivors === 0 ? 0 : 1;
