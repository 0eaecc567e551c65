import { createHash } from 'node:crypto';

import { expect, it } from 'vitest';

import type { Invariant, ObservedExchange } from '../../../src/oracle/invariant.ts';
import * as invariants from '../../../src/oracle/invariants.ts';

const ALL: readonly Invariant[] = invariants.INVARIANTS;

interface Made {
  readonly path?: string;
  readonly status?: number;
  readonly value?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly requestHeaders?: readonly (readonly [string, string])[];
}

let made = 0;

/** An exchange that keeps every invariant, unless it is made otherwise. */
function exchange({
  path = '/whoami',
  status = 200,
  value,
  headers = {},
  requestHeaders,
}: Made = {}): ObservedExchange {
  const requestId = headers['Request-Id'] ?? `request-${++made}`;
  const isError = status >= 400;
  const errorObject = { uid: requestId, code: 'NotFound', message: 'There is nothing' };
  const body = Buffer.from(JSON.stringify(isError ? (value ?? errorObject) : (value ?? {})));
  const usual: Record<string, string | undefined> = {
    'Content-Type': 'application/json',
    'Request-Id': requestId,
    Elapsed: '0.004',
    'Response-Time': '4',
    'Content-MD5': createHash('md5').update(body).digest('base64'),
    'Api-Version': '1.2.3',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Headers': 'Authorization',
    'Access-Control-Allow-Methods': 'GET',
    'Access-Control-Expose-Headers': 'Request-Id',
    ...(isError ? {} : { 'X-Account': '7', 'X-Auth-With': 'ApiKey' }),
    ...(status === 401 ? { 'WWW-Authenticate': 'Basic realm=Api' } : {}),
    ...headers,
  };
  return {
    request: {
      method: 'GET',
      path,
      headers: requestHeaders ?? [['Authorization', `Basic ${Buffer.from('the-secret-key:').toString('base64')}`]],
    },
    response: {
      status,
      headers: Object.entries(usual).flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const])),
      body,
    },
    sentMs: 100,
    receivedMs: 110,
  };
}

const LIST_HEADERS = {
  'Records-Returned': '2',
  'Records-Returned-Offset': '0',
  'Records-Returned-Limit': '100',
  'Records-Total': '2',
};

function list(
  headers: Made['headers'] = {},
  path = '/printjobs',
  value: unknown = [{ id: 2 }, { id: 1 }],
): ObservedExchange {
  return exchange({ path, value, headers: { ...LIST_HEADERS, ...headers } });
}

function brokenBy(...history: readonly ObservedExchange[]): readonly string[] {
  return invariants
    .judgeHistory(history, ALL)
    .filter(({ mismatches }) => mismatches.length > 0)
    .map(({ clause }) => clause);
}

it('is content with responses that are as they should be', () => {
  expect(brokenBy(exchange(), exchange({ status: 404 }), exchange({ status: 401 }), list())).toEqual([]);
});

it('counts what it judged, so that nothing passes for want of a case', () => {
  const counts = new Map(invariants.judgeHistory([exchange()], ALL).map(({ clause, judged }) => [clause, judged]));
  expect(counts.get('service/request-id-present')).toBe(1);
  expect(counts.get('errors/object')).toBe(0);
});

it.each<[string, ObservedExchange, string[]]>([
  [
    'a charset',
    exchange({ headers: { 'Content-Type': 'application/json; charset=utf-8' } }),
    ['service/json-content-type-exact'],
  ],
  [
    'another type',
    exchange({ headers: { 'Content-Type': 'text/json' } }),
    ['service/json-content-type', 'service/json-content-type-exact'],
  ],
  [
    'no Request-Id on an error',
    exchange({ status: 404, headers: { 'Request-Id': undefined } }),
    ['service/request-id-on-errors', 'errors/uid-is-request-id'],
  ],
  ['Elapsed in milliseconds', exchange({ headers: { Elapsed: '4' } }), ['service/elapsed-seconds']],
  ['a wrong digest', exchange({ headers: { 'Content-MD5': 'x' } }), ['service/content-md5-of-body']],
  ['a version of two numbers', exchange({ headers: { 'Api-Version': '1.2' } }), ['versioning/api-version-semantic']],
  ['no account', exchange({ headers: { 'X-Account': undefined } }), ['authentication/x-account']],
  [
    'another way of authentication',
    exchange({ headers: { 'X-Auth-With': 'Password' } }),
    ['authentication/x-auth-with-api-key'],
  ],
  [
    'a 401 without a challenge',
    exchange({ status: 401, headers: { 'WWW-Authenticate': undefined } }),
    ['authentication/www-authenticate'],
  ],
  [
    'a 401 that names an account',
    exchange({ status: 401, headers: { 'X-Account': '7' } }),
    ['authentication/refused-names-no-account'],
  ],
  [
    'X-Authorized-As without a child',
    exchange({ headers: { 'X-Authorized-As': '7' } }),
    ['authentication/no-child-no-authorized-as'],
  ],
  ['a 500', exchange({ status: 500 }), ['service/no-5xx-on-bad-input']],
  ['a wrong count', list({ 'Records-Returned': '3' }), ['service/records-returned-is-length']],
  ['no total', list({ 'Records-Total': undefined }), ['service/records-total']],
  [
    'an offset on the first page',
    list({ 'Records-Returned-Offset': '1' }),
    ['service/records-returned-offset-integer'],
  ],
  ['another limit', list({}, '/printjobs?limit=5'), ['service/records-returned-limit-is-limit']],
  ['another default', list({ 'Records-Returned-Limit': '50' }), ['service/records-returned-limit-default']],
  ['an id twice', list({}, '/printers', [{ id: 2 }, { id: 2 }]), ['service/id-unique-in-list']],
  ['an id that is a text', list({}, '/computers/1,2', [{ id: 2 }, { id: '1' }]), ['service/id-positive-integer']],
])('finds %s, and nothing else', (_, observed, clauses) => {
  expect(brokenBy(observed)).toEqual(clauses);
});

it.each<[string, unknown, string[]]>([
  ['a fourth key', { uid: 'u', code: 'C', message: 'm', extra: 1 }, ['errors/no-other-keys']],
  ['another uid', { uid: 'v', code: 'C', message: 'm' }, ['errors/uid-is-request-id']],
  ['a code of two words', { uid: 'u', code: 'Not Found', message: 'm' }, ['errors/code-word']],
  ['an empty message', { uid: 'u', code: 'C', message: '' }, ['errors/message-readable']],
  ['a stack', { uid: 'u', code: 'C', message: 'Error\n    at f (x.js:1)' }, ['errors/no-internals']],
  ['a file', { uid: 'u', code: 'C', message: 'cannot open /srv/app/main.py' }, ['errors/no-internals']],
  ['the key of the caller', { uid: 'u', code: 'C', message: 'bad key: the-secret-key' }, ['errors/no-internals']],
])('finds %s in an error', (_, value, clauses) => {
  expect(brokenBy(exchange({ status: 400, value, headers: { 'Request-Id': 'u' } }))).toEqual(clauses);
});

it('takes a path of the API in a message for no file of the service', () => {
  const value = { uid: 'u', code: 'C', message: 'there is nothing at /printjobs/1,2/states' };
  expect(brokenBy(exchange({ status: 404, value, headers: { 'Request-Id': 'u' } }))).toEqual([]);
});

it('remembers: a Request-Id comes once, and a key is one account', () => {
  const twice = exchange({ headers: { 'Request-Id': 'same' } });
  expect(brokenBy(twice, exchange(), twice)).toEqual(['service/request-id-unique']);
  expect(brokenBy(exchange(), exchange({ headers: { 'X-Account': '8' } }))).toEqual(['authentication/one-account']);
});

it('lets another key, and acting as a child, lead to another account', () => {
  const other = exchange({
    headers: { 'X-Account': '8' },
    requestHeaders: [['Authorization', 'Basic b3RoZXI6']],
  });
  const child = exchange({
    headers: { 'X-Account': '9', 'X-Authorized-As': '7' },
    requestHeaders: [
      ['Authorization', `Basic ${Buffer.from('the-secret-key:').toString('base64')}`],
      ['X-Child-Account-By-Id', '9'],
    ],
  });
  expect(brokenBy(exchange(), other, child)).toEqual([]);
});

it('takes neither states nor single things for lists', () => {
  expect(brokenBy(exchange({ path: '/printjobs/states', value: [] }))).toEqual([]);
  expect(brokenBy(exchange({ path: '/printers/refresh', value: [] }))).toEqual([]);
  expect(brokenBy(exchange({ path: '/printjobs/1,2/states', value: [] }))).toEqual([]);
});

it('says in which exchange of the history something was wrong', () => {
  const [judgement] = invariants.judgeHistory(
    [exchange(), exchange({ status: 503, path: '/noop' })],
    invariants.ROBUSTNESS_INVARIANTS,
  );
  expect(judgement?.mismatches).toEqual([
    { expected: 'no 5xx', actual: '503', at: 'status of GET /noop', exchange: 1 },
  ]);
});
