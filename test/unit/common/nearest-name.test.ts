import { expect, it } from 'vitest';

import { nearestName } from '../../../src/common/nearest-name.ts';

const NAMES = ['printer', 'printouts', 'within', 'Laser'];

it.each([
  ['printre', 'printer', 'two letters swapped'],
  ['pinter', 'printer', 'one left out'],
  ['laser', 'Laser', 'another case'],
  ['withhin', 'within', 'one too many'],
])('takes %s for %s: %s', (written, meant) => {
  expect(nearestName(written, NAMES)).toBe(meant);
});

it('says nothing where no name is near', () => {
  expect(nearestName('colour', NAMES)).toBeUndefined();
  expect(nearestName('x'.repeat(10_000), NAMES)).toBeUndefined();
});
