/**
 * The fields of a request body: decoded JSON or form data that turned out to be an object.
 *
 * No message repeats a value: a password must not get into a log.
 */

import { isObject } from '../../common/json-value.ts';
import { MEDIA_TYPES } from '../../specification/headers.ts';
import { badRequest } from '../gate/api-error.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Reads one field. @throws ApiError 400 naming the field and what it must be */
export type Reader<T> = (fields: Fields, name: string) => T;
export type Readers<T> = { readonly [Name in keyof T]: Reader<T[Name]> };

/** The body as an object. @param what - it must be. @throws ApiError 400 */
export function bodyObject(body: unknown, what: string): Fields {
  if (isObject(body)) return body;
  // Clients that are given a string send it as text/plain.
  const isText = typeof body === 'string' && body.trimStart().startsWith('{');
  const hint = isText ? `; it looks like JSON sent as text: send Content-Type: ${MEDIA_TYPES.json.value}` : '';
  throw badRequest(`the body must be ${what}${hint}`);
}

/** An object; an empty array stands for an empty one, since some languages write both alike. */
export function mapIn(value: unknown): Fields | undefined {
  if (isObject(value)) return value;
  return Array.isArray(value) && value.length === 0 ? {} : undefined;
}

/** An array, or an object numbered from 0, as which `names[0]=…&names[1]=…` of a form arrives. */
export function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isObject(value) || Object.keys(value).some((key, index) => key !== String(index))) return undefined;
  return Object.values(value);
}

/** Reads all fields, each with its reader, in the order of the readers. */
export function readAll<T extends object>(fields: Fields, readers: Readers<T>): T {
  const entries = Object.entries<Reader<unknown>>(readers);
  return Object.fromEntries(entries.map(([name, read]) => [name, read(fields, name)])) as T;
}

export function readPresent<T extends object>(fields: Fields, readers: Readers<T>): Partial<T> {
  const present = Object.entries(readers).filter(([name]) => fields[name] !== undefined);
  return readAll(fields, Object.fromEntries(present) as Readers<Partial<T>>);
}

/** The longest text, such as a title, and the longest address (gap/body-structure). */
const TEXT_MAX_CHARACTERS = 1_000;
const ADDRESS_MAX_CHARACTERS = 10_000;

export const requiredString: Reader<string> = (fields, name) => {
  const value = fields[name];
  if (typeof value === 'string' && value !== '') return value;
  throw badRequest(`${name}: a string that is not empty is required`);
};

export const requiredText: Reader<string> = (fields, name) => withinLimit(requiredString(fields, name), name);

export const optionalText: Reader<string | null> = (fields, name) => {
  const value = fields[name] ?? null;
  if (value === null) return null;
  if (typeof value === 'string') return withinLimit(value, name);
  throw badRequest(`${name}: must be a string`);
};

/** @throws ApiError 400 when a text is longer than it may be */
export function withinLimit(text: string, name: string, most = TEXT_MAX_CHARACTERS): string {
  if (hasAtMost(text, most)) return text;
  throw badRequest(`${name}: must have at most ${most} characters`);
}

/** What an address cannot hold, and the URL parser takes out without a word. */
const CONTROL = /\p{Cc}/u;

/** An address as text. @throws ApiError 400 when it is too long, or not one line */
export function addressText(text: string, name: string): string {
  if (CONTROL.test(text)) throw badRequest(`${name}: must not have control characters`);
  return withinLimit(text, name, ADDRESS_MAX_CHARACTERS);
}

/** A character takes one or two units of a string: there is no need to count those of a very long one. */
export function hasAtMost(text: string, characters: number): boolean {
  return text.length <= characters || (text.length <= characters * 2 && Array.from(text).length <= characters);
}
