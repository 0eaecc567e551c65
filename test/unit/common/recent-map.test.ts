import { expect, it } from 'vitest';

import { RecentMap } from '../../../src/common/recent-map.ts';

it('keeps the newest half of its limit at least, and never more than the limit', () => {
  const map = new RecentMap<number, string>(20);
  for (let key = 1; key <= 1_000; key++) {
    map.set(key, `value ${key}`);
    const kept = Array.from({ length: key }, (_, index) => index + 1).filter((one) => map.get(one) !== undefined);
    expect(kept.length).toBeLessThanOrEqual(20);
    expect(kept.slice(-Math.min(key, 10))).toEqual(
      Array.from({ length: Math.min(key, 10) }, (_, at) => key - Math.min(key, 10) + 1 + at),
    );
  }
});

it('counts a value by its weight, and once however often it is set', () => {
  const map = new RecentMap<string, string>(100, ({ length }) => length);
  map.set('first', 'x'.repeat(40));
  for (let round = 0; round < 100; round++) map.set('second', 'y'.repeat(10));
  expect(map.get('first')).toBeDefined();
  map.set('third', 'z'.repeat(90));
  map.set('fourth', 'w'.repeat(90));
  expect(map.get('first')).toBeUndefined();
});

it('has the latest value of a key, and none of one that was deleted', () => {
  const map = new RecentMap<number, string>(4);
  map.set(1, 'old');
  for (const key of [2, 3]) map.set(key, 'another');
  map.set(1, 'new');
  expect(map.get(1)).toBe('new');
  map.delete(1);
  expect(map.get(1)).toBeUndefined();
  map.set(1, 'again');
  map.clear();
  expect(map.get(1)).toBeUndefined();
});
