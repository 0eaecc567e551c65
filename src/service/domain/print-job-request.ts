/**
 * Print job request: the body of POST /printjobs, checked field by field.
 *
 * Options are checked against nothing here: whether a printer can do what is asked is the client's to
 * decide. What real clients get slightly wrong is taken: numbers as text, `printer` beside `printerId`.
 */

import { badRequest } from '../gate/api-error.ts';
import { isObject, type Fields } from './body-fields.ts';
import { readTextualOptions } from './print-options.ts';

export const CONTENT_TYPES = ['pdf_uri', 'pdf_base64', 'raw_uri', 'raw_base64'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** Choice (gap/expire-after-bounds): a hundred years. A date far beyond would have no timestamp of four-digit year. */
const EXPIRE_AFTER_MAX_SECONDS = 3_153_600_000;

const AUTHENTICATION_TYPES = ['BasicAuth', 'DigestAuth'] as const;

export interface DocumentAuthentication {
  readonly type: (typeof AUTHENTICATION_TYPES)[number];
  readonly credentials: { readonly user: string; readonly pass: string };
}

export interface PrintJobRequest {
  readonly printerId: number;
  readonly contentType: ContentType;
  readonly content: string;
  readonly title: string | null;
  readonly source: string | null;
  readonly options: Readonly<Record<string, unknown>>;
  /** Seconds; undefined when the default applies. */
  readonly expireAfter: number | undefined;
  readonly qty: number | undefined;
  readonly authentication: DocumentAuthentication | null;
}

/** @throws ApiError 400 naming the field and what it must be */
export function readPrintJobRequest(body: unknown): PrintJobRequest {
  if (!isObject(body)) throw badRequest('the body must be an object with printerId, contentType and content');
  return {
    printerId: readPrinterId(body),
    contentType: readOneOf(body, 'contentType', CONTENT_TYPES),
    content: readRequiredText(body, 'content'),
    title: readOptionalText(body, 'title'),
    source: readOptionalText(body, 'source'),
    options: readOptions(body['options']),
    expireAfter: readOptionalInteger(body, 'expireAfter', 0, EXPIRE_AFTER_MAX_SECONDS),
    qty: readOptionalInteger(body, 'qty', 1, Number.MAX_SAFE_INTEGER),
    authentication: readAuthentication(body['authentication']),
  };
}

function readPrinterId(body: Fields): number {
  const named = body['printerId'] ?? body['printer'];
  const id = toInteger(isObject(named) ? named['id'] : named);
  if (id === undefined || id < 1) throw badRequest('printerId: a positive integer is required');
  return id;
}

function readOneOf<T extends string>(fields: Fields, name: string, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === fields[name]);
  if (found === undefined) throw badRequest(`${name}: must be one of ${allowed.join(', ')}`);
  return found;
}

function readRequiredText(fields: Fields, name: string): string {
  const text = readOptionalText(fields, name);
  if (text === null || text === '') throw badRequest(`${name}: a text that is not empty is required`);
  return text;
}

function readOptionalText(fields: Fields, name: string): string | null {
  const value = fields[name] ?? null;
  if (value !== null && typeof value !== 'string') throw badRequest(`${name}: must be a text`);
  return value;
}

function readOptionalInteger(
  fields: Fields,
  name: string,
  minimum: number,
  maximum: number,
): number | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined) return undefined;
  const integer = toInteger(value);
  if (integer === undefined || integer < minimum || integer > maximum) {
    throw badRequest(`${name}: must be an integer from ${minimum} to ${maximum}`);
  }
  return integer;
}

function readOptions(options: unknown): Fields {
  if (options === undefined || options === null) return {};
  if (!isObject(options)) throw badRequest('options: must be an object or null');
  return readTextualOptions(options);
}

function readAuthentication(authentication: unknown): DocumentAuthentication | null {
  if (authentication === undefined || authentication === null) return null;
  if (!isObject(authentication)) throw badRequest('authentication: must be an object');
  const { credentials } = authentication;
  if (!isObject(credentials)) throw badRequest('authentication.credentials: must be an object');
  const { user, pass } = credentials;
  if (typeof user !== 'string' || typeof pass !== 'string') {
    throw badRequest('authentication.credentials: user and pass must be texts');
  }
  return { type: readOneOf(authentication, 'type', AUTHENTICATION_TYPES), credentials: { user, pass } };
}

/** Integers come as numbers, and from some clients as text. */
function toInteger(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}
