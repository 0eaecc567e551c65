/**
 * Print job request: the body of POST /printjobs, checked field by field.
 *
 * Options are passed on unchecked: whether a printer can do what they ask is for the client to decide. Slight
 * mistakes of real clients are accepted: `printer` for `printerId`, and numbers and booleans as strings. A
 * form has nothing but strings, and some clients quote numbers in JSON too.
 */

import { isObject } from '../../common/json-value.ts';
import {
  DOCUMENT_AUTHENTICATION_INPUT,
  PRINT_JOB_INPUT,
  PRINT_OPTIONS,
  type ContentType,
} from '../../specification/inputs.ts';
import type { DocumentAuthentication, PrintJobRequest } from '../delivery/print-jobs.ts';
import type { Account } from '../domain/account.ts';
import type { Printer, Printers } from '../domain/printer.ts';
import { badRequest } from '../gate/api-error.ts';
import { addressText, bodyObject, mapIn, optionalText, requiredString, withinLimit, type Fields } from './fields.ts';

/** Choice (gap/expire-after-bounds): a hundred years. A date far beyond would have a year of five digits. */
const EXPIRE_AFTER_MAX_SECONDS = 3_153_600_000;
/** Choice (gap/body-structure) */
const OPTIONS_MAX_CHARACTERS = 10_000;

/** @throws ApiError 400 naming the field and what it must be */
export function readPrintJobRequest(sent: unknown): PrintJobRequest {
  const body = bodyObject(sent, 'an object with printerId, contentType and content');
  const contentType = readOneOf(body, 'contentType', PRINT_JOB_INPUT.contentType.values);
  return {
    printerId: readPrinterId(body),
    contentType,
    content: readContent(body, contentType),
    title: optionalText(body, 'title'),
    source: optionalText(body, 'source'),
    options: readOptions(body['options']),
    expireAfter: readOptionalInteger(body, 'expireAfter', 0, EXPIRE_AFTER_MAX_SECONDS),
    qty: readOptionalInteger(body, 'qty', 1, Number.MAX_SAFE_INTEGER),
    authentication: readAuthentication(body['authentication']),
  };
}

function readContent(body: Fields, contentType: ContentType): string {
  const content = requiredString(body, 'content');
  return contentType.endsWith('_uri') ? addressText(content, 'content') : content;
}

/**
 * The printer that a request names.
 *
 * @throws ApiError 400 when the account has no such printer
 */
export function printerFor(printers: Printers, account: Account, { printerId }: PrintJobRequest): Printer {
  const printer = printers.byId(printerId);
  if (printer?.accountId === account.id && !printer.isDeleted) return printer;
  throw badRequest(`printerId: there is no printer ${printerId}`);
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

function readOptionalInteger(fields: Fields, name: string, minimum: number, maximum: number): number | undefined {
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
  const map = mapIn(options);
  if (!map) throw badRequest('options: must be an object or null');
  if (JSON.stringify(map).length <= OPTIONS_MAX_CHARACTERS) return readTextualOptions(map);
  throw badRequest(`options: must have at most ${OPTIONS_MAX_CHARACTERS} characters as JSON`);
}

function readAuthentication(authentication: unknown): DocumentAuthentication | null {
  if (authentication === undefined || authentication === null) return null;
  if (!isObject(authentication)) throw badRequest('authentication: must be an object');
  const { credentials } = authentication;
  if (!isObject(credentials)) throw badRequest('authentication.credentials: must be an object');
  const { user, pass } = credentials;
  if (typeof user !== 'string' || typeof pass !== 'string') {
    throw badRequest('authentication.credentials: user and pass must be strings');
  }
  return {
    type: readOneOf(authentication, 'type', DOCUMENT_AUTHENTICATION_INPUT.type.values),
    credentials: {
      user: withinLimit(user, 'authentication.credentials.user'),
      pass: withinLimit(pass, 'authentication.credentials.pass'),
    },
  };
}

/** Integers come as numbers, and from some clients as strings. */
function toInteger(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

const INTEGER = /^-?\d{1,15}$/;
const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** The options, with numbers and booleans that came as strings turned into such. */
function readTextualOptions(options: Fields): Fields {
  const entries = Object.entries(options);
  if (entries.every(([name, value]) => readTextualOption(name, value) === value)) return options;
  return Object.fromEntries(entries.map(([name, value]) => [name, readTextualOption(name, value)]));
}

function readTextualOption(name: string, value: unknown): unknown {
  if (typeof value !== 'string' || !Object.hasOwn(PRINT_OPTIONS, name)) return value;
  const { type } = PRINT_OPTIONS[name as keyof typeof PRINT_OPTIONS];
  if (type === 'integer') return INTEGER.test(value) ? Number(value) : value;
  if (type === 'boolean') return BOOLEANS.get(value) ?? value;
  return value;
}
