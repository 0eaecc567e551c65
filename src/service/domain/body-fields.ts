/**
 * The fields of a request body: decoded JSON or form data that turned out to be an object.
 */

export type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
