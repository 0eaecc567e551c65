/**
 * Invariant: one rule about every response, and what such rules are put together from: which exchanges
 * they concern, which part they look at, and how they judge it. invariants.ts is the table of them.
 */

import { ENDPOINTS } from '../specification/endpoints.ts';
import type { ClauseId } from '../specification/clauses.ts';
import { LIMITS } from '../specification/limits.ts';
import { isObject, parseJson, showValue } from '../common/json-value.ts';
import type { HeaderPair } from '../common/header-pairs.ts';
import { absentAmong, type Wanted } from './mismatch.ts';

/** A request and what came back, with times in milliseconds on a scale that never jumps. */
export interface ObservedExchange {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: readonly HeaderPair[];
    readonly body?: Uint8Array | string | undefined;
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly HeaderPair[];
    readonly body: Uint8Array;
  };
  readonly sentMs: number;
  readonly receivedMs: number;
}

export interface Invariant {
  readonly clause: ClauseId;
  /** Whether the clause says anything about this exchange. */
  readonly concerns: (exchange: ObservedExchange) => boolean;
  /** A judge with a memory of its own, for one history. */
  readonly judge: () => (exchange: ObservedExchange) => Finding | undefined;
}

/** What was found wrong with one part of an exchange. */
export interface Finding {
  readonly part: string;
  readonly expected: string;
  readonly actual: string;
  readonly wanted?: Wanted;
  readonly absent?: 'all' | readonly string[];
}

// ── Which exchanges ──────────────────────────────────────────────────────────────────────────────────

export type Concerns = (exchange: ObservedExchange) => boolean;

export const always: Concerns = () => true;
export const isError: Concerns = (exchange) => exchange.response.status >= 400 && !isRefusedInFront(exchange);
/** OPTIONS is not in the API: what a browser asks before a request may be answered in front of the service. */
export const isSuccess: Concerns = ({ request, response }) =>
  response.status >= 200 && response.status < 300 && request.method !== 'OPTIONS';
export const isUnauthorized: Concerns = ({ response }) => response.status === 401;
/** A 204 has no content that could have a type. */
export const isSuccessWithContent: Concerns = (exchange) => isSuccess(exchange) && exchange.response.status !== 204;
/** What stands in the body of a redirect is a note for people. */
export const hasContent: Concerns = (exchange) => {
  const { status, body } = exchange.response;
  return body.length > 0 && (status < 300 || status >= 400) && !isRefusedInFront(exchange);
};
export const isAuthenticated: Concerns = (exchange) =>
  isSuccess(exchange) && requestHeader(exchange, 'authorization') !== undefined && !isPing(exchange);
export const isOwnAccount: Concerns = (exchange) =>
  isAuthenticated(exchange) && !exchange.request.headers.some(([name]) => CHILD_HEADER.test(name));

export const CHILD_HEADER = /^x-child-account-by-/i;

const BROKEN_ESCAPE = /%(?![\da-f]{2})/i;

/** A path that is no URI may be refused by an HTTP server that knows nothing of the errors of the service behind it. */
function isRefusedInFront({ request, response }: ObservedExchange): boolean {
  return response.status === 400 && BROKEN_ESCAPE.test(request.path);
}

function isPing({ request }: ObservedExchange): boolean {
  return /^\/+ping\/?(\?|$)/.test(request.path);
}

const LIST_PATHS = ENDPOINTS.filter((endpoint) => endpoint.paginated).map(({ path }) =>
  path.replaceAll(/\{\w+\}/g, '[^/]+'),
);
const LIST_PATH = new RegExp(`^(${LIST_PATHS.join('|')})/?(\\?.*)?$`);

/** Paths that only look as if a set stood at their end. */
const NO_LIST = /^\/(printjobs\/states|printers\/refresh)\/?(\?|$)/;

/** Whether an exchange shows a page of a collection. */
export const isList: Concerns = ({ request, response }) => {
  if (request.method !== 'GET' || response.status !== 200) return false;
  if (NO_LIST.test(request.path)) return false;
  return LIST_PATH.test(request.path);
};
/** Conditions on requests for a list. */
export const isFirstPage: Concerns = (exchange) => !queryOf(exchange).get('after');
export const isListWithoutLimit: Concerns = (exchange) => isList(exchange) && !queryOf(exchange).has('limit');
export const isListWithLimit: Concerns = (exchange) => isList(exchange) && limitOf(exchange) !== undefined;

/** Up to here a service must not cut a limit; the specification leaves the upper bound open. */
const SURE_LIMIT = LIMITS.pageSize.value;

/** The limit that was asked for, when it is one that every service must honour. Which of two counts is not printed. */
export function limitOf(exchange: ObservedExchange): number | undefined {
  const [first, second] = queryOf(exchange).getAll('limit');
  const limit = second === undefined ? Number(first) : Number.NaN;
  return Number.isInteger(limit) && limit > 0 && limit <= SURE_LIMIT ? limit : undefined;
}

function queryOf({ request }: ObservedExchange): URLSearchParams {
  return new URLSearchParams(request.path.split('?')[1]);
}

// ── Parts of an exchange ─────────────────────────────────────────────────────────────────────────────

export function header(exchange: ObservedExchange, name: string): string | undefined {
  return headerIn(exchange.response.headers, name);
}

export function requestHeader(exchange: ObservedExchange, name: string): string | undefined {
  return headerIn(exchange.request.headers, name);
}

function headerIn(headers: readonly HeaderPair[], name: string): string | undefined {
  // A load judges thousands of answers a second, and most names already differ in their length.
  for (const pair of headers) {
    if (pair[0].length === name.length && pair[0].toLowerCase() === name.toLowerCase()) return pair[1].trim();
  }
  return undefined;
}

/** The last body that was read: every rule about a body asks for it. */
let last: { readonly body: Uint8Array; readonly value: unknown } | undefined;

/** The value of the body, or a NotJson. */
export function valueOf({ response: { body } }: ObservedExchange): unknown {
  if (last?.body !== body) last = { body, value: parseJson(body) };
  return last.value;
}

export function errorField(exchange: ObservedExchange, field: string): unknown {
  return fieldOf(valueOf(exchange), field);
}

export function listOf(exchange: ObservedExchange): readonly unknown[] | undefined {
  const value = valueOf(exchange);
  return Array.isArray(value) ? value : undefined;
}

/** What records of print jobs and downloads call their id is a gap: lists of them count where it is `id`. */
export const isListWithIds: Concerns = (exchange) => {
  if (!isList(exchange)) return false;
  const records = hasShownRecords(exchange) ? [] : (listOf(exchange) ?? []);
  return records.length === 0 || records.some((record) => fieldOf(record, 'id') !== undefined);
};

/** Else `id` may be that of something else. */
export const hasShownRecords: Concerns = ({ request }) => !UNSHOWN_RECORDS.test(request.path);

/** The body is the id of the job. */
export const isNewJob: Concerns = ({ request, response }) =>
  request.method === 'POST' && response.status === 201 && /^\/+printjobs\/?(\?|$)/.test(request.path);

const UNSHOWN_RECORDS = /\/printjobs(\/[^/]+)?\/?(\?|$)|^\/+download\/clients/;

export function idsOf(exchange: ObservedExchange): readonly unknown[] {
  return (listOf(exchange) ?? []).map((record) => fieldOf(record, 'id'));
}

function fieldOf(value: unknown, field: string): unknown {
  return isObject(value) ? value[field] : undefined;
}

export const isJsonMediaType = (value: string): boolean => /^application\/json\s*(;|$)/i.test(value);

/** The user name in Basic credentials, where there is any. */
export function userNameIn(authorization: string | undefined): string | undefined {
  const encoded = /^basic\s+(\S+)$/i.exec(authorization ?? '')?.[1];
  return encoded && Buffer.from(encoded, 'base64').toString('utf8').replace(/:.*/s, '');
}

// ── Ways to judge ────────────────────────────────────────────────────────────────────────────────────

/** A header that is there and that `accepts` takes; without it any text will do. */
export function headerIs(
  clause: ClauseId,
  name: string,
  concerns: Concerns,
  expected = 'a value',
  accepts?: (value: string, exchange: ObservedExchange) => boolean,
): Invariant {
  return stateless(clause, concerns, (exchange) => {
    const value = header(exchange, name);
    if (value !== undefined && (accepts ? accepts(value, exchange) : value !== '')) return undefined;
    const actual = value === undefined ? 'no such header' : showValue(value);
    return {
      part: `header ${name}`,
      expected,
      actual,
      ...(!accepts && { wanted: { header: name } }),
      ...absentAmong(value),
    };
  });
}

/** Several headers that are there. */
export function headersThere(clause: ClauseId, names: readonly string[], concerns: Concerns): Invariant {
  return stateless(clause, concerns, (exchange) => {
    const missing = names.filter((name) => header(exchange, name) === undefined);
    if (missing.length === 0) return undefined;
    return { part: 'headers', expected: names.join(', '), actual: `no ${missing.join(', no ')}`, absent: missing };
  });
}

/** Headers that are not there. */
export function headersAbsent(clause: ClauseId, pattern: RegExp, concerns: Concerns): Invariant {
  return stateless(clause, concerns, ({ response }) => {
    const found = response.headers.find(([name]) => pattern.test(name));
    return found && { part: 'headers', expected: 'no such header', actual: found.join(': ') };
  });
}

export function bodyIs(
  clause: ClauseId,
  concerns: Concerns,
  expected: string,
  accepts: (value: unknown) => boolean,
): Invariant {
  return stateless(clause, concerns, (exchange) => {
    const value = valueOf(exchange);
    return accepts(value) ? undefined : { part: 'body', expected, actual: showValue(value) };
  });
}

export function stateless(
  clause: ClauseId,
  concerns: Concerns,
  judge: (exchange: ObservedExchange) => Finding | undefined,
): Invariant {
  return { clause, concerns, judge: () => judge };
}
