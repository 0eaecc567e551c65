import { describe, expect, it } from 'vitest';

import {
  decimal,
  divide,
  rational,
  roundHalfUp,
  timesPowerOfTen,
} from '../../../../src/devices/scale/weighing-rational.ts';

describe('a rational', () => {
  it.each([
    [3n, 2n, 2n],
    [5n, 4n, 1n],
    [-1n, 2n, 0n],
    [-3n, 2n, -1n],
    [-7n, 4n, -2n],
    [-8n, 4n, -2n],
  ])('%s/%s is rounded to %s, a tie upwards', (numerator, denominator, expected) => {
    expect(roundHalfUp(rational(numerator, denominator))).toBe(expected);
  });

  it('takes powers of ten far beyond those that scales use', () => {
    expect(roundHalfUp(timesPowerOfTen(timesPowerOfTen(rational(7n), 127), -127))).toBe(7n);
    expect(roundHalfUp(timesPowerOfTen(rational(7n), -1))).toBe(1n);
  });

  it.each(['', '.5', '1.', '-1', '1e3', ' 1'])('is not read from %j', (text) => {
    expect(() => decimal(text)).toThrow('is not a decimal number');
  });

  it('is not divided by nothing', () => {
    expect(() => divide(rational(1n), rational(0n))).toThrow('divided by positive numbers only');
  });
});
