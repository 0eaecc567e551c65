/**
 * Rationals for weights: exact, because the ties that matter (0.05 lb is 22 679 618.5 µg) lie exactly
 * where binary fractions do not.
 */

/** `denominator` is positive; the fraction need not be in lowest terms. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Those that scales use: a reading is made of two of them. */
const POWERS_OF_TEN = Array.from({ length: 16 }, (_, exponent) => 10n ** BigInt(exponent));

export function rational(numerator: bigint, denominator = 1n): Rational {
  return { numerator, denominator };
}

export function multiply(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** @throws RangeError when `b` is not positive */
export function divide(a: Rational, b: Rational): Rational {
  if (b.numerator <= 0n) throw new RangeError('a weight is divided by positive numbers only');
  return rational(a.numerator * b.denominator, a.denominator * b.numerator);
}

/** @param exponent - of ten, positive or negative */
export function timesPowerOfTen({ numerator, denominator }: Rational, exponent: number): Rational {
  const power = POWERS_OF_TEN[Math.abs(exponent)] ?? 10n ** BigInt(Math.abs(exponent));
  return exponent < 0 ? rational(numerator, denominator * power) : rational(numerator * power, denominator);
}

/** The nearest integer; a tie goes up, also below zero. */
export function roundHalfUp({ numerator, denominator }: Rational): bigint {
  return floorDivide(2n * numerator + denominator, 2n * denominator);
}

/** The number that a decimal such as `0.05` stands for. @throws RangeError when it is not a decimal */
export function decimal(text: string): Rational {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`'${text}' is not a decimal number`);
  return timesPowerOfTen(rational(BigInt(whole + fraction)), -fraction.length);
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}
