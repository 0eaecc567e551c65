/**
 * Every mutant is caught by a check of the clause that it breaks, and that check names the clause. `npm test` tries some,
 * others for each commit; `npm run test:all` those that the proof has not tried as they are now.
 */

import { afterAll, expect, it } from 'vitest';

import { levelOf } from '../../src/conformance/verdict/levels.ts';
import { readBaselineRows } from '../support/baseline-page.ts';
import { commitSample } from '../tiers/commit-sample.ts';
import { noteTried, provenKeys } from '../tiers/proven.ts';
import { TIER } from '../tiers/tiers.ts';
import { ALL_MUTANTS } from './catalogue.ts';
import { mutantKeys } from './mutant-key.ts';
import { MUTANT_PAGE, mutantId, mutantRow } from './mutant-page.ts';
import { tryMutant } from './try-mutant.ts';

/** Tried in a minute. */
const SAMPLE = 40;

const committed = readBaselineRows(MUTANT_PAGE);
const keys = await mutantKeys(ALL_MUTANTS);
const proven = provenKeys('mutants');
const unproven = ALL_MUTANTS.filter((mutant) => !proven.has(keys.get(mutant) ?? ''));
const caught = new Set(ALL_MUTANTS.filter((mutant) => !unproven.includes(mutant)));

afterAll(() => noteTried('mutants', new Set([...caught].map((mutant) => keys.get(mutant) ?? ''))));

it.each(TIER === 'rest' ? unproven : commitSample('mutants', ALL_MUTANTS, SAMPLE))(
  'the check of a broken clause catches: $name ($clause)',
  async (mutant) => {
    const result = await tryMutant(mutant);
    expect(result.caughtBy).not.toEqual([]);
    // Less than a must warns, and leaves the exit code to what else the checks of its clause judge.
    expect(levelOf(mutant.clause) === 'must' ? [1] : [0, 1, 2]).toContain(result.exitCode);
    const row = mutantRow(mutant, result);
    expect(committed, 'npm run prove mutants writes the page').toContainEqual(row);
    caught.add(mutant);
  },
);

it('lists each mutant once in the committed table, and nothing else', () => {
  expect(committed.map(([id]) => id)).toEqual(ALL_MUTANTS.map((mutant) => `\`${mutantId(mutant)}\``));
});
