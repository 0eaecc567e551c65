import { expect, it } from 'vitest';

import type { PressedSheets } from '../../../../src/devices/press/press-messages.ts';
import { PressedCache } from '../../../../src/devices/press/press.ts';

const pressed = (bytes: number): PressedSheets => ({ sheets: [], pdf: new Uint8Array(bytes) });

it('forgets what was not asked for the longest, when it is full', () => {
  const cache = new PressedCache(100);
  cache.set('a', pressed(40));
  cache.set('b', pressed(40));
  expect(cache.get('a')).toBeDefined();
  cache.set('c', pressed(40));
  expect(['a', 'b', 'c'].filter((key) => cache.get(key))).toEqual(['a', 'c']);
});

it('keeps nothing that is larger than all of it', () => {
  const cache = new PressedCache(100);
  cache.set('a', pressed(40));
  cache.set('huge', pressed(101));
  expect(cache.get('huge')).toBeUndefined();
  expect(cache.get('a')).toBeDefined();
});
