import { expect, it } from 'vitest';

import { gramsOf } from '../../../../src/workbench/library/weight.ts';

it.each([
  [250, 250],
  ['250 g', 250],
  ['250g', 250],
  ['1.5 kg', 1_500],
  ['500 mg', 0.5],
  ['1 lb', 453.59237],
  ['2 lb 3 oz', 992.233309375],
  [' 0 g ', 0],
])('reads %s as %d grams', (weight, grams) => {
  expect(gramsOf(weight)).toBeCloseTo(grams, 6);
});

it.each(['', 'heavy', '250', '-1 g', '1 stone', '1 g and more', '1 kg 2'])('takes no %s', (weight) => {
  expect(() => gramsOf(weight)).toThrow(`'${weight}' is not a weight`);
});
