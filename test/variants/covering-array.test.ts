/** Rows of a covering array hold what they promise, and a combination shrinks to what brings its alarm. */

import { expect, it } from 'vitest';

import { createRandom } from '../../src/common/random.ts';
import { coveringRows, packedRows, type Row } from './covering-array.ts';
import { combine, valuesOf } from './dimension.ts';
import { DIMENSIONS } from './dimensions/dimensions.ts';
import { shrink } from './shrink.ts';

/** Each pair of columns with their values in a row. */
function pairsOf(row: Row): readonly string[] {
  return row.flatMap((left, a) => row.flatMap((right, b) => (a < b ? [`${a}=${left} ${b}=${right}`] : [])));
}

it.each([
  [[2, 2, 2, 2]],
  [[3, 1, 2, 4, 2]],
  [[5, 5, 5]],
  [Array.from({ length: 40 }, (_, column) => 2 + (column % 3))],
])('holds every pair of values of every two columns of %j', (sizes) => {
  const rows = coveringRows(sizes, createRandom(7));
  const all = sizes.flatMap((left, a) =>
    sizes.flatMap((right, b) =>
      a < b ? Array.from({ length: left * right }, (_, n) => `${a}=${n % left} ${b}=${Math.floor(n / left)}`) : [],
    ),
  );
  expect(new Set(rows.flatMap(pairsOf))).toEqual(new Set(all));
  const [most = 0, second = 0] = sizes.toSorted((left, right) => right - left);
  expect(rows.length).toBeLessThan(most * second * 3);
});

const rowsOf = (seed: number): readonly Row[] => coveringRows([3, 3, 3, 2, 2], createRandom(seed));

it('makes the same rows of the same seed, and others of another', () => {
  expect(rowsOf(1)).toEqual(rowsOf(1));
  expect(rowsOf(1)).not.toEqual(rowsOf(2));
});

it('packs each value but the first once', () => {
  expect(packedRows([3, 2, 1])).toEqual([
    [1, 1, 0],
    [2, 0, 0],
  ]);
});

it('shrinks to the values that bring the alarm together', async () => {
  const whole = { a: '1', b: '1', c: '1', d: '1', e: '1', f: '1', g: '1' };
  expect(await shrink(whole, (one) => Promise.resolve(one['b'] === '1' && one['f'] === '1'))).toEqual({
    b: '1',
    f: '1',
  });
  expect(await shrink(whole, () => Promise.resolve(true))).toEqual({});
});

it('refuses a value that its dimension does not have', () => {
  expect(() => combine(DIMENSIONS, { burst: 'a thousand' })).toThrow('there is no value a thousand of burst');
});

it('has at least 60 dimensions of two to seven values each', () => {
  const counts = Object.values(DIMENSIONS).map((dimension) => valuesOf(dimension).length);
  expect(counts.length).toBeGreaterThanOrEqual(60);
  expect(counts.filter((count) => count < 2 || count > 7)).toEqual([]);
});
