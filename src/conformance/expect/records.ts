/**
 * Records: reading lists of objects out of values that nobody has vouched for.
 */

import { showValue } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Answer } from './answer.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An id: a positive integer. */
export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

/** The value as an array of objects, or undefined when it is none. */
export function asRecords(value: unknown): readonly JsonObject[] | undefined {
  return Array.isArray(value) && value.every(isObject) ? value : undefined;
}

/** The ids of an array of objects that each have one, or undefined. */
export function recordIds(value: unknown): readonly number[] | undefined {
  const ids = asRecords(value)?.map((record) => record['id']);
  return ids?.every(isId) ? ids : undefined;
}

/** Expects an array of objects that each have an id. */
export function expectRecords(answer: Answer): Mismatch | undefined {
  if (recordIds(answer.value)) return undefined;
  return {
    expected: 'an array of objects with ids',
    actual: showValue(answer.value),
    at: `body of ${answer.request}`,
    exchange: answer.position,
  };
}

/** Expects records with exactly these ids, in this order. */
export function expectIds(answer: Answer, ids: readonly number[]): Mismatch | undefined {
  const seen = recordIds(answer.value);
  if (!seen) return expectRecords(answer);
  if (sameIds(seen, ids)) return undefined;
  return {
    expected: `records ${showIds(ids)}`,
    actual: `records ${showIds(seen)}`,
    at: `body of ${answer.request}`,
    exchange: answer.position,
  };
}

/** Expects a bare array of exactly these ids, in any order. */
export function expectIdArray(answer: Answer, ids: readonly number[]): Mismatch | undefined {
  const seen = answer.value;
  if (Array.isArray(seen) && sameIds(inOrder(seen), inOrder(ids))) return undefined;
  return {
    expected: `an array of the ids ${showIds(ids)}, each once`,
    actual: showValue(seen),
    at: `body of ${answer.request}`,
    exchange: answer.position,
  };
}

export function sameIds(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((id, index) => id === right[index]);
}

function inOrder(ids: readonly unknown[]): readonly unknown[] {
  return ids.toSorted((a, b) => Number(a) - Number(b));
}

/** Long lists by their ends: `[109, 108 … 10] (100)`. */
function showIds(ids: readonly unknown[]): string {
  if (ids.length <= 12) return `[${ids.join(', ')}]`;
  return `[${ids.slice(0, 3).join(', ')} … ${ids.slice(-3).join(', ')}] (${ids.length} of them)`;
}
