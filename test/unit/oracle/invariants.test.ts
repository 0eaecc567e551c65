import { createHash } from 'node:crypto';

import { expect, it } from 'vitest';

import { describeMismatch } from '../../../src/oracle/mismatch.ts';
import type { ClauseId } from '../../../src/specification/clauses.ts';
import { hasShownRecords, isNewJob, type Invariant, type ObservedExchange } from '../../../src/oracle/invariant.ts';
import * as invariants from '../../../src/oracle/invariants.ts';

const ALL: readonly Invariant[] = invariants.INVARIANTS;

interface Made {
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly value?: unknown;
  /** The body as it is, where it is not JSON. */
  readonly body?: string;
  readonly tookMs?: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly requestHeaders?: readonly (readonly [string, string])[];
}

let made = 0;

const KEY: readonly [string, string] = ['Authorization', `Basic ${Buffer.from('the-secret-key:').toString('base64')}`];

/** An exchange that keeps every invariant, apart from the given changes. */
function exchange({
  method = 'GET',
  path = '/whoami',
  status = 200,
  value,
  body: text,
  tookMs = 10,
  headers = {},
  requestHeaders,
}: Made = {}): ObservedExchange {
  const requestId = 'Request-Id' in headers ? headers['Request-Id'] : `request-${++made}`;
  const isError = status >= 400;
  const errorObject = { uid: requestId, code: 'NotFound', message: 'There is nothing' };
  const body = Buffer.from(text ?? JSON.stringify(value ?? (isError ? errorObject : {})));
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
      method,
      path,
      headers: requestHeaders ?? [KEY],
    },
    response: {
      status,
      headers: Object.entries(usual).flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const])),
      body,
    },
    sentMs: 100,
    receivedMs: 100 + tookMs,
  };
}

const NO_HEADERS = {
  'Content-Type': undefined,
  'Request-Id': undefined,
  Elapsed: undefined,
  'Content-MD5': undefined,
  'Api-Version': undefined,
  'X-Account': undefined,
  'X-Auth-With': undefined,
};

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

function errorOf(changes: Readonly<Record<string, unknown>>): ObservedExchange {
  const value = { uid: 'u', code: 'C', message: 'm', ...changes };
  return exchange({ status: 404, value, headers: { 'Request-Id': 'u' } });
}

/** What is wrong, a sentence each. */
function findings(...history: readonly ObservedExchange[]): readonly string[] {
  return invariants
    .judgeHistory(history, ALL)
    .flatMap(({ clause, mismatches }) =>
      mismatches.map((one) => `${clause}, ${describeMismatch(one)}`.replace(/ of GET [^:]*/, '')),
    );
}

/** As an HTTP server answers by itself. */
function inFront(path: string, status = 400): ObservedExchange {
  const made = exchange({ path, status, body: '400 Bad Request' });
  return { ...made, response: { ...made.response, headers: [['Content-Type', 'text/plain']] } };
}

it('is content with responses that are as they should be', () => {
  expect(brokenBy(exchange(), exchange({ status: 404 }), exchange({ status: 401 }), list())).toEqual([]);
});

it('does not ask a 400 of an HTTP server in front of the service, to a path that is no URI, for the error object', () => {
  for (const path of ['/computers/%', '/computers/%E0%A4%A', '/printjobs/%zz/states'])
    expect(brokenBy(inFront(path))).toEqual([]);
  for (const one of [inFront('/computers/%E0'), inFront('/computers/%0a%0A'), inFront('/computers/%', 404)])
    expect(brokenBy(one)).toContain('errors/object');
});

it.each([
  ['POST', '/printjobs', 201, true],
  ['POST', '//printjobs/?dir=asc', 201, true],
  ['POST', '/printjobs', 200, false],
  ['PUT', '/printjobs', 201, false],
  ['POST', '/printjobs/5', 201, false],
  ['POST', '/account/apikey/printjobs', 201, false],
])('takes the body of %s %s, %i, for the id of a new job: %s', (method, path, status, isIt) => {
  expect(isNewJob(exchange({ method, path, status }))).toBe(isIt);
});

it.each([
  ['/printjobs', false],
  ['/printjobs/?limit=5', false],
  ['/printjobs/12,13', false],
  ['/printers/3/printjobs/12?dir=asc', false],
  ['//download/clients', false],
  ['/printjobs/12/states', true],
  ['/printers/3', true],
  ['/computers/1/download/clients', true],
])('knows whether the shape of the records of %s is printed: %s', (path, isIt) => {
  expect(hasShownRecords(exchange({ path }))).toBe(isIt);
});

it('counts what it judged, so that nothing passes for want of a case', () => {
  const counts = new Map(invariants.judgeHistory([exchange()], ALL).map(({ clause, judged }) => [clause, judged]));
  expect(counts.get('service/request-id-present')).toBe(1);
  expect(counts.get('errors/object')).toBe(0);
});

const TOOK_LONG = { tookMs: 60_000 };

/** Values of headers that a clause accepts, and values that it does not. */
const VALUES: readonly (readonly [
  clause: ClauseId,
  make: (value: string) => ObservedExchange,
  accepted: readonly string[],
  refused: readonly string[],
])[] = [
  [
    'service/json-content-type',
    (value) => exchange({ headers: { 'Content-Type': value } }),
    ['application/json', ' application/json ', 'Application/JSON  ; charset=utf-8', 'application/json;x'],
    ['text/application/json', 'application/json5', 'application/json x', 'application/'],
  ],
  [
    'service/elapsed-seconds',
    (value) => exchange({ headers: { Elapsed: value } }),
    ['0', '0.004', '0.02', '1e-3', '4E-10', '10e-4', '0.0000e0'],
    [
      '0.0201',
      '1.005',
      '.001',
      '0.',
      '0,004',
      '0.004s',
      '~0.004',
      '-0.004',
      '1e',
      '1e-',
      '1e+-3',
      '1-3',
      '0.0.1',
      '0x0',
    ],
  ],
  [
    'service/elapsed-seconds',
    (value) => exchange({ headers: { Elapsed: value }, ...TOOK_LONG }),
    ['60', '12.75', '1e1', '6E01', '6e+1'],
    ['60.5', '6.1e+1', '1e+', 'e1', '1e1.5'],
  ],
  [
    'service/content-md5-of-body',
    (value) => exchange({ headers: { 'Content-MD5': value } }),
    ['mZFLkyvTelC5g8XnyQrpOw==', '99914b932bd37a50b983c5e7c90ae93b', '99914B932BD37A50B983C5E7C90AE93B'],
    ['', 'mzflkyvtelc5g8xnyqrpow==', '99914b932bd37a50b983c5e7c90ae93c'],
  ],
  [
    'versioning/api-version-semantic',
    (value) => exchange({ headers: { 'Api-Version': value } }),
    [
      '0.0.0',
      '1.2.3',
      '10.20.30',
      '123.456.789',
      '1.0.0-alpha',
      '1.0.0-alpha.1.x-y',
      '1.0.0+b',
      '1.0.0-rc+build.11.e-z',
    ],
    [
      '1',
      '1.2',
      'v1.2.3',
      '1.2.3.4',
      '01.2.3',
      '1.02.3',
      '1.2.03',
      '1.2.3-',
      '1.2.3+',
      '1.2.3-a..b',
      '1.2.3+a..b',
      '1.2.3 x',
      '1.a.3',
      '1.2.a',
      '1a.2.3',
      '1.2a.3',
      '1.2.3a',
      '1.2.3-a!',
      '1.2.3+a!',
    ],
  ],
  [
    'authentication/x-account',
    (value) => exchange({ headers: { 'X-Account': value } }),
    ['1', '7', '1234567890'],
    ['0', '07', '-7', '7a', 'a7', '7.5', ''],
  ],
  [
    'authentication/www-authenticate',
    (value) => exchange({ status: 401, headers: { 'WWW-Authenticate': value } }),
    ['Basic realm=Api', 'basic   realm="api"', 'Bearer realm="x", Basic realm=Api'],
    [
      'Basicrealm=Api',
      'Basic realm=Apis',
      'Basic realm="Api" more',
      'More Basic realm=Api',
      'Basic realm=',
      'Digest realm=Api',
    ],
  ],
  [
    'service/records-returned-is-length',
    (value) => list({ 'Records-Returned': value }),
    ['2', ' 2 ', '02'],
    ['1', '3', '20', '2.0', '2e0', '0x2', '+2', '', 'two'],
  ],
  [
    'service/records-returned-is-length',
    (value) =>
      list(
        { 'Records-Returned': value },
        '/printjobs',
        Array.from({ length: 12 }, (_, index) => ({ id: index + 1 })),
      ),
    ['12'],
    ['1', '2', '12.0', '12a'],
  ],
  [
    'service/records-returned-offset-integer',
    (value) => list({ 'Records-Returned-Offset': value }),
    ['0', '00'],
    ['1', '10', '', '0.0', '-0', 'none'],
  ],
  [
    'service/records-returned-offset-integer',
    (value) => list({ 'Records-Returned-Offset': value }, '/printjobs?after=7'),
    ['0', '7', '120'],
    ['7.5', '-1', 'a1', '1a', ''],
  ],
  [
    'service/records-returned-limit-is-limit',
    (value) => list({ 'Records-Returned-Limit': value }, '/printjobs?dir=asc&limit=5'),
    ['5'],
    ['4', '50', '', '100'],
  ],
  [
    'service/id-positive-integer',
    (value) => list({}, '/printers', [{ id: 9 }, { id: JSON.parse(value) }]),
    ['1'],
    ['0', '-1', '1.5', '"1"', 'null', 'true'],
  ],
  [
    'service/id-positive-integer',
    (value) => exchange({ method: 'POST', path: '/printjobs', status: 201, body: value }),
    ['1', '4503599627370497'],
    ['-2147483648', '0', '1.5', '"1"', '[1]', '{"id":1}', ''],
  ],
  [
    'service/id-positive-integer',
    (value) => exchange({ path: '/printers', body: value }),
    ['[]', '[{"id":1}]'],
    ['', '{}', '{"id":1}', 'null', '[1]', '[null]', '[[]]', '["id"]', '[{}]'],
  ],
  [
    'errors/object',
    (value) => exchange({ status: 400, body: value }),
    ['{}', '{"a":1}'],
    ['', '[]', 'null', '1', '"text"', '<html>'],
  ],
  [
    'errors/object-three-keys',
    (value) => exchange({ status: 400, body: value }),
    ['{"uid":1,"code":2,"message":3}'],
    ['{"uid":1,"code":2}', '{"code":2,"message":3}', '{"uid":1,"message":3}', '{}'],
  ],
  [
    'errors/no-other-keys',
    (value) => exchange({ status: 400, body: value }),
    ['{}', '{"uid":1,"code":2,"message":3}'],
    ['{"uid":1,"more":2}'],
  ],
  ['errors/code-brief', (value) => errorOf({ code: value }), ['C', 'not a word', '\n'], ['']],
  ['errors/message-readable', (value) => errorOf({ message: value }), ['There is nothing', '\n'], ['']],
  [
    'errors/no-internals',
    (value) => errorOf({ message: value }),
    [
      'there is nothing at /printjobs/1,2/states',
      'no such file: index.js',
      'see https://api.example/docs/index.php',
      'Error\nat home',
      'Error\n at',
      'an /srv/app/data.json',
      'an /srv/app.unknown/js',
      'modules of a node',
    ],
    [
      'Error\n    at fn (x.js:1)',
      'Error\n at x',
      '/srv/app.js',
      '(/srv/app.test.ts:3)',
      "open '/a/b.py'",
      'open /opt/app-1.2/lib/x.mjs',
      'open /srv/my.app/x-y.cts',
      'open /srv/x.rb',
      'open /srv/x.go',
      'open /srv/x.php',
      'open /srv/X.java',
      'in node_modules/express',
      'Bad key: the-secret-key',
    ],
  ],
  ['errors/no-internals', (value) => exchange({ status: 400, body: value }), ['', 'srv/app.js'], ['/srv/app.js']],
];

it.each(VALUES.flatMap(([clause, make, accepted]) => accepted.map((value) => [clause, value, make] as const)))(
  '%s accepts %j',
  (clause, value, make) => {
    expect(brokenBy(make(value))).not.toContain(clause);
  },
);

it.each(VALUES.flatMap(([clause, make, , refused]) => refused.map((value) => [clause, value, make] as const)))(
  '%s refuses %j',
  (clause, value, make) => {
    expect(brokenBy(make(value))).toContain(clause);
  },
);

it.each([
  ['Basic', 'eight-ch', ''],
  ['bAsIc  ', 'the-secret-key', 'password'],
])('finds the key of %s credentials in an error, and not its password', (scheme, key, password) => {
  const message = (text: string, name = 'Authorization'): readonly string[] => {
    const credentials = `${scheme} ${Buffer.from(`${key}:${password}`).toString('base64')}`;
    const value = { uid: 'u', code: 'C', message: text };
    return brokenBy(
      exchange({ status: 400, value, headers: { 'Request-Id': 'u' }, requestHeaders: [[name, credentials]] }),
    );
  };
  expect(message(`it was ${key} that came`)).toEqual(['errors/no-internals']);
  expect(message(`it was ${key} that came`, 'AUTHORIZATION')).toEqual(['errors/no-internals']);
  expect(message(`it was ${key} that came`, 'X-Other')).toEqual([]);
  expect(message(`it was ${key.slice(1)} with the word ${password}`)).toEqual([]);
});

it.each([
  ['a key that may stand there by chance', `Basic ${Buffer.from('message:').toString('base64')}`],
  ['another scheme', `Bearer ${Buffer.from('there is:').toString('base64')}`],
  ['another scheme of that end', `Not-Basic ${Buffer.from('there is:').toString('base64')}`],
  ['more than credentials', `Basic ${Buffer.from('there is:').toString('base64')} more`],
])('finds no key in an error after %s', (_, credentials) => {
  const value = { uid: 'u', code: 'C', message: 'there is a message' };
  const requestHeaders = [['Authorization', credentials]] as const;
  expect(brokenBy(exchange({ status: 400, value, headers: { 'Request-Id': 'u' }, requestHeaders }))).toEqual([]);
});

it('shows the line of a stack that it found', () => {
  const [found] = findings(errorOf({ message: 'Error\n    at start (x.js:1)' }));
  expect(found).toContain(String.raw`got "\n    at start"`);
});

it('shows the first of two headers that must not be there', () => {
  const headers = { 'X-Authorized-As': '7', 'X-Child-Account-By-Id': '8' };
  expect(findings(exchange({ headers }))).toEqual([
    'authentication/no-child-no-authorized-as, headers: expected no such header, got X-Authorized-As: 7',
  ]);
});

const lower = (headers: ObservedExchange['response']['headers']): readonly (readonly [string, string])[] =>
  headers.map(([name, value]) => [name.toLowerCase(), value]);

it('asks nothing of a preflight, which may be answered in front of the service', () => {
  const bare = { Elapsed: undefined, 'Response-Time': undefined, 'Content-MD5': undefined, 'X-Account': undefined };
  expect(brokenBy(exchange({ method: 'OPTIONS', headers: bare }))).toEqual([]);
  expect(brokenBy(exchange({ method: 'GET', headers: bare }))).toContain('service/elapsed');
});

it('finds an account that a refusal names, however the header is written', () => {
  expect(brokenBy(exchange({ status: 401, headers: { 'x-account': '7' } }))).toEqual([
    'authentication/refused-names-no-account',
  ]);
});

it('reads names of headers in any case', () => {
  const observed = list();
  const { request, response } = observed;
  const history = [
    {
      ...observed,
      request: { ...request, headers: lower(request.headers) },
      response: { ...response, headers: lower(response.headers) },
    },
  ];
  expect(invariants.judgeHistory(history, ALL).filter(({ mismatches }) => mismatches.length > 0)).toEqual([]);
  expect(
    invariants.judgeHistory(history, ALL).find(({ clause }) => clause === 'authentication/x-account')?.judged,
  ).toBe(1);
});

it('remembers each Request-Id', () => {
  const twice = exchange({ headers: { 'Request-Id': 'same' } });
  expect(findings(twice, exchange(), twice)).toEqual([
    'service/request-id-unique, header Request-Id: expected one that no earlier response carries, got "same" again',
  ]);
});

it('remembers the account of a key, whatever else a request has', () => {
  const other = (): ObservedExchange =>
    exchange({ headers: { 'X-Account': '8' }, requestHeaders: [['X-Pretty', 'true'], KEY] });
  expect(findings(exchange(), other(), other())).toEqual(
    Array(2).fill('authentication/one-account, header X-Account: expected 7, as before with this key, got 8'),
  );
});

it.each<[string, ObservedExchange['request']['headers']]>([
  ['with another key', [['Authorization', 'Basic b3RoZXI6']]],
  ['as a child', [KEY, ['X-Child-Account-By-Id', '9']]],
])('lets a caller %s be another account', (_, requestHeaders) => {
  expect(brokenBy(exchange(), exchange({ headers: { 'X-Account': '9' }, requestHeaders }))).toEqual([]);
});

/** Kinds of exchanges, and what the clauses about them may speak of. */
const KINDS: readonly (readonly [kind: string, observed: ObservedExchange, aspects: string])[] = [
  ['a success', exchange(), 'body headers success content account own'],
  ['status 199', exchange({ status: 199 }), 'body headers'],
  ['status 299', exchange({ status: 299 }), 'body headers success content account own'],
  ['status 300', exchange({ status: 300, body: '1' }), 'headers'],
  ['status 399', exchange({ status: 399 }), 'headers'],
  ['status 400', exchange({ status: 400 }), 'body headers error'],
  ['status 401', exchange({ status: 401 }), 'body headers error refusal'],
  ['no content', exchange({ status: 204, body: '' }), 'headers success account own'],
  ['one byte', exchange({ body: '1' }), 'body headers success content account own'],
  ['no headers', exchange({ body: '', headers: NO_HEADERS }), 'success content sent'],
  [
    'more headers of the caller',
    exchange({ requestHeaders: [['X-Pretty', 'true'], KEY] }),
    'body headers success content account own',
  ],
  [
    'as a child',
    exchange({ requestHeaders: [KEY, ['x-child-account-by-email', 'a@b.example']] }),
    'body headers success content account',
  ],
  [
    'another header of that end',
    exchange({ requestHeaders: [KEY, ['Not-X-Child-Account-By-Id', '9']] }),
    'body headers success content account own',
  ],
  ['without credentials', exchange({ requestHeaders: [] }), 'body headers success content'],
  ['ping', exchange({ path: '/ping' }), 'body headers success content'],
  ['ping with a query', exchange({ path: '//ping/?a=1' }), 'body headers success content'],
  ['ping at the end', exchange({ path: '/accounts/ping' }), 'body headers success content account own'],
  ['ping as a beginning', exchange({ path: '/pings' }), 'body headers success content account own'],
  ['a list', list(), 'body headers success content account own list page'],
  ['a list by ids', list({}, '/computers/1,2/'), 'body headers success content account own list page'],
  ['a second page', list({}, '/printjobs?after=7'), 'body headers success content account own list page'],
  ['a limit', list({}, '/printers?limit=7'), 'body headers success content account own list limit'],
  ['the least limit', list({}, '/printers?limit=1'), 'body headers success content account own list limit'],
  ['the limit 0', list({}, '/printers?limit=0'), 'body headers success content account own list'],
  ['a limit in parts', list({}, '/printers?limit=1.5'), 'body headers success content account own list'],
  ['the greatest sure limit', list({}, '/printers?limit=100'), 'body headers success content account own list limit'],
  // Which of two values counts is not printed.
  ['two limits', list({}, '/printers?limit=5&limit=6'), 'body headers success content account own list'],
  ['a limit that may be cut', list({}, '/printers?limit=101'), 'body headers success content account own list'],
  [
    'a POST to a list',
    exchange({ method: 'POST', path: '/printjobs?limit=5' }),
    'body headers success content account own',
  ],
  ['a list that did not come', exchange({ path: '/printjobs', status: 204 }), 'body headers success account own'],
  ['states of all jobs', exchange({ path: '/printjobs/states?limit=5' }), 'body headers success content account own'],
  ['states of some jobs', list({}, '/printjobs/1,2/states'), 'body headers success content account own'],
  ['a refresh', exchange({ path: '/printers/refresh' }), 'body headers success content account own'],
  [
    'a set at the end of that word',
    list({}, '/computers/1/printers/refresh'),
    'body headers success content account own list page',
  ],
  ['a set that begins with it', list({}, '/printers/refresh-1'), 'body headers success content account own list page'],
];

const CLAUSES_ABOUT: Readonly<Record<string, readonly ClauseId[]>> = {
  body: ['service/body-is-json'],
  headers: [
    'service/request-id-unique',
    'service/elapsed-seconds',
    'service/content-md5-of-body',
    'versioning/api-version-semantic',
  ],
  success: [
    'service/request-id-present',
    'service/elapsed',
    'service/response-time',
    'versioning/api-version',
    'service/access-control-allow-origin',
    'service/access-control-allow-headers',
    'service/access-control-allow-methods',
    'service/access-control-expose-headers',
  ],
  content: ['service/json-content-type', 'service/content-md5'],
  'content error': ['service/json-content-type-exact'],
  error: [
    'service/json-content-type-errors',
    'service/request-id-on-errors',
    'versioning/api-version-on-errors',
    'service/access-control-on-errors',
    'errors/object',
    'errors/object-three-keys',
    'errors/no-other-keys',
    'errors/uid-is-request-id',
    'errors/code-brief',
    'errors/message-readable',
    'errors/no-internals',
    'service/headers-on-errors',
  ],
  refusal: ['authentication/www-authenticate', 'authentication/refused-names-no-account'],
  'account sent': ['authentication/x-account', 'authentication/x-auth-with'],
  account: ['authentication/one-account', 'authentication/x-auth-with-api-key'],
  'own sent': ['authentication/no-child-no-authorized-as'],
  list: [
    'service/records-returned',
    'service/records-returned-is-length',
    'service/records-returned-offset',
    'service/records-returned-offset-integer',
    'service/records-returned-limit',
    'service/records-total',
    'service/id-positive-integer',
    'service/id-unique-in-list',
  ],
  page: ['service/records-returned-limit-default'],
  limit: ['service/records-returned-limit-is-limit'],
};

it.each(KINDS)('judges %s by the clauses that speak of it', (_, observed, aspects) => {
  const judged = invariants.judgeHistory([observed], ALL).flatMap((one) => (one.judged > 0 ? [one.clause] : []));
  const expected = Object.entries(CLAUSES_ABOUT).flatMap(([about, clauses]) =>
    about.split(' ').some((aspect) => aspects.split(' ').includes(aspect)) ? clauses : [],
  );
  expect(judged.toSorted()).toEqual([...expected, 'service/no-5xx-on-bad-input'].toSorted());
});

it('judges nothing by the answer to a HEAD, which speaks of a body that it has not', () => {
  const sound = exchange();
  const head = { ...sound, request: { ...sound.request, method: 'HEAD' } };
  expect(invariants.judgeHistory([head], ALL).filter(({ judged }) => judged > 0)).toEqual([]);
});

it('judges by nothing else', () => {
  const clauses = [...Object.values(CLAUSES_ABOUT).flat(), 'service/no-5xx-on-bad-input'];
  expect(ALL.map(({ clause }) => clause).toSorted()).toEqual(clauses.toSorted());
});

it.each<[string, ObservedExchange, string[]]>([
  [
    'no headers and no body',
    exchange({ headers: NO_HEADERS, body: '' }),
    [
      'service/json-content-type, header Content-Type: expected application/json, got no such header',
      'service/json-content-type-exact, header Content-Type: expected application/json and nothing more, got no such header',
      'service/request-id-present, header Request-Id: expected a value, got no such header',
      'service/elapsed, header Elapsed: expected a value, got no such header',
      'service/content-md5, header Content-MD5: expected a value, got no such header',
      'versioning/api-version, header Api-Version: expected a value, got no such header',
      'authentication/x-account, header X-Account: expected an account id, got no such header',
      'authentication/x-auth-with, header X-Auth-With: expected a value, got no such header',
    ],
  ],
  [
    'a page instead of JSON',
    exchange({ headers: { 'Content-Type': 'text/html' }, body: '<p>' }),
    [
      'service/json-content-type, header Content-Type: expected application/json, got "text/html"',
      'service/json-content-type-exact, header Content-Type: expected application/json and nothing more, got "text/html"',
      'service/body-is-json, body: expected JSON, got a body that is not JSON: "<p>"',
    ],
  ],
  [
    'a charset',
    exchange({ headers: { 'Content-Type': 'application/json; charset=utf-8' } }),
    [
      'service/json-content-type-exact, header Content-Type: expected application/json and nothing more, got "application/json; charset=utf-8"',
    ],
  ],
  [
    'headers without a value',
    exchange({ headers: { Elapsed: '', 'Access-Control-Allow-Origin': '' } }),
    [
      'service/elapsed, header Elapsed: expected a value, got ""',
      'service/elapsed-seconds, header Elapsed: expected seconds, not more than the caller waited, got ""',
      'service/access-control-allow-origin, header Access-Control-Allow-Origin: expected a value, got ""',
    ],
  ],
  [
    'nothing wrong with lists in headers that are empty',
    exchange({ headers: { 'Access-Control-Expose-Headers': '', 'Access-Control-Allow-Methods': '' } }),
    [],
  ],
  [
    'headers that are not true',
    exchange({ headers: { Elapsed: '5', 'Content-MD5': 'x', 'Api-Version': '1.2' } }),
    [
      'service/elapsed-seconds, header Elapsed: expected seconds, not more than the caller waited, got "5"',
      'service/content-md5-of-body, header Content-MD5: expected the MD5 digest of the body, got "x"',
      'versioning/api-version-semantic, header Api-Version: expected a semantic version, got "1.2"',
    ],
  ],
  [
    'an error that is an array',
    exchange({ headers: { 'Request-Id': 'r' }, status: 400, body: '[]' }),
    [
      'errors/object, body: expected an object, got []',
      'errors/object-three-keys, body: expected the keys uid, code and message, got []',
      'errors/no-other-keys, body: expected no keys but uid, code and message, got []',
      'errors/uid-is-request-id, body.uid: expected the Request-Id, "r", got nothing',
      'errors/code-brief, body.code: expected a string, got nothing',
      'errors/message-readable, body.message: expected a string, got nothing',
    ],
  ],
  [
    'an empty error without a Request-Id',
    exchange({ headers: { 'Request-Id': undefined }, status: 400, body: '{}' }),
    [
      'service/request-id-on-errors, header Request-Id: expected a value, got no such header',
      'errors/object-three-keys, body: expected the keys uid, code and message, got {}',
      'errors/uid-is-request-id, body.uid: expected the Request-Id, nothing, got nothing',
      'errors/code-brief, body.code: expected a string, got nothing',
      'errors/message-readable, body.message: expected a string, got nothing',
    ],
  ],
  [
    'an error without headers',
    exchange({
      headers: {
        ...NO_HEADERS,
        'Response-Time': undefined,
        'Access-Control-Allow-Origin': undefined,
        'Access-Control-Expose-Headers': undefined,
      },
      status: 400,
      body: 'null',
    }),
    [
      'service/json-content-type-errors, header Content-Type: expected application/json, got no such header',
      'service/json-content-type-exact, header Content-Type: expected application/json and nothing more, got no such header',
      'service/request-id-on-errors, header Request-Id: expected a value, got no such header',
      'versioning/api-version-on-errors, header Api-Version: expected a value, got no such header',
      'service/access-control-on-errors, headers: expected Access-Control-Allow-Origin, Access-Control-Allow-Headers, Access-Control-Allow-Methods, Access-Control-Expose-Headers, got no Access-Control-Allow-Origin, no Access-Control-Expose-Headers',
      'errors/object, body: expected an object, got null',
      'errors/object-three-keys, body: expected the keys uid, code and message, got null',
      'errors/no-other-keys, body: expected no keys but uid, code and message, got null',
      'errors/uid-is-request-id, body.uid: expected the Request-Id, nothing, got nothing',
      'errors/code-brief, body.code: expected a string, got nothing',
      'errors/message-readable, body.message: expected a string, got nothing',
      'service/headers-on-errors, headers: expected Elapsed, Response-Time, Api-Version, Content-MD5, got no Elapsed, no Response-Time, no Api-Version, no Content-MD5',
    ],
  ],
  [
    'an error with a key',
    errorOf({ message: 'bad key: the-secret-key' }),
    ['errors/no-internals, body: expected nothing of the inside of the service, and no key, got the key of the caller'],
  ],
  [
    'an error with a file',
    errorOf({ message: 'see /srv/app/main.py' }),
    ['errors/no-internals, body: expected nothing of the inside of the service, and no key, got " /srv/app/main.py"'],
  ],
  [
    'an error of other types',
    errorOf({ code: 5, message: null, more: 1 }),
    [
      'errors/no-other-keys, body: expected no keys but uid, code and message, got {"uid":"u","code":5,"message":null,"more":1}',
      'errors/code-brief, body.code: expected a string, got 5',
      'errors/message-readable, body.message: expected a string, got null',
    ],
  ],
  [
    'an error of another request',
    errorOf({ uid: 'v', code: 'Not Found', message: '' }),
    [
      'errors/uid-is-request-id, body.uid: expected the Request-Id, "u", got "v"',
      'errors/message-readable, body.message: expected a string, got ""',
    ],
  ],
  [
    'another account',
    exchange({ headers: { 'X-Account': '0', 'X-Auth-With': 'Key', 'x-authorized-as': '8' } }),
    [
      'authentication/x-account, header X-Account: expected an account id, got "0"',
      'authentication/x-auth-with-api-key, header X-Auth-With: expected ApiKey, got "Key"',
      'authentication/no-child-no-authorized-as, headers: expected no such header, got x-authorized-as: 8',
    ],
  ],
  [
    'a refusal in another way',
    exchange({ status: 401, headers: { 'X-Account': '8', 'WWW-Authenticate': 'Digest realm=Api' } }),
    [
      'authentication/www-authenticate, header WWW-Authenticate: expected Basic realm=Api, got "Digest realm=Api"',
      'authentication/refused-names-no-account, headers: expected no such header, got X-Account: 8',
    ],
  ],
  [
    'counts of another list',
    list(
      {
        'Records-Returned': '3',
        'Records-Returned-Offset': '1',
        'Records-Returned-Limit': '50',
        'Records-Total': undefined,
      },
      '/printjobs?limit=5',
    ),
    [
      'service/records-returned-is-length, header Records-Returned: expected the number of records in the body, got "3"',
      'service/records-returned-offset-integer, header Records-Returned-Offset: expected an integer, 0 on a first page, got "1"',
      'service/records-returned-limit-is-limit, header Records-Returned-Limit: expected the limit that was asked for, got "50"',
      'service/records-total, header Records-Total: expected a value, got no such header',
    ],
  ],
  [
    'counts that are missing',
    list({ 'Records-Returned': undefined, 'Records-Returned-Offset': undefined, 'Records-Returned-Limit': undefined }),
    [
      'service/records-returned, header Records-Returned: expected a value, got no such header',
      'service/records-returned-is-length, header Records-Returned: expected the number of records in the body, got no such header',
      'service/records-returned-offset, header Records-Returned-Offset: expected a value, got no such header',
      'service/records-returned-offset-integer, header Records-Returned-Offset: expected an integer, 0 on a first page, got no such header',
      'service/records-returned-limit, header Records-Returned-Limit: expected a value, got no such header',
      'service/records-returned-limit-default, header Records-Returned-Limit: expected 100, got no such header',
    ],
  ],
  [
    'another limit than the usual',
    list({ 'Records-Returned-Limit': '50' }),
    ['service/records-returned-limit-default, header Records-Returned-Limit: expected 100, got "50"'],
  ],
  [
    'ids twice',
    list({ 'Records-Returned': '4' }, '/printers', [{ id: 3 }, { id: 2 }, { id: 2 }, { id: 3 }]),
    ['service/id-unique-in-list, body: expected each id once, got id 2 twice'],
  ],
  [
    'what is called id twice in records that are not shown, and differ',
    list({ 'Records-Returned': '2' }, '/printjobs', [
      { id: 2, number: 7 },
      { id: 2, number: 6 },
    ]),
    [],
  ],
  [
    'a record twice that is not shown',
    list({ 'Records-Returned': '2' }, '/printjobs', [
      { id: 2, number: 7 },
      { id: 2, number: 7 },
    ]),
    ['service/id-unique-in-list, body: expected each id once, got id 2 twice'],
  ],
  [
    'ids of another type',
    list({}, '/printers', [{ id: 'a' }, { id: 0 }]),
    ['service/id-positive-integer, id: expected a positive integer, got "a"'],
  ],
  [
    'records without an id',
    list({}, '/printers', [{ name: 'a' }, { id: 1 }]),
    ['service/id-positive-integer, id: expected a positive integer, got nothing'],
  ],
  [
    'nothing wrong with what print jobs call their id',
    list({}, '/printjobs', [{ printJobId: 2 }, { printJobId: 1 }]),
    [],
  ],
  [
    'a print job without the id of the others',
    list({}, '/printers/7/printjobs', [{ id: 2 }, { name: 'a' }]),
    ['service/id-positive-integer, id: expected a positive integer, got nothing'],
  ],
  [
    'no list where one is due',
    list({}, '/printers', { id: 1 }),
    [
      'service/records-returned-is-length, header Records-Returned: expected the number of records in the body, got "2"',
      'service/id-positive-integer, id: expected a positive integer, got nothing',
    ],
  ],
  ['a 5xx', exchange({ status: 500 }), ['service/no-5xx-on-bad-input, status: expected no 5xx, got 500']],
])('finds %s, and nothing else', (_, observed, found) => {
  expect(findings(observed)).toEqual(found);
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
