/**
 * Conforming variants pass. Here the fewest that have each answer once, and the committed table of dimensions;
 * `npm run prove variants` tries every pair of answers, and random combinations.
 */

import { describe, expect, it } from 'vitest';

import { readBaselineRows } from '../support/baseline-page.ts';
import { packedRows } from './covering-array.ts';
import { combinationOf, valuesOf } from './dimension.ts';
import { DIMENSIONS } from './dimensions/dimensions.ts';
import { tryCombination } from './try-combination.ts';
import { VARIANT_PAGE, variantPage } from './variant-page.ts';

const COMBINATIONS = packedRows(Object.values(DIMENSIONS).map((dimension) => valuesOf(dimension).length))
  .map((row) => combinationOf(DIMENSIONS, row))
  .map((combination) => ({ count: Object.keys(combination).length, combination }));

describe('a service passes', () => {
  it.each(COMBINATIONS)('that answers $count questions differently', { timeout: 600_000 }, async ({ combination }) => {
    const { alarms } = await tryCombination(DIMENSIONS, combination);
    expect(alarms).toEqual([]);
  });
});

it('lists each dimension with its values in the committed table', () => {
  expect(readBaselineRows(VARIANT_PAGE)).toEqual(variantPage([]).rows);
});
