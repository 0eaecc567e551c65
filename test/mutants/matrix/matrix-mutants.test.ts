/**
 * Every fault of a cell is caught by the check of its cell, at its endpoint: by a judgement, never by a block.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { MATRIX_MUTANTS } from './matrix-mutants.ts';
import { startCellTrial, type CellTrial } from './try-cell.ts';

const LEAST = 250;

describe.each(['off', 'spec'] as const)('the check of a cell, with limits that are %s,', (limits) => {
  let trial: CellTrial;
  beforeAll(async () => {
    trial = await startCellTrial(limits);
  });
  afterAll(() => trial[Symbol.asyncDispose]());

  const ofRate = limits === 'spec';
  const mutants = MATRIX_MUTANTS.filter(({ check }) => (check === 'matrix/request-rate') === ofRate);

  it.each(mutants)('$check sees that $name', async (mutant) => {
    expect(await trial.try(mutant)).not.toEqual([]);
  });
});

it(`is tried with more than ${LEAST} faults`, () => {
  expect(MATRIX_MUTANTS.length).toBeGreaterThan(LEAST);
});
