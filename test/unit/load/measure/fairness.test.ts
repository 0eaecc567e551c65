import { expect, it } from 'vitest';

import { jainIndex, starving } from '../../../../src/load/measure/fairness.ts';

it("computes Jain's index at both extremes", () => {
  expect([jainIndex([3, 3, 3, 3]), jainIndex([9, 0, 0]), jainIndex([])]).toEqual([1, 1 / 3, 1]);
});

it('finds the account that waits far longer than the others, and the one that got nothing', () => {
  const share = { asked: 50, served: 50, meanResponseUs: 10_000 };
  const accounts = [
    { ...share, account: 0 },
    { ...share, account: 1 },
    { ...share, account: 2, meanResponseUs: 80_000 },
    { ...share, account: 3, served: 0, meanResponseUs: 0 },
    { ...share, account: 4, asked: 3, served: 0 },
  ];
  expect(starving({ jainIndex: 1, accounts }).map(({ account }) => account)).toEqual([2, 3]);
});
