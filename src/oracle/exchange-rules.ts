/**
 * Exchange rules: what an exchange shows alone, without any memory of others, for each caller and whatever was asked:
 *
 *   status       the one that is printed for a success
 *   shape        of the answer, and of each record in it, field by field
 *   error        the code that goes with a status
 *   credentials  who is refused, and what tells whom a request was for
 *
 * They come from the tables of the specification. What every response must keep stands in invariants.ts.
 */

import { keysOf } from '../common/keys-of.ts';
import { isObject, NotJson, parseJson, showValue, type JsonObject } from '../common/json-value.ts';
import type { Endpoint, Returned } from '../specification/clause.ts';
import type { ClauseId } from '../specification/clauses.ts';
import { ENDPOINTS } from '../specification/endpoints.ts';
import { ERRORS } from '../specification/errors.ts';
import { CAPABILITY_FIELDS, COMPUTER_FIELDS, PRINT_RATE_FIELDS, WEBHOOK_FIELDS } from '../specification/fields.ts';
import { REQUEST_HEADERS, RESPONSE_HEADERS } from '../specification/headers.ts';
import { RESOURCES } from '../specification/resources.ts';
import { ACCOUNT_STATES } from '../specification/states.ts';
import { endpointFor } from './endpoint-for.ts';
import {
  always,
  bodyIs,
  errorField,
  header,
  headersThere,
  isAuthenticated,
  isJsonMediaType,
  isSuccess,
  requestHeader,
  stateless,
  userNameIn,
  valueOf,
  type Concerns,
  type Invariant,
  type ObservedExchange,
} from './invariant.ts';
import { absentAmong, type Mismatch } from './mismatch.ts';
import { expectAllKeys, expectField, type FieldTable } from './record-fields.ts';

// ── Which endpoint ───────────────────────────────────────────────────────────────────────────────────

/** The last exchange that was looked up: every rule asks for its endpoint. */
let last: { readonly request: object; readonly endpoint: Endpoint | undefined } | undefined;

function askedIn({ request }: ObservedExchange): Endpoint | undefined {
  if (last?.request !== request) last = { request, endpoint: endpointFor(request.method, request.path) };
  return last.endpoint;
}

function asks(isMeant: (endpoint: Endpoint) => boolean): Concerns {
  return (exchange) => {
    const asked = askedIn(exchange);
    return asked !== undefined && isMeant(asked) && isSuccess(exchange);
  };
}

function answers(...returned: readonly Returned[]): Concerns {
  return asks(({ returns }) => returned.includes(returns));
}

// ── Statuses and shapes ──────────────────────────────────────────────────────────────────────────────

const STATUSES: readonly Invariant[] = ENDPOINTS.flatMap((endpoint) => {
  const { clause, successStatus } = endpoint;
  if (successStatus === null) return [];
  return [
    statusIs(
      clause as ClauseId,
      asks((asked) => asked === endpoint),
      successStatus,
    ),
  ];
});

function statusIs(clause: ClauseId, concerns: Concerns, expected: number): Invariant {
  return stateless(clause, concerns, ({ response: { status } }) =>
    status === expected ? undefined : { part: 'status', expected: String(expected), actual: String(status) },
  );
}

type Shape = readonly [expected: string, accepts: (value: unknown) => boolean];

const AN_ARRAY: Shape = ['an array', Array.isArray];
const IDS: Shape = ['an array of ids', (value) => Array.isArray(value) && value.every((id) => Number.isInteger(id))];
const A_STATE: Shape = ['a state', (value) => Object.hasOwn(ACCOUNT_STATES, String(value))];

const SHAPES: readonly Invariant[] = [
  bodyIs('accounts/whoami', answers('account'), 'an account object', isObject),
  bodyIs('accounts/state-json-string', answers('account state'), ...A_STATE),
  bodyIs('computers/list', answers('computers'), ...AN_ARRAY),
  bodyIs('printers/list', answers('printers'), ...AN_ARRAY),
  bodyIs('print-jobs/list', answers('print jobs'), ...AN_ARRAY),
  bodyIs('scales/list', answers('readings'), ...AN_ARRAY),
  bodyIs('scales/read-one', answers('reading'), 'a scale data object', isObject),
  bodyIs(
    'webhooks/list',
    asks(({ clause }) => clause === 'webhooks/list'),
    ...AN_ARRAY,
  ),
  bodyIs(
    'computers/delete-set',
    asks(({ returns, family }) => returns === 'ids' && family === 'computers'),
    ...IDS,
  ),
  bodyIs(
    'print-jobs/delete-200-ids',
    asks(({ returns, family }) => returns === 'ids' && family === 'print-jobs'),
    ...IDS,
  ),
  stateless(
    'misc/noop-body-is-request-id',
    asks(({ clause }) => clause === 'misc/noop'),
    (exchange) => {
      const [id, value] = [header(exchange, RESPONSE_HEADERS.requestId.name), valueOf(exchange)];
      return id === value ? undefined : { part: 'body', expected: showValue(id), actual: showValue(value) };
    },
  ),
];

// ── Records ──────────────────────────────────────────────────────────────────────────────────────────

type RecordsIn = (exchange: ObservedExchange) => readonly JsonObject[];

/** One record, a list of them, or lists by name. */
function recordsIn(exchange: ObservedExchange): readonly JsonObject[] {
  const value = valueOf(exchange);
  if (!Array.isArray(value) && !isObject(value)) return [];
  const members: readonly unknown[] = Object.values(value);
  const isOne = isObject(value) && members.some((member) => !Array.isArray(member));
  return isOne ? [value] : members.flat().filter(isObject);
}

const inside =
  (name: string, outer: RecordsIn = recordsIn): RecordsIn =>
  (exchange) =>
    outer(exchange)
      .map((record) => record[name])
      .filter(isObject);

interface RecordTable {
  readonly returned: readonly Returned[];
  readonly fields: FieldTable;
  readonly records?: RecordsIn;
  readonly allKeys?: ClauseId;
  /** Fields may be left out. */
  readonly isSparse?: true;
}

// How statistics nest is not printed.
const { webhookId, url, secret, messages } = WEBHOOK_FIELDS;

const RECORDS = {
  account: { returned: ['account'], ...RESOURCES.Account },
  computer: { returned: ['computers'], ...RESOURCES.Computer },
  'computer of a printer': { returned: ['printers'], fields: COMPUTER_FIELDS, records: inside('computer') },
  printer: { returned: ['printers'], ...RESOURCES.Printer },
  capabilities: {
    returned: ['printers'],
    fields: CAPABILITY_FIELDS,
    records: inside('capabilities'),
    isSparse: true,
  },
  printrate: {
    returned: ['printers'],
    fields: PRINT_RATE_FIELDS,
    records: inside('printrate', inside('capabilities')),
  },
  state: { returned: ['states'], ...RESOURCES.PrintJobState },
  reading: { returned: ['reading', 'readings'], ...RESOURCES.ScaleReading },
  webhook: { returned: ['webhooks'], fields: { webhookId, url, secret, messages } },
} satisfies Readonly<Record<string, RecordTable>>;

export type RecordName = keyof typeof RECORDS;

/** The rules of a kind of record, wherever an answer shows one. */
export function recordRules(name: RecordName): readonly Invariant[] {
  const table: NamedTable = { name, ...RECORDS[name] };
  const ofFields = Object.entries(table.fields).flatMap(([field, printed]) => fieldRules(table, field, printed));
  const { allKeys } = table;
  if (allKeys === undefined) return ofFields;
  return [...ofFields, recordRule(allKeys, table, (record, at) => expectAllKeys(table.fields, record, at))];
}

type NamedTable = RecordTable & { readonly name: string };

/** Each record has the field, of its type; a null may have a clause of its own. */
function fieldRules(table: NamedTable, field: string, printed: FieldTable[string]): readonly Invariant[] {
  const { clause, notNull } = printed;
  const ofType = recordRule(clause, table, (record, at) => {
    const isLeftOut = table.isSparse && !Object.hasOwn(record, field);
    const isOther = notNull !== undefined && record[field] === null;
    return isLeftOut || isOther ? undefined : expectField(record, at, field, printed);
  });
  if (notNull === undefined) return [ofType];
  const isNull = recordRule(notNull, table, (record, at) =>
    record[field] === null ? { at: `${at}.${field}`, expected: 'not null', actual: 'null', absent: 'all' } : undefined,
  );
  return [ofType, isNull];
}

function recordRule(
  clause: ClauseId,
  { name, returned, records = recordsIn }: NamedTable,
  judge: (record: JsonObject, at: string) => Mismatch | undefined,
): Invariant {
  const isReturned = answers(...returned);
  return stateless(
    clause,
    (exchange) => isReturned(exchange) && records(exchange).length > 0,
    (exchange) => {
      for (const [index, record] of records(exchange).entries()) {
        const found = judge(record, `${name} ${index + 1}`);
        if (!found) continue;
        const { at: part, ...rest } = found;
        return { part, ...rest };
      }
      return undefined;
    },
  );
}

// ── Errors ───────────────────────────────────────────────────────────────────────────────────────────

function codeIs(
  clause: ClauseId,
  { status, code }: { readonly status: number; readonly code: string },
  isMeant: Concerns = always,
): Invariant {
  const concerns: Concerns = (exchange) => exchange.response.status === status && isMeant(exchange);
  return stateless(clause, concerns, (exchange) => {
    const actual = errorField(exchange, 'code');
    return actual === code
      ? undefined
      : { part: 'body.code', expected: code, actual: showValue(actual), ...absentAmong(actual) };
  });
}

/** Statuses of what is refused before anybody reads the body. */
const BEFORE_BODY: ReadonlySet<number> = new Set([401, 403, 404, 405, 413, 415, 429]);

/** A body that says it is JSON, and is not. */
const isBroken: Concerns = (exchange) => {
  const { body } = exchange.request;
  if (body === undefined || body.length === 0 || BEFORE_BODY.has(exchange.response.status)) return false;
  const kind = askedIn(exchange)?.body.kind;
  const type = requestHeader(exchange, 'content-type');
  const isSaid = type !== undefined && isJsonMediaType(type);
  return (kind === 'fields' || kind === 'string') && isSaid && parseJson(Buffer.from(body)) instanceof NotJson;
};

const ERROR_RULES: readonly Invariant[] = [
  codeIs('errors/invalid-credentials', ERRORS.InvalidCredentials),
  codeIs('errors/conflict', ERRORS.Conflict, (exchange) => askedIn(exchange)?.returns === 'id'),
  codeIs('errors/too-many-requests', ERRORS.TooManyRequests),
  statusIs('errors/invalid-content', isBroken, ERRORS.InvalidContent.status),
];

// ── Credentials ──────────────────────────────────────────────────────────────────────────────────────

/** The service refuses what is no credentials. */
function refusedWith(clause: ClauseId, isNone: (authorization: string | undefined) => boolean): Invariant {
  const { InvalidCredentials, TooManyRequests } = ERRORS;
  const concerns: Concerns = (exchange) =>
    askedIn(exchange)?.authenticated === true &&
    exchange.response.status !== TooManyRequests.status &&
    isNone(requestHeader(exchange, 'authorization'));
  return statusIs(clause, concerns, InvalidCredentials.status);
}

/** The answer to one who acts as a Child names the header that said so. */
function tellsStrategy(clause: ClauseId, { name }: { readonly name: string }): Invariant {
  const isNamed: Concerns = (exchange) => isAuthenticated(exchange) && requestHeader(exchange, name) !== undefined;
  return headersThere(clause, [name], isNamed);
}

/** They say nothing about traffic whose recorder left credentials out. */
export const CREDENTIAL_RULES: readonly Invariant[] = [
  refusedWith('authentication/missing-credentials-401', (given) => given === undefined),
  refusedWith('authentication/other-scheme-401', (given) => given !== undefined && !/^basic\b/i.test(given)),
  refusedWith('authentication/empty-key-401', (given) => userNameIn(given) === ''),
  tellsStrategy('authentication/child-strategy-by-email', REQUEST_HEADERS.childAccountByEmail),
  tellsStrategy('authentication/child-strategy-by-creator-ref', REQUEST_HEADERS.childAccountByCreatorRef),
];

/** Everything but what is about credentials. */
export const EXCHANGE_RULES: readonly Invariant[] = [
  ...STATUSES,
  ...SHAPES,
  ...keysOf(RECORDS).flatMap(recordRules),
  ...ERROR_RULES,
];
