/**
 * Tries every mutant, prints the table and writes it to reports/baseline/mutants.md, and to tiers/proven what need not be
 * tried again as long as nothing that matters changes.
 *
 * Usage: node test/mutants/run-mutants.ts [--clause PATTERN] [--processes N]
 * With --clause only the mutants of clauses that match, and nothing is written. Exits 1 when a mutant survives.
 */

import { parseArgs } from 'node:util';

import { writeBaselinePage } from '../support/baseline-page.ts';
import { orderFrom } from '../support/child-processes.ts';
import { noteProven } from '../tiers/proven.ts';
import { ALL_MUTANTS } from './catalogue.ts';
import { mutantKeys } from './mutant-key.ts';
import { MUTANT_PAGE, mutantId, mutantPage, mutantRow, mutantWithId } from './mutant-page.ts';
import type { MutantOrder } from './mutant-process.ts';
import type { Mutant } from './mutant.ts';
import type { MutantResult } from './try-mutant.ts';

const { values } = parseArgs({
  options: { clause: { type: 'string' }, processes: { type: 'string', default: '2' } },
});
const wanted = new RegExp(values.clause ?? '');

const chosen = ALL_MUTANTS.filter(({ clause }) => wanted.test(clause));
const results = new Map<Mutant, MutantResult>();
const left = chosen.map((mutant) => ({ id: mutantId(mutant) }));
await orderFrom<MutantOrder, MutantResult>({
  module: new URL('mutant-process.ts', import.meta.url),
  processes: Number(values.processes),
  next: () => left.shift(),
  took(result, { id }) {
    const mutant = mutantWithId(id);
    results.set(mutant, result);
    process.stdout.write(`${mutantRow(mutant, result).join('  ')}\n`);
  },
});
if (values.clause === undefined) {
  writeBaselinePage(MUTANT_PAGE, mutantPage(results));
  const keys = await mutantKeys(ALL_MUTANTS);
  const survived = ALL_MUTANTS.filter((mutant) => results.get(mutant)?.caughtBy.length === 0);
  const without = new Set(survived.map((mutant) => keys.get(mutant)));
  noteProven('mutants', new Set([...keys.values()].filter((key) => !without.has(key))));
}
const survivors = [...results.values()].filter(({ caughtBy }) => caughtBy.length === 0).length;
process.stdout.write(`${results.size} mutants, ${results.size - survivors} caught, ${survivors} survived\n`);
process.exitCode = survivors === 0 ? 0 : 1;
