/**
 * Record fields: whether a field of a record is there and of the type that the specification prints for it. What a
 * value means is for the judges of its clause.
 */

import { isObject, showValue, type JsonObject } from '../common/json-value.ts';
import { datetimeMs, timestampMs } from '../common/timestamp.ts';
import type { Field, FieldType } from '../specification/clause.ts';
import type { ClauseId } from '../specification/clauses.ts';
import { absentAmong, type Mismatch } from './mismatch.ts';

export type FieldTable = Readonly<Record<string, Field & { readonly clause: ClauseId; readonly notNull?: ClauseId }>>;

const isInteger = (value: unknown): boolean => Number.isInteger(value);
const isString = (value: unknown): boolean => typeof value === 'string';
/** What is printed as a datetime may have a blank where a timestamp has a T. */
const isDatetime = (value: unknown): boolean => datetimeMs(value) !== undefined;
const isArrayOf =
  (accepts: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(accepts);

const ACCEPTS: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  boolean: (value) => typeof value === 'boolean',
  integer: isInteger,
  number: (value) => typeof value === 'number',
  string: isString,
  timestamp: (value) => timestampMs(value) !== undefined,
  null: (value) => value === null,
  object: isObject,
  array: Array.isArray,
  'array of strings': isArrayOf(isString),
  'array of integers': isArrayOf(isInteger),
  'array of arrays of integers': isArrayOf(isArrayOf(isInteger)),
  'array of 2': (value) => Array.isArray(value) && value.length === 2,
  'Computer object': isObject,
  'capabilities object': isObject,
  statistic: isObject,
  'JSON string': isString,
};

/**
 * Shapes seen in real services where the specification prints a type and leaves the rest open: accepted like
 * the printed one. By clause.
 */
const ALSO_ACCEPTED: Readonly<Record<string, (value: unknown) => boolean>> = {
  'accounts/field-tags': isObject,
  'events/field-created-at': isDatetime,
  // Printed as a string, and not as ISO 8601 like those of computers and printers.
  'states/field-create-timestamp': isString,
  'scales/field-client-reported-create-timestamp': isDatetime,
};

/** Expects a field of the object to be there and of its type. */
export function expectField(object: JsonObject, at: string, name: string, field: Field): Mismatch | undefined {
  const value = object[name];
  if (accepts(value, field)) return undefined;
  return { expected: describeField(field), actual: showValue(value), at: `${at}.${name}`, ...absentAmong(value) };
}

/** Expects every field of the table to be there. */
export function expectAllKeys(table: FieldTable, value: JsonObject, at: string): Mismatch | undefined {
  const missing = Object.keys(table).filter((key) => !Object.hasOwn(value, key));
  if (missing.length === 0) return undefined;
  return { at, expected: `all ${Object.keys(table).length} keys`, actual: `no ${missing.join(', ')}`, absent: missing };
}

function accepts(value: unknown, field: Field): boolean {
  if (value === null && field.nullable) return true;
  if (ALSO_ACCEPTED[field.clause]?.(value)) return true;
  return ACCEPTS[field.type](value) && isListed(value, field);
}

function isListed(value: unknown, { values }: Field): boolean {
  return values === undefined || values.some((listed) => listed === value);
}

function describeField({ type, nullable, values }: Field): string {
  const what = values ? `one of ${values.map(showValue).join(', ')}` : type;
  return nullable && type !== 'null' ? `${what} or null` : what;
}
