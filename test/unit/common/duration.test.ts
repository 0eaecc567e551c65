import fc from 'fast-check';
import { expect, it } from 'vitest';

import { durationMs, formatDuration, parseDuration } from '../../../src/common/duration.ts';

it.each([
  ['250ms', 250],
  ['45s', 45_000],
  ['1.5s', 1_500],
  ['90m', 5_400_000],
  ['24h', 86_400_000],
  ['14d', 1_209_600_000],
  ['1h30m', 5_400_000],
  ['1m500ms', 60_500],
  ['0s', 0],
  [250, 250],
  [0, 0],
])('reads %j as %d ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

it.each(['', '5', 's', '5 s', '-5s', '5x', '5sx', 'x5s', '1h 30m', '5S', '1.s', -1, Number.NaN, Infinity])(
  'does not take %j for a duration',
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
    expect(() => durationMs(text)).toThrow(RangeError);
  },
);

it('names the string that is not a duration, and shows how to write one', () => {
  expect(() => durationMs('a fortnight')).toThrow(
    "'a fortnight' is not a duration; write for example 250ms, 45s, 1h30m or 14d",
  );
});

it.each([
  [0, '0ms'],
  [87.4, '87ms'],
  [999.9, '1s'],
  [1_250, '1.25s'],
  [45_000, '45s'],
  [59_999, '1m'],
  [60_000, '1m'],
  [5_400_000, '1h 30m'],
  [90_061_000, '1d 1h'],
  [1_209_600_000, '14d'],
])('writes %d ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it('reads what it wrote, to the second, for anything of at most two units', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_600 }), (seconds) => {
      expect(parseDuration(formatDuration(seconds * 1_000).replace(' ', ''))).toBe(seconds * 1_000);
    }),
  );
});
