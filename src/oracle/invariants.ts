/**
 * Invariants: what every single response of a service must keep, whatever was asked.
 *
 *   all exchanges of a run ──► one list of mismatches a clause
 *
 * Pure judges over observed bytes, for conformance runs and load runs alike. They know only what the
 * specification says about every response; what a particular request must bring is not theirs.
 */

import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { headerValues } from '../common/header-pairs.ts';
import { requestName } from '../common/request-name.ts';
import { ERROR_FIELDS } from '../specification/errors.ts';
import {
  ACCESS_CONTROL_HEADERS,
  AUTHENTICATION_HEADERS,
  LIST_HEADERS,
  RESPONSE_HEADERS,
} from '../specification/headers.ts';
import type { ClauseId } from '../specification/clauses.ts';
import { LIMITS } from '../specification/limits.ts';
import {
  always,
  isError,
  isSuccess,
  isUnauthorized,
  isSuccessWithContent,
  hasContent,
  isAuthenticated,
  isOwnAccount,
  isList,
  isListWithIds,
  isNewJob,
  hasShownRecords,
  isFirstPage,
  isListWithoutLimit,
  isListWithLimit,
  limitOf,
  header,
  errorField,
  listOf,
  idsOf,
  valueOf,
  requestHeader,
  headerIs,
  headersThere,
  headersAbsent,
  bodyIs,
  stateless,
  isJsonMediaType,
  userNameIn,
  CHILD_HEADER,
  type Finding,
  type Invariant,
  type ObservedExchange,
} from './invariant.ts';
import { isObject, NotJson, showValue } from '../common/json-value.ts';
import { absentAmong, type Mismatch } from './mismatch.ts';

const isCount = (value: string): boolean => /^\d+$/.test(value);
const isDecimal = (value: string): boolean => /^\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value);

export interface InvariantJudgement {
  readonly clause: ClauseId;
  /** How many exchanges the clause says something about. */
  readonly judged: number;
  readonly mismatches: readonly Mismatch[];
}

/** Judges a history by the given invariants; positions in it become the `exchange` of a mismatch. */
export function judgeHistory(
  history: readonly ObservedExchange[],
  invariants: readonly Invariant[],
): readonly InvariantJudgement[] {
  const judges = invariants.map(({ clause, concerns, judge }) => {
    return { concerns, judgeOne: judge(), line: { clause, judged: 0, mismatches: [] as Mismatch[] } };
  });
  for (const [position, exchange] of history.entries()) {
    // What the answer to a HEAD says of its body, it says of that of a GET.
    if (exchange.request.method === 'HEAD') continue;
    for (const { concerns, judgeOne, line } of judges) {
      if (!concerns(exchange)) continue;
      line.judged++;
      const finding = judgeOne(exchange);
      if (finding) line.mismatches.push(placed(finding, exchange, position));
    }
  }
  return judges.map(({ line }) => line);
}

function placed({ part, ...found }: Finding, { request }: ObservedExchange, exchange: number): Mismatch {
  return { ...found, at: `${part} of ${requestName(request)}`, exchange };
}

const { contentType, requestId, elapsed, responseTime, apiVersion, contentMd5 } = RESPONSE_HEADERS;

/** The type of bodies, and that they are what it says. */
export const CONTENT_INVARIANTS = [
  headerIs(contentType.clause, contentType.name, isSuccessWithContent, contentType.value, isJsonMediaType),
  headerIs('service/json-content-type-errors', contentType.name, isError, contentType.value, isJsonMediaType),
  headerIs(
    'service/json-content-type-exact',
    contentType.name,
    (exchange) => isSuccessWithContent(exchange) || isError(exchange),
    `${contentType.value} and nothing more`,
    (value) => value === contentType.value,
  ),
  bodyIs('service/body-is-json', hasContent, 'JSON', (value) => !(value instanceof NotJson)),
] as const satisfies readonly Invariant[];

export const REQUEST_ID_INVARIANTS = [
  headerIs(requestId.clause, requestId.name, isSuccess),
  headerIs('service/request-id-on-errors', requestId.name, isError),
  {
    clause: 'service/request-id-unique',
    concerns: (exchange) => header(exchange, requestId.name) !== undefined,
    judge: () => {
      const seen = new Set<string | undefined>();
      return (exchange) => {
        const id = header(exchange, requestId.name);
        const isRepeated = seen.has(id);
        seen.add(id);
        if (!isRepeated) return undefined;
        const expected = 'one that no earlier response carries';
        return { part: `header ${requestId.name}`, expected, actual: `${showValue(id)} again` };
      };
    },
  },
] as const satisfies readonly Invariant[];

/** Room for a value that the service has rounded. */
export const ELAPSED_ROUNDING_MS = 10;
/** An age may be that of finer times than are shown, and rounded or cut off. */
export const AGE_ROUNDING_MS = 1;

export const TIMING_INVARIANTS = [
  headerIs(elapsed.clause, elapsed.name, isSuccess),
  headerIs(
    'service/elapsed-seconds',
    elapsed.name,
    (exchange) => header(exchange, elapsed.name) !== undefined,
    'seconds, not more than the caller waited',
    (value, { sentMs, receivedMs }) =>
      isDecimal(value) && Number(value) * 1_000 <= receivedMs - sentMs + ELAPSED_ROUNDING_MS,
  ),
  headerIs(responseTime.clause, responseTime.name, isSuccess),
] as const satisfies readonly Invariant[];

export const DIGEST_INVARIANTS = [
  headerIs(contentMd5.clause, contentMd5.name, isSuccessWithContent),
  headerIs(
    'service/content-md5-of-body',
    contentMd5.name,
    (exchange) => header(exchange, contentMd5.name) !== undefined,
    'the MD5 digest of the body',
    (value, { response: { body } }) =>
      value === hash('md5', body, 'base64') || value.toLowerCase() === hash('md5', body, 'hex'),
  ),
] as const satisfies readonly Invariant[];

const SEMANTIC_VERSION =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;

export const VERSION_INVARIANTS = [
  headerIs(apiVersion.clause, apiVersion.name, isSuccess),
  headerIs('versioning/api-version-on-errors', apiVersion.name, isError),
  headerIs(
    'versioning/api-version-semantic',
    apiVersion.name,
    (exchange) => header(exchange, apiVersion.name) !== undefined,
    'a semantic version',
    (value) => SEMANTIC_VERSION.test(value),
  ),
] as const satisfies readonly Invariant[];

const { allowOrigin, ...lists } = ACCESS_CONTROL_HEADERS;

export const ACCESS_CONTROL_INVARIANTS = [
  headerIs(allowOrigin.clause, allowOrigin.name, isSuccess),
  // A list may be empty.
  ...Object.values(lists).map(({ clause, name }) => headersThere(clause, [name], isSuccess)),
  headersThere(
    'service/access-control-on-errors',
    Object.values(ACCESS_CONTROL_HEADERS).map(({ name }) => name),
    isError,
  ),
] as const satisfies readonly Invariant[];

/** What an error must not tell: a stack trace, a file of the service, the key of the caller. */
const INTERNALS = /\n\s+at \S+|(?:^|[\s"'(])\/(?:\w[\w.-]*\/)+[\w.-]+\.(?:[cm]?[jt]s|py|rb|go|php|java)\b|node_modules/;

/** A shorter one may stand in a message by chance. */
const SHORTEST_KEY = 8;

export const ERROR_INVARIANTS = [
  bodyIs('errors/object', isError, 'an object', isObject),
  bodyIs(
    'errors/object-three-keys',
    isError,
    'the keys uid, code and message',
    (value) => isObject(value) && ['uid', 'code', 'message'].every((key) => Object.hasOwn(value, key)),
  ),
  bodyIs(
    'errors/no-other-keys',
    isError,
    'no keys but uid, code and message',
    (value) => isObject(value) && Object.keys(value).every((key) => Object.hasOwn(ERROR_FIELDS, key)),
  ),
  stateless(ERROR_FIELDS.uid.clause, isError, (exchange) => {
    const id = header(exchange, requestId.name);
    const uid = errorField(exchange, 'uid');
    if (id !== undefined && uid === id) return undefined;
    const expected = `the Request-Id, ${showValue(id)}`;
    return { part: 'body.uid', expected, actual: showValue(uid), ...absentAmong(id, uid) };
  }),
  textField(ERROR_FIELDS.code.clause, 'code', /./s, 'a string'),
  textField(ERROR_FIELDS.message.clause, 'message', /./s, 'a string'),
  stateless('errors/no-internals', isError, (exchange) => {
    const text = Buffer.from(exchange.response.body).toString('utf8');
    const found = INTERNALS.exec(text.replaceAll(String.raw`\n`, '\n'))?.[0];
    const key = userNameIn(requestHeader(exchange, 'authorization'));
    const expected = 'nothing of the inside of the service, and no key';
    if (found !== undefined) return { part: 'body', expected, actual: showValue(found) };
    if (!key || key.length < SHORTEST_KEY || !text.includes(key)) return undefined;
    return { part: 'body', expected, actual: 'the key of the caller' };
  }),
  headersThere(
    'service/headers-on-errors',
    [elapsed.name, responseTime.name, apiVersion.name, contentMd5.name],
    isError,
  ),
] as const satisfies readonly Invariant[];

function textField(clause: ClauseId, field: string, pattern: RegExp, expected: string): Invariant {
  return stateless(clause, isError, (exchange) => {
    const value = errorField(exchange, field);
    if (typeof value === 'string' && pattern.test(value)) return undefined;
    return { part: `body.${field}`, expected, actual: showValue(value), ...absentAmong(value) };
  });
}

const { challenge, account, authWith, authorizedAs } = AUTHENTICATION_HEADERS;

/** Who the caller is, as the service sees it. */
export const ACCOUNT_INVARIANTS = [
  headerIs(account.clause, account.name, isAuthenticated, 'an account id', (value) => /^[1-9]\d*$/.test(value)),
  {
    clause: 'authentication/one-account',
    concerns: (exchange) => isAuthenticated(exchange) && header(exchange, account.name) !== undefined,
    judge: () => {
      const accountOf = new Map<string, string>();
      return (exchange) => {
        const value = String(header(exchange, account.name));
        const identity = identityOf(exchange);
        const known = accountOf.get(identity) ?? value;
        accountOf.set(identity, known);
        if (value === known) return undefined;
        return {
          part: `header ${account.name}`,
          expected: `${known}, as before with this key`,
          actual: value,
        };
      };
    },
  },
  headerIs(authWith.clause, authWith.name, isAuthenticated),
  headerIs(
    'authentication/x-auth-with-api-key',
    authWith.name,
    (exchange) => isAuthenticated(exchange) && header(exchange, authWith.name) !== undefined,
    authWith.value,
    (value) => value === authWith.value,
  ),
  headersAbsent(
    'authentication/no-child-no-authorized-as',
    new RegExp(`^(${authorizedAs.name}|x-child-account-by-.*)$`, 'i'),
    isOwnAccount,
  ),
] as const satisfies readonly Invariant[];

/** What decides which account a request speaks for. */
function identityOf({ request }: ObservedExchange): string {
  return JSON.stringify(
    request.headers.filter(([name]) => name.toLowerCase() === 'authorization' || CHILD_HEADER.test(name)),
  );
}

/** In any letters, with more than one space, and beside others. */
export const PRINTED_CHALLENGE = /(?:^|,)\s*basic\s+realm=("Api"|Api)\s*(?:,|$)/i;

export const REFUSAL_INVARIANTS = [
  // Beside other challenges, in one header or in several.
  headerIs(challenge.clause, challenge.name, isUnauthorized, challenge.value, (_, { response }) =>
    headerValues(response.headers, challenge.name).some((value) => PRINTED_CHALLENGE.test(value)),
  ),
  headersAbsent('authentication/refused-names-no-account', new RegExp(`^${account.name}$`, 'i'), isUnauthorized),
] as const satisfies readonly Invariant[];

export const LIST_INVARIANTS = [
  headerIs(LIST_HEADERS.returned.clause, LIST_HEADERS.returned.name, isList),
  headerIs(
    'service/records-returned-is-length',
    LIST_HEADERS.returned.name,
    isList,
    'the number of records in the body',
    (value, exchange) => isCount(value) && Number(value) === listOf(exchange)?.length,
  ),
  headerIs(LIST_HEADERS.offset.clause, LIST_HEADERS.offset.name, isList),
  headerIs(
    'service/records-returned-offset-integer',
    LIST_HEADERS.offset.name,
    isList,
    'an integer, 0 on a first page',
    (value, exchange) => isCount(value) && (!isFirstPage(exchange) || Number(value) === 0),
  ),
  headerIs(LIST_HEADERS.limit.clause, LIST_HEADERS.limit.name, isList),
  headerIs(
    'service/records-returned-limit-is-limit',
    LIST_HEADERS.limit.name,
    isListWithLimit,
    'the limit that was asked for',
    (value, exchange) => Number(value) === limitOf(exchange),
  ),
  headerIs(
    'service/records-returned-limit-default',
    LIST_HEADERS.limit.name,
    isListWithoutLimit,
    String(LIMITS.pageSize.value),
    (value) => Number(value) === LIMITS.pageSize.value,
  ),
  headerIs(LIST_HEADERS.total.clause, LIST_HEADERS.total.name, isList),
] as const satisfies readonly Invariant[];

/** The ids of new jobs and of records; an undefined one for what is not a list. */
function idsIn(exchange: ObservedExchange): readonly unknown[] {
  if (isNewJob(exchange)) return [valueOf(exchange)];
  return listOf(exchange) ? idsOf(exchange) : [undefined];
}

export const RECORD_INVARIANTS = [
  stateless(
    'service/id-positive-integer',
    (exchange) => isNewJob(exchange) || isListWithIds(exchange),
    (exchange) => {
      const ids = idsIn(exchange);
      const odd = ids.findIndex((id) => !Number.isInteger(id) || Number(id) <= 0);
      if (odd < 0) return undefined;
      return { part: 'id', expected: 'a positive integer', actual: showValue(ids[odd]), ...absentAmong(ids[odd]) };
    },
  ),
  stateless('service/id-unique-in-list', isListWithIds, (exchange) => {
    const ids = idsOf(exchange);
    const records = listOf(exchange);
    // A list may have a million.
    const firstOf = new Map(ids.map((id, index) => [id, index] as const).toReversed());
    const isAgain = (first: number, index: number): boolean =>
      first !== index && (hasShownRecords(exchange) || isDeepStrictEqual(records?.[first], records?.[index]));
    const repeated = ids.find((id, index) => isAgain(firstOf.get(id) ?? index, index));
    if (repeated === undefined) return undefined;
    return { part: 'body', expected: 'each id once', actual: `id ${showValue(repeated)} twice` };
  }),
] as const satisfies readonly Invariant[];

export const ROBUSTNESS_INVARIANTS = [
  stateless('service/no-5xx-on-bad-input', always, ({ response }) => {
    if (response.status < 500) return undefined;
    return { part: 'status', expected: 'no 5xx', actual: String(response.status) };
  }),
] as const satisfies readonly Invariant[];

export const INVARIANTS: readonly Invariant[] = [
  ...CONTENT_INVARIANTS,
  ...REQUEST_ID_INVARIANTS,
  ...TIMING_INVARIANTS,
  ...DIGEST_INVARIANTS,
  ...VERSION_INVARIANTS,
  ...ACCESS_CONTROL_INVARIANTS,
  ...ERROR_INVARIANTS,
  ...ACCOUNT_INVARIANTS,
  ...REFUSAL_INVARIANTS,
  ...LIST_INVARIANTS,
  ...RECORD_INVARIANTS,
  ...ROBUSTNESS_INVARIANTS,
];
