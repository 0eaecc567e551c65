/**
 * Every fault of a cell is caught by the check of its cell, at its endpoint: by a judgement, never by a block. `npm test`
 * tries some, others for each commit; `npm run test:rest` all, unless `npm run prove cells` has tried them as they are now.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commitSample } from '../../tiers/commit-sample.ts';
import { noteTried, provenKeys } from '../../tiers/proven.ts';
import { TIER } from '../../tiers/tiers.ts';
import { CELL_LIMITS, cellsKey, isOfLimits } from './cell-proof.ts';
import { MATRIX_MUTANTS } from './matrix-mutants.ts';
import { startCellTrial, type CellTrial } from './try-cell.ts';

const LEAST = 250;
const SAMPLE = 100;

const unproven = provenKeys('cells').has(cellsKey()) ? [] : MATRIX_MUTANTS;
let seen = 0;

afterAll(() => {
  if (seen === MATRIX_MUTANTS.length) noteTried('cells', [cellsKey()]);
});
const tried = TIER === 'rest' ? unproven : commitSample('cells', MATRIX_MUTANTS, SAMPLE);

describe.each(CELL_LIMITS.filter((limits) => tried.some((mutant) => isOfLimits(mutant, limits))))(
  'the check of a cell, with limits that are %s,',
  (limits) => {
    let trial: CellTrial;
    beforeAll(async () => {
      trial = await startCellTrial(limits);
    });
    afterAll(() => trial[Symbol.asyncDispose]());

    it.each(tried.filter((mutant) => isOfLimits(mutant, limits)))('$check sees that $name', async (mutant) => {
      expect(await trial.try(mutant)).not.toEqual([]);
      seen++;
    });
  },
);

it(`is tried with more than ${LEAST} faults`, () => {
  expect(MATRIX_MUTANTS.length).toBeGreaterThan(LEAST);
});
