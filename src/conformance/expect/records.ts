/**
 * Records: reading lists of objects out of values of unknown shape.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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

/** The ids of an array of objects that each have one, or undefined. */
export function recordIds(value: unknown): readonly number[] | undefined {
  const ids = asRecords(value)?.map((record) => record['id']);
  return ids?.every(isId) ? ids : undefined;
}
