/**
 * Records: reading objects, lists of them, ids and timestamps out of values of unknown shape.
 */

import { isObject, type JsonObject } from '../../common/json-value.ts';
import { valueAt } from '../../common/places.ts';
import { timestampMs } from '../../common/timestamp.ts';

/** A string that says something. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** An id: a positive integer. */
export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

/** The value as an array of objects, or undefined when it is something else. */
export function asRecords(value: unknown): readonly JsonObject[] | undefined {
  return Array.isArray(value) && value.every(isObject) ? value : undefined;
}

/** The ids of an array of objects that each have one at this place, or undefined. */
export function recordIds(value: unknown, place = 'id'): readonly number[] | undefined {
  const ids = asRecords(value)?.map((record) => valueAt(record, place));
  return ids?.every(isId) ? ids : undefined;
}

/** UTC has several spellings. */
const IN_UTC = /(Z|[+-]00(:?00)?)$/;
const WITH_MILLISECONDS = /[.,]\d{3}(?!\d)/;

/** Whether it is ISO 8601 in UTC, as a computer's createTimestamp must be. */
export function isUtc(value: unknown): boolean {
  return timestampMs(value) !== undefined && IN_UTC.test(String(value));
}

/** Whether it is ISO 8601 with milliseconds, as a computer's createTimestamp must be. */
export function hasMilliseconds(value: unknown): boolean {
  return timestampMs(value) !== undefined && WITH_MILLISECONDS.test(String(value));
}
