/** The table of all mutants, as it is committed. */

import type { BaselinePage } from '../support/baseline-page.ts';
import { ALL_MUTANTS } from './catalogue.ts';
import type { Mutant } from './mutant.ts';
import type { MutantResult } from './try-mutant.ts';

export const MUTANT_PAGE = 'mutants.md';

export function mutantPage(results: ReadonlyMap<Mutant, MutantResult>): BaselinePage {
  return {
    title: 'Mutants',
    command: 'npm run prove mutants',
    about: 'The reference service with one clause broken each time, and the checks that failed and named the clause.',
    columns: ['id', 'clause', 'what', 'caught by'],
    rows: ALL_MUTANTS.map((mutant) => mutantRow(mutant, results.get(mutant))),
  };
}

export function mutantRow(mutant: Mutant, result: MutantResult | undefined): readonly string[] {
  const caughtBy = result?.caughtBy.map((id) => `\`${id}\``).join(', ') || '**survived**';
  return [`\`${mutantId(mutant)}\``, `\`${mutant.clause}\``, mutant.name, caughtBy];
}

/** The clause and the how-maniest mutant of it: stays what it is when others are added. */
export function mutantId(mutant: Mutant): string {
  const ofClause = ALL_MUTANTS.filter(({ clause }) => clause === mutant.clause);
  return `${mutant.clause}#${ofClause.indexOf(mutant) + 1}`;
}

/** @throws Error when there is no such mutant */
export function mutantWithId(id: string): Mutant {
  const mutant = ALL_MUTANTS.find((one) => mutantId(one) === id);
  if (!mutant) throw new Error(`there is no mutant ${id}`);
  return mutant;
}
