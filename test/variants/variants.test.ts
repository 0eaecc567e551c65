/**
 * Conforming variants pass. Here the fewest that have each answer once, and the committed table of dimensions;
 * `npm run prove variants` tries every pair of answers, and random combinations. `npm test` tries one, another for each
 * commit; `npm run test:all` tries them unless the proof has, as they are now.
 */

import { afterAll, expect, it } from 'vitest';

import { readBaselineRows } from '../support/baseline-page.ts';
import { commitSample } from '../tiers/commit-sample.ts';
import { noteTried, provenKeys } from '../tiers/proven.ts';
import { TIER } from '../tiers/tiers.ts';
import { packedRows } from './covering-array.ts';
import { combinationOf, valuesOf } from './dimension.ts';
import { DIMENSIONS } from './dimensions/dimensions.ts';
import { tryCombination } from './try-combination.ts';
import { VARIANT_PAGE, variantPage } from './variant-page.ts';
import { variantsKey } from './variants-key.ts';

const SAMPLE = 1;

const ALL = packedRows(Object.values(DIMENSIONS).map((dimension) => valuesOf(dimension).length))
  .map((row) => combinationOf(DIMENSIONS, row))
  .map((combination) => ({ count: Object.keys(combination).length, combination }));
const unproven = provenKeys('variants').has(variantsKey()) ? [] : ALL;
let passed = 0;

afterAll(() => {
  if (passed === ALL.length) noteTried('variants', [variantsKey()]);
});

it.each(TIER === 'rest' ? unproven : commitSample('variants', ALL, SAMPLE))(
  'a service passes that answers $count questions differently',
  { timeout: 600_000 },
  async ({ combination }) => {
    const { alarms } = await tryCombination(DIMENSIONS, combination);
    expect(alarms).toEqual([]);
    passed++;
  },
);

it('lists each dimension with its values in the committed table', () => {
  expect(readBaselineRows(VARIANT_PAGE)).toEqual(variantPage([]).rows);
});
