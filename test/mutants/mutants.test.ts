/**
 * Every mutant is caught by a check of the clause that it breaks, and that check names the clause.
 */

import { describe, expect, it } from 'vitest';

import { levelOf } from '../../src/conformance/verdict/levels.ts';
import { readBaselineRows } from '../support/baseline-page.ts';
import { ALL_MUTANTS } from './catalogue.ts';
import { MUTANT_PAGE, mutantId, mutantRow } from './mutant-page.ts';
import { tryMutant } from './try-mutant.ts';

const committed = readBaselineRows(MUTANT_PAGE);

describe('the check of a broken clause', () => {
  it.each(ALL_MUTANTS)('catches: $name ($clause)', async (mutant) => {
    const result = await tryMutant(mutant);
    expect(result.caughtBy).not.toEqual([]);
    // Less than a must warns, and leaves the exit code to what else the checks of its clause judge.
    expect(levelOf(mutant.clause) === 'must' ? [1] : [0, 1, 2]).toContain(result.exitCode);
    const row = mutantRow(mutant, result);
    expect(committed, 'npm run prove mutants writes the page').toContainEqual(row);
  });
});

it('lists each mutant once in the committed table, and nothing else', () => {
  expect(committed.map(([id]) => id)).toEqual(ALL_MUTANTS.map((mutant) => `\`${mutantId(mutant)}\``));
});
