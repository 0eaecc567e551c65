/**
 * Conditions on any value, for what no other file of this folder words better.
 */

import { isDeepStrictEqual } from 'node:util';

import { showValue } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';

/** Strings stand in a message as they are. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value : showValue(value);
}

/** A mismatch unless `holds`. */
export function expectThat(holds: boolean, at: string, expected: string, actual: unknown): Mismatch | undefined {
  return holds ? undefined : { expected, actual: shown(actual), at };
}

/** Equal as JSON values, in whatever order the keys of objects stand. NaN equals nothing. */
export function sameJson(left: unknown, right: unknown): boolean {
  return left === right || (typeof left === 'object' && isDeepStrictEqual(left, right));
}

export function expectEqual(at: string, actual: unknown, wanted: unknown): Mismatch | undefined {
  return expectThat(sameJson(actual, wanted), at, shown(wanted), actual);
}

export function expectEvery<T>(
  at: string,
  list: readonly T[],
  accepts: (item: T) => boolean,
  expected: string,
): Mismatch | undefined {
  return expectThat(list.every(accepts), at, expected, list);
}

export function expectIncludes(at: string, list: readonly unknown[], item: unknown): Mismatch | undefined {
  return expectThat(list.includes(item), at, `${String(item)} among them`, list);
}

export function expectExcludes(at: string, list: readonly unknown[], item: unknown): Mismatch | undefined {
  return expectThat(!list.includes(item), at, `no ${String(item)}`, list);
}

export function expectEmpty(at: string, list: readonly unknown[], expected = 'none'): Mismatch | undefined {
  return expectThat(list.length === 0, at, expected, list);
}

/** The first mismatch of several expectations. */
export function firstOf(...mismatches: readonly (Mismatch | undefined)[]): Mismatch | undefined {
  return mismatches.find((mismatch) => mismatch !== undefined);
}
