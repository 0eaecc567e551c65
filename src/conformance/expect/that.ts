/**
 * A single condition as an expectation, for what no other file of this folder words better.
 */

import { showValue } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';

/** A mismatch unless `holds`. `actual` is shown as it is when it is a text. */
export function expectThat(
  holds: boolean,
  at: string,
  expected: string,
  actual: unknown,
): Mismatch | undefined {
  if (holds) return undefined;
  return { expected, actual: typeof actual === 'string' ? actual : showValue(actual), at };
}

/** The first mismatch of several expectations. */
export function firstOf(...mismatches: readonly (Mismatch | undefined)[]): Mismatch | undefined {
  return mismatches.find((mismatch) => mismatch !== undefined);
}
