/**
 * Tries every mutant, prints the table and writes it to reports/baseline/mutants.md.
 *
 * Usage: node test/mutants/run-mutants.ts [--clause PATTERN]
 * With --clause only the mutants of clauses that match, and nothing is written. Exits 1 when a mutant survives.
 */

import { parseArgs } from 'node:util';

import { writeBaselinePage } from '../support/baseline-page.ts';
import { MUTANT_PAGE, mutantPage, mutantRow } from './mutant-page.ts';
import { ALL_MUTANTS } from './catalogue.ts';
import { tryMutant, type MutantResult } from './try-mutant.ts';

const { values } = parseArgs({ options: { clause: { type: 'string' } } });
const wanted = new RegExp(values.clause ?? '');

const results: MutantResult[] = [];
for (const mutant of ALL_MUTANTS.filter(({ clause }) => wanted.test(clause))) {
  const result = await tryMutant(mutant);
  results.push(result);
  process.stdout.write(`${mutantRow(mutant, result).join('  ')}\n`);
}
if (values.clause === undefined) writeBaselinePage(MUTANT_PAGE, mutantPage(results));
const survivors = results.filter(({ caughtBy }) => caughtBy.length === 0).length;
process.stdout.write(`${results.length} mutants, ${results.length - survivors} caught, ${survivors} survived\n`);
process.exitCode = survivors === 0 ? 0 : 1;
