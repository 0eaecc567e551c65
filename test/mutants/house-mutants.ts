/**
 * Mutants of what is the same everywhere: bodies, headers, errors, sets, pages, and accounts that never meet.
 */

import type { ServiceRules } from '../../src/service/service-rules.ts';
import { ACCOUNT_FIELDS } from '../../src/spec/fields.ts';
import { FIRST_KEY, SECOND_KEY } from '../support/running-service.ts';
import type { Meddle, PassingAnswer, PassingRequest, Rewrite } from './meddling-proxy.ts';
import { acceptRefused, headerOf, instead, isForChild, refuse, status } from './mutant-tools.ts';
import { basicOf, errors, json, pages, recordHeaders, withoutHeader, type Mutant } from './mutants.ts';

const ANY = /./;
const NOOP = /^GET \/noop/;
const WHOAMI = /^GET \/whoami/;
const SUBMIT = /^POST \/printjobs$/;
const JOB_SET = /^GET \/printjobs\/[^/?]+(\?|$)/;
const DELETE_SET = /^DELETE \/printjobs\/[^/?]+,/;
const LISTS = /^GET \/(computers|printers|printjobs)\b/;

type Fields = Record<string, unknown>;
type Records = readonly unknown[];

const isAnonymous = ({ request }: PassingAnswer): boolean => headerOf(request, 'authorization') === undefined;
const isError = (answer: PassingAnswer): boolean => answer.status >= 400;
const account = (change: Fields): Meddle => json(WHOAMI, (value: Fields) => ({ ...value, ...change }));

const isAuthorization = (name: string | undefined): boolean => name?.toLowerCase() === 'authorization';

/** Headers with another Authorization. */
function authorized({ headers }: PassingRequest, authorization: string): string[] {
  if (!headers.some(isAuthorization)) return [...headers, 'Authorization', authorization];
  return headers.map((value, index) =>
    index % 2 === 1 && isAuthorization(headers[index - 1]) ? authorization : value,
  );
}

/** Credentials that count as those of the first account. */
function takenForFirst(credentials: RegExp): Rewrite {
  return (request) =>
    credentials.test(headerOf(request, 'authorization') ?? '')
      ? { headers: authorized(request, basicOf(FIRST_KEY)) }
      : undefined;
}

/** Requests of the second account that go to the first one. */
function mixedUp(pattern: RegExp): Rewrite {
  return instead(pattern, (request) =>
    headerOf(request, 'authorization') === basicOf(SECOND_KEY)
      ? { headers: authorized(request, basicOf(FIRST_KEY)) }
      : undefined,
  );
}

/** Errors lose a header. */
function errorsWithout(unwanted: string): Meddle {
  return (answer) => (isError(answer) ? { headers: changed(answer.headers, unwanted) } : undefined);
}

/** Headers without one, or with another value of it. */
function changed(headers: readonly string[], name: string, value?: string): string[] {
  return headers.flatMap((header, index) => {
    if (index % 2 === 1) return [];
    if (header !== name) return [header, headers[index + 1] ?? ''];
    return value === undefined ? [] : [header, value];
  });
}

/** Another body for errors that match. */
function errorBody(body: string, when: (answer: PassingAnswer) => boolean = () => true): Meddle {
  return (answer) => (isError(answer) && when(answer) ? { body } : undefined);
}

const errorCode = (code: string, when: (answer: PassingAnswer) => boolean): Meddle =>
  errorBody(JSON.stringify({ uid: 'x', code, message: 'changed on the way' }), when);

const setOf = (path: string): readonly string[] =>
  (/\/printjobs\/([^/?]+)/.exec(path)?.[1] ?? '').split(/,|%2C/i);

/** Another set in place of the one in the path. */
function otherSet(pattern: RegExp, change: (ids: readonly string[]) => readonly string[]): Rewrite {
  return instead(pattern, ({ path }) => {
    const set = change(setOf(path)).join(',');
    return { path: path.replace(/\/printjobs\/[^/?]+/, set === '' ? '/printjobs' : `/printjobs/${set}`) };
  });
}

const hasRepetition = (path: string): boolean => new Set(setOf(path)).size < setOf(path).length;

function parsed(change: (page: ReturnType<ServiceRules['parsePage']>) => object): Partial<ServiceRules> {
  return pages((page) => change(page));
}

/** Pages counted from the top of the list as it is now, not from the record that was last seen. */
function byPosition(): Rewrite {
  let inserted = 0;
  return (request) => {
    const { method, path } = request;
    if (method === 'POST' && path === '/printjobs') inserted++;
    if (method !== 'GET' || !path.includes('limit=2')) return undefined;
    const after = /after=(\d+)/.exec(path)?.[1];
    if (after === undefined) {
      inserted = 0;
      return undefined;
    }
    return { path: path.replace(/after=\d+/, `after=${Number(after) + inserted}`) };
  };
}

/** A header of lists that is missing. */
const withoutRecordHeader = (unwanted: string): Partial<ServiceRules> =>
  recordHeaders((name, value) => (name === unwanted ? undefined : value));

let answers = 0;

/** Each field of the account object is of a type that it must not have. */
const FIELD_MUTANTS: readonly Mutant[] = Object.entries(ACCOUNT_FIELDS).map(([field, { clause }]) => ({
  name: `${field} has another type`,
  clause,
  meddle: account({ [field]: field === 'Tags' ? 'none' : {} }),
}));

export const HOUSE_MUTANTS: readonly Mutant[] = [
  // Miscellaneous
  { name: 'GET /ping answers 503', clause: 'misc/ping', meddle: status(/^GET \/ping/, 503) },
  {
    name: 'GET /ping looks at credentials',
    clause: 'misc/ping-with-bad-credentials',
    meddle: status(/^GET \/ping/, 401, (answer) => !isAnonymous(answer)),
  },
  {
    name: 'GET /noop answers 202',
    clause: 'misc/noop',
    meddle: status(NOOP, 202, (answer) => !isError(answer)),
  },
  {
    name: 'GET /noop forbids nobody in particular',
    clause: 'misc/noop-missing-401',
    meddle: status(NOOP, 403, isAnonymous),
  },
  {
    name: 'GET /noop forbids wrong keys',
    clause: 'misc/noop-invalid-401',
    meddle: status(NOOP, 403, (answer) => isError(answer) && !isAnonymous(answer)),
  },

  // Authentication
  {
    name: 'another code for a 401',
    clause: 'errors/invalid-credentials',
    rules: errors((error) =>
      error['code'] === 'InvalidCredentials' ? { ...error, code: 'Unauthorized' } : error,
    ),
  },
  {
    name: 'an empty key will do',
    clause: 'authentication/empty-key-401',
    rewrite: takenForFirst(/^Basic Og==$/),
  },
  {
    name: 'any bearer will do',
    clause: 'authentication/other-scheme-401',
    rewrite: takenForFirst(/^Bearer /),
  },
  {
    name: 'a malformed header is a bad request',
    clause: 'authentication/malformed-header-401',
    meddle: status(ANY, 400, ({ request }) => headerOf(request, 'authorization') === 'Basic !?!'),
  },
  {
    name: 'downloads are for everybody',
    clause: 'authentication/required-everywhere',
    meddle: acceptRefused(/download/, isAnonymous),
  },
  {
    name: 'a body is judged before the credentials',
    clause: 'authentication/refusal-first',
    meddle: status(SUBMIT, 400, isAnonymous),
  },
  {
    name: 'a submission without credentials is printed and refused',
    clause: 'authentication/refused-does-nothing',
    rewrite: instead(SUBMIT, (request) =>
      headerOf(request, 'authorization') === undefined
        ? { headers: authorized(request, basicOf(FIRST_KEY)) }
        : undefined,
    ),
    meddle: status(SUBMIT, 401, isAnonymous),
  },
  {
    name: 'X-Account changes from answer to answer',
    clause: 'authentication/one-account',
    meddle: ({ headers }) => ({ headers: changed(headers, 'X-Account', String(++answers)) }),
  },
  {
    name: 'X-Authorized-As for everybody',
    clause: 'authentication/no-child-no-authorized-as',
    meddle: ({ headers, request }) =>
      isForChild(request) ? undefined : { headers: [...headers, 'X-Authorized-As', '1'] },
  },
  {
    name: 'a 401 names an account',
    clause: 'authentication/refused-names-no-account',
    meddle: (answer) =>
      answer.status === 401 ? { headers: [...answer.headers, 'X-Account', '1'] } : undefined,
  },

  // The account object
  { name: 'no account object', clause: 'accounts/whoami', meddle: status(WHOAMI, 404) },
  ...FIELD_MUTANTS,
  {
    name: 'credits are left out',
    clause: 'accounts/fields-always-present',
    meddle: account({ credits: undefined }),
  },
  {
    name: 'the account object shows a key',
    clause: 'accounts/secrets-not-shown',
    meddle: account({ lastname: FIRST_KEY }),
  },
  {
    name: 'one computer at all times',
    clause: 'accounts/num-computers-counts',
    meddle: account({ numComputers: 1 }),
  },

  // Bodies
  {
    name: 'a body cut off is a bad request',
    clause: 'errors/invalid-content-truncated',
    meddle: errorCode('BadRequest', ({ request }) => !/\}$|^[^{]/.test(request.body.toString('utf8'))),
  },
  {
    name: 'a body that is no UTF-8 breaks the service',
    clause: 'errors/invalid-content-encoding',
    meddle: status(SUBMIT, 500, ({ request }) => request.body.includes(0xff)),
  },
  {
    name: 'a job is made of a body with something behind it',
    clause: 'errors/invalid-content-does-nothing',
    rewrite: instead(SUBMIT, ({ body }) => ({ body: body.toString('utf8').replace(/\} and more$/, '}') })),
    meddle: refuse(SUBMIT, ({ request }) => request.body.toString('utf8').endsWith('and more')),
  },
  {
    name: 'no white space before a body',
    clause: 'errors/valid-content-accepted',
    meddle: refuse(SUBMIT, ({ request }) => /^\s/.test(request.body.toString('utf8', 0, 10))),
  },
  {
    name: 'a body too large is a bad request',
    clause: 'errors/body-too-large',
    meddle: status(SUBMIT, 400, (answer) => answer.status === 413),
  },
  {
    name: 'a 413 without the error object',
    clause: 'errors/body-too-large-object',
    meddle: errorBody('{}', (answer) => answer.status === 413),
  },
  {
    name: 'a body of any size',
    clause: 'limits/body-over-refused',
    meddle: acceptRefused(SUBMIT, (answer) => answer.status === 413),
  },
  {
    name: 'JSON is refused where it says so',
    clause: 'service/json-bodies',
    meddle: refuse(SUBMIT, ({ request }) => headerOf(request, 'content-type') === 'application/json'),
  },
  {
    name: 'a body must say what it is',
    clause: 'service/json-assumed',
    meddle: refuse(SUBMIT, ({ request }) => headerOf(request, 'content-type') === undefined),
  },
  {
    name: 'no forms',
    clause: 'service/form-bodies',
    meddle: refuse(SUBMIT, ({ request }) => /form/.test(headerOf(request, 'content-type') ?? '')),
  },
  {
    name: 'a form loses its title',
    clause: 'service/form-same-meaning',
    rewrite: instead(SUBMIT, ({ body, headers }) =>
      headers.some((value) => /x-www-form/.test(value))
        ? { body: body.toString('utf8').replace(/title=[^&]*/, 'title=x') }
        : undefined,
    ),
  },
  {
    name: 'text outside ASCII is lost',
    clause: 'service/text-unharmed',
    rewrite: instead(SUBMIT, ({ body }) => ({
      body: body.toString('utf8').replaceAll(/\P{ASCII}/gu, '?'),
    })),
  },

  // Requests
  {
    name: 'a path that does not exist answers a text',
    clause: 'service/unknown-path-is-error',
    meddle: errorBody('"not found"', (answer) => answer.status === 404),
  },
  {
    name: 'a method that does not exist answers a text',
    clause: 'service/unknown-method-is-error',
    meddle: errorBody('"no such method"', (answer) => answer.status === 405),
  },
  {
    name: 'X-Pretty is refused',
    clause: 'service/x-pretty-accepted',
    meddle: refuse(ANY, ({ request }) => headerOf(request, 'x-pretty') !== undefined),
  },
  {
    name: 'X-Pretty wraps the answer',
    clause: 'service/x-pretty-same-value',
    meddle: (answer) =>
      headerOf(answer.request, 'x-pretty') === undefined ? undefined : { body: `{"pretty":${answer.body}}` },
  },
  {
    name: 'X-Dont-Log is refused',
    clause: 'service/x-dont-log-accepted',
    meddle: refuse(ANY, ({ request }) => headerOf(request, 'x-dont-log') !== undefined),
  },
  {
    name: 'Accept-Version is refused',
    clause: 'versioning/accept-version-accepted',
    meddle: refuse(ANY, ({ request }) => headerOf(request, 'accept-version') !== undefined),
  },
  { name: 'a preflight needs credentials', clause: 'service/preflight', meddle: status(/^OPTIONS/, 401) },
  {
    name: 'odd parameters break the service',
    clause: 'service/no-5xx-on-bad-input',
    meddle: status(LISTS, 500, isError),
  },

  // Identifiers and sets
  {
    name: 'a record stands twice in a list',
    clause: 'service/id-unique-in-list',
    meddle: json(/^GET \/printers(\?|$)/, (list: Records) => [...list, ...list.slice(0, 1)]),
  },
  {
    name: 'ids are texts',
    clause: 'service/id-positive-integer',
    meddle: json(/^GET \/printers(\?|$)/, (list: readonly Fields[]) =>
      list.map((one) => ({ ...one, id: String(one['id']) })),
    ),
  },
  { name: 'a set shows all', clause: 'service/set-restricts', rewrite: otherSet(JOB_SET, () => []) },
  {
    name: 'a set is read as far as it ascends',
    clause: 'service/set-order-irrelevant',
    rewrite: otherSet(JOB_SET, (ids) =>
      ids.filter((id, index) => index === 0 || Number(id) >= Number(ids[0])),
    ),
  },
  {
    name: 'a repeated id shows its record twice',
    clause: 'service/set-repeats-once',
    meddle: (answer) =>
      hasRepetition(answer.path)
        ? json(JOB_SET, (list: Records) => [...list, ...list.slice(0, 1)])(answer)
        : undefined,
  },
  {
    name: 'a repeated id counts twice in the total',
    clause: 'service/set-repeats-once-in-totals',
    meddle: ({ path, headers }) =>
      JOB_SET.test(`GET ${path}`)
        ? { headers: changed(headers, 'Records-Total', String(setOf(path).length)) }
        : undefined,
  },
  {
    name: 'a set is its first id',
    clause: 'service/set-comma-separated',
    rewrite: otherSet(JOB_SET, (ids) => ids.slice(0, 1)),
  },
  {
    name: 'an encoded comma ends a set',
    clause: 'service/set-encoded-comma',
    rewrite: otherSet(/^GET \/printjobs\/\d+%2C/i, (ids) => ids.slice(0, 1)),
  },
  {
    name: 'a repeated id is deleted twice',
    clause: 'service/set-repeats-once-in-deletes',
    meddle: json(DELETE_SET, (ids: Records) => [...ids, ...ids.slice(0, 1)]),
  },
  {
    name: 'zero means everything',
    clause: 'service/set-zero-refused',
    rewrite: otherSet(/^GET \/printjobs\/0$/, () => []),
  },
  {
    name: 'what is no integer in a set is left out',
    clause: 'service/set-text-refused',
    rewrite: otherSet(JOB_SET, (ids) => ids.filter((id) => /^\d+$/.test(id))),
  },

  // Pages
  {
    name: 'lists are upside down',
    clause: 'service/page-dir',
    meddle: json(LISTS, (list: Records) => list.toReversed()),
  },
  {
    name: 'descending lists ascend',
    clause: 'service/page-dir-desc',
    rules: parsed(() => ({ dir: 'asc' })),
  },
  {
    name: 'two records at least',
    clause: 'service/page-limit-one',
    rules: parsed(({ limit }) => ({ limit: Math.max(2, limit) })),
  },
  {
    name: 'after is ignored descending',
    clause: 'service/page-after-desc',
    rules: parsed(({ after, dir }) => ({ after: dir === 'desc' ? undefined : after })),
  },
  {
    name: 'an empty after is refused descending',
    clause: 'service/page-after-empty-desc',
    meddle: refuse(LISTS, ({ path }) => /after=(&|$)/.test(path) && !path.includes('dir=asc')),
  },
  {
    name: 'an empty after is refused ascending',
    clause: 'service/page-after-empty-asc',
    meddle: refuse(LISTS, ({ path }) => /after=(&|$)/.test(path) && path.includes('dir=asc')),
  },
  {
    name: 'there is nothing after the last record',
    clause: 'service/page-after-last',
    meddle: status(LISTS, 404, ({ path, body }) => path.includes('after=') && body === '[]'),
  },
  {
    name: 'after must be a record',
    clause: 'service/page-after-missing-record',
    meddle: refuse(LISTS, ({ path }) => Number(/after=(\d+)/.exec(path)?.[1]) > 1_000_000),
  },
  {
    name: 'a record is lost between two pages',
    clause: 'service/pages-complete',
    rules: parsed(({ after, dir }) => ({ after: after && (dir === 'asc' ? after + 1 : after - 1) })),
  },
  { name: 'pages go by position', clause: 'service/pages-stable-under-inserts', rewrite: byPosition() },
  {
    name: 'sets have no pages',
    clause: 'service/page-in-sets',
    rewrite: instead(JOB_SET, ({ path }) => ({ path: path.replace(/\?.*/, '') })),
  },
  {
    name: 'the oldest records by default',
    clause: 'limits/page-size-default-newest',
    rules: pages((_, query) => (query.size === 0 ? { dir: 'asc' } : {})),
  },
  {
    name: 'the total of a set is that of all',
    clause: 'service/records-total-of-set',
    meddle: ({ path, headers }) =>
      JOB_SET.test(`GET ${path}`) ? { headers: changed(headers, 'Records-Total', '1000') } : undefined,
  },
  {
    name: 'no Records-Returned-Offset',
    clause: 'service/records-returned-offset',
    rules: withoutRecordHeader('Records-Returned-Offset'),
  },
  {
    name: 'no Records-Returned-Limit',
    clause: 'service/records-returned-limit',
    rules: withoutRecordHeader('Records-Returned-Limit'),
  },
  { name: 'no Records-Total', clause: 'service/records-total', rules: withoutRecordHeader('Records-Total') },
  {
    name: 'a default limit of 50 is shown',
    clause: 'service/records-returned-limit-default',
    rules: recordHeaders((name, value) =>
      name === 'Records-Returned-Limit' && value === '100' ? '50' : value,
    ),
  },

  // Accounts never meet
  {
    name: 'lists show everybody’s',
    clause: 'service/isolation-lists',
    rewrite: mixedUp(/^GET \/(computers|printers|printjobs)\?/),
  },
  {
    name: 'sets reach everybody’s',
    clause: 'service/isolation-sets',
    rewrite: mixedUp(/^GET \/(computers|printers|printjobs)\//),
  },
  { name: 'deletes reach everybody’s', clause: 'service/isolation-deletes', rewrite: mixedUp(/^DELETE /) },

  // Headers
  {
    name: 'errors are HTML',
    clause: 'service/json-content-type-errors',
    meddle: (answer) =>
      isError(answer) ? { headers: changed(answer.headers, 'Content-Type', 'text/html') } : undefined,
  },
  {
    name: 'GET /ping says OK',
    clause: 'service/body-is-json',
    meddle: (answer) => (answer.path === '/ping' ? { body: 'OK' } : undefined),
  },
  {
    name: 'no Request-Id on errors',
    clause: 'service/request-id-on-errors',
    meddle: errorsWithout('Request-Id'),
  },
  { name: 'no Elapsed', clause: 'service/elapsed', rules: withoutHeader('Elapsed') },
  { name: 'no Response-Time', clause: 'service/response-time', rules: withoutHeader('Response-Time') },
  { name: 'no Content-MD5', clause: 'service/content-md5', rules: withoutHeader('Content-MD5') },
  { name: 'no Api-Version', clause: 'versioning/api-version', rules: withoutHeader('Api-Version') },
  {
    name: 'no Api-Version on errors',
    clause: 'versioning/api-version-on-errors',
    meddle: errorsWithout('Api-Version'),
  },
  { name: 'no Elapsed on errors', clause: 'service/headers-on-errors', meddle: errorsWithout('Elapsed') },
  {
    name: 'no access control on errors',
    clause: 'service/access-control-on-errors',
    meddle: errorsWithout('Access-Control-Allow-Origin'),
  },
  ...(['headers', 'methods'] as const).map((what) => ({
    name: `no Access-Control-Allow-${what}`,
    clause: `service/access-control-allow-${what}` as const,
    rules: withoutHeader(`Access-Control-Allow-${what === 'headers' ? 'Headers' : 'Methods'}`),
  })),
  {
    name: 'no Access-Control-Expose-Headers',
    clause: 'service/access-control-expose-headers',
    rules: withoutHeader('Access-Control-Expose-Headers'),
  },

  // The error object
  { name: 'errors are arrays', clause: 'errors/object', meddle: errorBody('[]') },
  {
    name: 'errors have no message',
    clause: 'errors/object-three-keys',
    rules: errors(({ uid, code }) => ({ uid, code })),
  },
  { name: 'code is empty', clause: 'errors/code-brief', rules: errors((error) => ({ ...error, code: '' })) },

  // Versions
  {
    name: 'new is called created',
    clause: 'versioning/stable-states-guaranteed',
    meddle: ({ path, body }) =>
      path.includes('states') ? { body: body.replaceAll('"new"', '"created"') } : undefined,
  },
];
