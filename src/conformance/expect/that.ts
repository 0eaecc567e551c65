/**
 * Conditions on any value, for what no other file of this folder words better.
 */

import { isDeepStrictEqual } from 'node:util';

import { showValue, sortedJson } from '../../common/json-value.ts';
import { absentAmong, type Mismatch } from '../../oracle/mismatch.ts';

/** Stands in a message as it is: without quotes nothing of it is lost. */
function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^\S(.*\S)?$/s.test(value);
}

/** A mismatch unless `holds`. */
export function expectThat(holds: boolean, at: string, expected: string, actual: unknown): Mismatch | undefined {
  if (holds) return undefined;
  const isBare = isWord(actual) && actual !== expected;
  return { expected, actual: isBare ? actual : showValue(actual), at, ...absentAmong(actual) };
}

/** Equal as JSON values, in whatever order the keys of objects stand. NaN equals nothing. */
export function sameJson(left: unknown, right: unknown): boolean {
  return left === right || (typeof left === 'object' && isDeepStrictEqual(left, right));
}

export function expectEqual(at: string, actual: unknown, wanted: unknown): Mismatch | undefined {
  if (sameJson(actual, wanted)) return undefined;
  const [expected, got] = showApart(wanted, actual);
  return { expected, actual: got, at, ...absentAmong(actual, wanted) };
}

/** Two values so that a reader sees what differs: also a type, a blank, and what a message has no room for. */
function showApart(left: unknown, right: unknown): readonly [string, string] {
  if (isWord(left) && isWord(right)) return [left, right];
  const shown = [showValue(left), showValue(right)] as const;
  return shown[0] === shown[1] ? whereTheyDiffer(sortedJson(left), sortedJson(right)) : shown;
}

const BEFORE_DIFFERENCE = 40;

function whereTheyDiffer(left: string, right: string): readonly [string, string] {
  let same = 0;
  while (same < left.length && left[same] === right[same]) same += 1;
  const from = same - BEFORE_DIFFERENCE;
  const part = (text: string): string => `…${text.slice(Math.max(0, from), from + 2 * BEFORE_DIFFERENCE)}…`;
  return [part(left), part(right)];
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
  return expectThat(list.includes(item), at, `${showAmong(list, item)} among them`, list);
}

export function expectExcludes(at: string, list: readonly unknown[], item: unknown): Mismatch | undefined {
  return expectThat(!list.includes(item), at, `no ${showAmong(list, item)}`, list);
}

/** In quotes where the list has other things than words, so that a string is told from a number. */
function showAmong(list: readonly unknown[], item: unknown): string {
  return isWord(item) && list.every(isWord) ? item : showValue(item);
}

export function expectEmpty(at: string, list: readonly unknown[], expected = 'none'): Mismatch | undefined {
  return expectThat(list.length === 0, at, expected, list);
}

/** The first mismatch of several expectations. */
export function firstOf(...mismatches: readonly (Mismatch | undefined)[]): Mismatch | undefined {
  return mismatches.find((mismatch) => mismatch !== undefined);
}
