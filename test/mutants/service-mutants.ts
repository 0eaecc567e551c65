/**
 * Mutants of what is the same everywhere: bodies, headers, errors, sets, pages, and accounts that never meet.
 */

import type { ServiceRules } from '../../src/service/service-rules.ts';
import { ACCOUNT_FIELDS } from '../../src/specification/fields.ts';
import { FIRST_KEY, SECOND_KEY } from '../support/running-service.ts';
import type { Meddle, PassingAnswer, PassingRequest, Rewrite } from './meddling-proxy.ts';
import { acceptRefused, creating, headerOf, instead, isForChild, refuse, status } from './mutant-tools.ts';
import { broken, inAnswers, inRequests, inRules, type Mutant } from './mutant.ts';
import { basicOf, errors, json, pages, recordHeaders, withoutHeader } from './mutants.ts';

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

/** Bodies that cannot be parsed are repaired on the way. */
const repaired = (broken: RegExp, right: string): Rewrite =>
  instead(ANY, ({ body }) => {
    // Not of a large document.
    const text = body.length < 10_000 ? body.toString('utf8') : '';
    return broken.test(text) ? { body: text.replace(broken, right) } : undefined;
  });

/** What becomes of the last name of a new account. */
const HARMED_NAMES: Readonly<Record<string, (name: string) => string>> = {
  'accents of names become one with their letters': (name) => name.normalize(),
  'names lose what is beyond two bytes': (name) => name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'),
  'names are cut at 64 characters': (name) => name.slice(0, 64),
};

/** Another body for errors that match. */
function errorBody(body: string, when: (answer: PassingAnswer) => boolean = () => true): Meddle {
  return (answer) => (isError(answer) && when(answer) ? { body } : undefined);
}

const errorCode = (code: string, when: (answer: PassingAnswer) => boolean): Meddle =>
  errorBody(JSON.stringify({ uid: 'x', code, message: 'changed on the way' }), when);

const setOf = (path: string): readonly string[] => (/\/printjobs\/([^/?]+)/.exec(path)?.[1] ?? '').split(/,|%2C/i);

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

/** Lists that come whole without a limit. */
const UNLIMITED: Readonly<Record<string, RegExp>> = {
  'sets of computers come whole': /^GET \/computers\/[\d,]+(\?|$)/,
  'sets of printers come whole': /^GET \/printers\/[\d,]+(\?|$)/,
  'printers of a set of computers come whole': /^GET \/computers\/[\d,]+\/printers/,
};

const withParameter = (path: string, parameter: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${parameter}`;

const asTexts = (list: readonly { readonly id: number }[]): unknown =>
  list.toSorted((left, right) => (String(left.id) < String(right.id) ? 1 : -1));

/** Pages are shown as they were at first, to anyone. */
function keptPages(): Meddle {
  const kept = new Map<string, string>();
  return ({ method, path, status: shown, body }) => {
    if (method !== 'GET' || shown !== 200 || !/^\/(computers|printers)\?limit=/.test(path)) return undefined;
    const first = kept.get(path) ?? body;
    kept.set(path, first);
    return { body: first };
  };
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
const FIELD_MUTANTS: readonly Mutant[] = Object.entries(ACCOUNT_FIELDS).map(([field, { clause }]) =>
  inAnswers(clause, `${field} has another type`, account({ [field]: field === 'Tags' ? 'none' : {} })),
);

export const SERVICE_MUTANTS: readonly Mutant[] = [
  // Miscellaneous
  inAnswers('misc/ping', 'GET /ping answers 503', status(/^GET \/ping/, 503)),
  inAnswers(
    'misc/ping-with-bad-credentials',
    'GET /ping looks at credentials',
    status(/^GET \/ping/, 401, (answer) => !isAnonymous(answer)),
  ),
  inAnswers(
    'misc/noop',
    'GET /noop answers 202',
    status(NOOP, 202, (answer) => !isError(answer)),
  ),
  inAnswers('misc/noop-missing-401', 'GET /noop forbids nobody in particular', status(NOOP, 403, isAnonymous)),
  inAnswers(
    'misc/noop-invalid-401',
    'GET /noop forbids wrong keys',
    status(NOOP, 403, (answer) => isError(answer) && !isAnonymous(answer)),
  ),

  // Authentication
  inRules(
    'errors/invalid-credentials',
    'another code for a 401',
    errors((error) => (error['code'] === 'InvalidCredentials' ? { ...error, code: 'Unauthorized' } : error)),
  ),
  inAnswers('errors/invalid-credentials', 'another code for a bearer token', ({ request, body }) =>
    headerOf(request, 'authorization')?.startsWith('Bearer ')
      ? { body: body.replace('InvalidCredentials', 'Unauthorized') }
      : undefined,
  ),
  inRequests('authentication/empty-key-401', 'an empty key will do', takenForFirst(/^Basic Og==$/)),
  inRequests('authentication/other-scheme-401', 'any bearer will do', takenForFirst(/^Bearer /)),
  inAnswers(
    'authentication/malformed-header-401',
    'a malformed header is a bad request',
    status(ANY, 400, ({ request }) => headerOf(request, 'authorization') === 'Basic !?!'),
  ),
  inAnswers(
    'authentication/malformed-header-401',
    'short base64 is a bad request',
    status(ANY, 400, ({ request }) => /^Basic \w{1,5}$/.test(headerOf(request, 'authorization') ?? '')),
  ),
  inAnswers(
    'authentication/required-everywhere',
    'downloads are for everybody',
    status(/download/, 200, (answer) => answer.status === 401 && isAnonymous(answer), 'null'),
  ),
  inAnswers(
    'authentication/refusal-first',
    'a body is judged before the credentials',
    status(SUBMIT, 400, isAnonymous),
  ),
  broken('authentication/refused-does-nothing', 'a submission without credentials is printed and refused', {
    rewrite: instead(SUBMIT, (request) =>
      headerOf(request, 'authorization') === undefined
        ? { headers: authorized(request, basicOf(FIRST_KEY)) }
        : undefined,
    ),
    meddle: status(SUBMIT, 401, isAnonymous),
  }),
  inAnswers('authentication/one-account', 'X-Account changes from answer to answer', ({ headers }) => ({
    headers: changed(headers, 'X-Account', String(++answers)),
  })),
  inAnswers('authentication/one-account', 'X-Account is 1 for everybody', ({ headers }) => ({
    headers: changed(headers, 'X-Account', '1'),
  })),
  inAnswers('authentication/no-child-no-authorized-as', 'X-Authorized-As for everybody', ({ headers, request }) =>
    isForChild(request) ? undefined : { headers: [...headers, 'X-Authorized-As', '1'] },
  ),
  inAnswers('authentication/refused-names-no-account', 'a 401 names an account', (answer) =>
    answer.status === 401 ? { headers: [...answer.headers, 'X-Account', '1'] } : undefined,
  ),

  // The account object
  inAnswers('accounts/whoami', 'no account object', status(WHOAMI, 404)),
  ...FIELD_MUTANTS,
  inAnswers('accounts/credits-not-null', 'credits are null', account({ credits: null })),
  inAnswers('accounts/fields-always-present', 'credits are left out', account({ credits: undefined })),
  inAnswers('accounts/secrets-not-shown', 'the account object shows a key', account({ lastname: FIRST_KEY })),
  inAnswers('accounts/num-computers-counts', 'one computer at all times', account({ numComputers: 1 })),
  inAnswers(
    'accounts/num-computers-counts',
    'computers are counted while they are connected',
    json(/^GET \/whoami/, (one: Fields) => ({ ...one, numComputers: (one['connected'] as Records).length })),
  ),

  // Bodies
  inAnswers(
    'errors/invalid-content-truncated',
    'a body cut off is a bad request',
    errorCode('BadRequest', ({ request }) => !/\}$|^[^{]/.test(request.body.toString('utf8'))),
  ),
  inAnswers(
    'errors/invalid-content-encoding',
    'a body that is no UTF-8 breaks the service',
    status(SUBMIT, 500, ({ request }) => request.body.includes(0xff)),
  ),
  broken('errors/invalid-content-does-nothing', 'a job is made of a body with something behind it', {
    rewrite: instead(SUBMIT, ({ body }) => ({ body: body.toString('utf8').replace(/\} and more$/, '}') })),
    meddle: refuse(SUBMIT, ({ request }) => request.body.toString('utf8').endsWith('and more')),
  }),
  inAnswers(
    'errors/valid-content-accepted',
    'no white space before a body',
    refuse(SUBMIT, ({ request }) => /^\s/.test(request.body.toString('utf8', 0, 10))),
  ),
  inAnswers(
    'errors/body-too-large',
    'a body too large is a bad request',
    status(SUBMIT, 400, (answer) => answer.status === 413),
  ),
  inAnswers(
    'errors/body-too-large',
    'a body too large is a bad request where it is no job',
    status(/^POST \/(?!printjobs)/, 400, (answer) => answer.status === 413),
  ),
  inRequests('errors/invalid-content', 'a comma may follow the last member', repaired(/,\}$/, '}')),
  inRequests('errors/invalid-content', 'NaN is null', repaired(/NaN/, 'null')),
  inRequests('errors/invalid-content', 'comments are left out', repaired(/^\/\/.*\n/, '')),
  inRequests('errors/invalid-content', 'single quotes will do', repaired(/'/g, '"')),
  inRequests('errors/invalid-content', 'tabs may stand in texts', repaired(/"\t/, '"')),
  inRequests('errors/invalid-content', 'a body may be a bare word', repaired(/^suspended$/, '"suspended"')),
  inAnswers('service/json-content-type', 'a browser gets HTML', (answer) =>
    /text\/html/.test(headerOf(answer.request, 'accept') ?? '')
      ? { headers: changed(answer.headers, 'Content-Type', 'text/html') }
      : undefined,
  ),
  inAnswers(
    'errors/body-too-large-object',
    'a 413 without the error object',
    errorBody('{}', (answer) => answer.status === 413),
  ),
  inAnswers(
    'limits/body-over-refused',
    'a body of any size',
    acceptRefused(SUBMIT, (answer) => answer.status === 413),
  ),
  inAnswers(
    'limits/body-over-refused',
    'a body of any size, without Content-Length',
    acceptRefused(SUBMIT, ({ status, request }) => status === 413 && headerOf(request, 'content-length') === undefined),
  ),
  inAnswers(
    'service/json-bodies',
    'JSON is refused where it says so',
    refuse(SUBMIT, ({ request }) => headerOf(request, 'content-type') === 'application/json'),
  ),
  inAnswers(
    'service/json-assumed',
    'a body must say what it is',
    refuse(SUBMIT, ({ request }) => headerOf(request, 'content-type') === undefined),
  ),
  inAnswers(
    'service/form-bodies',
    'no forms',
    refuse(SUBMIT, ({ request }) => /form/.test(headerOf(request, 'content-type') ?? '')),
  ),
  inRequests(
    'service/form-same-meaning',
    'a form loses its title',
    instead(SUBMIT, ({ body, headers }) =>
      headers.some((value) => /x-www-form/.test(value))
        ? { body: body.toString('utf8').replace(/title=[^&]*/, 'title=x') }
        : undefined,
    ),
  ),
  inRequests(
    'service/text-unharmed',
    'text outside ASCII is lost',
    instead(SUBMIT, ({ body }) => ({
      body: body.toString('utf8').replaceAll(/\P{ASCII}/gu, '?'),
    })),
  ),
  ...Object.entries(HARMED_NAMES).map(([name, harm]) =>
    inRequests(
      'service/text-unharmed',
      name,
      creating((account) => ({ ...account, lastname: harm(String(account['lastname'])) })),
    ),
  ),

  // Requests
  inAnswers(
    'service/unknown-path-is-error',
    'a path that does not exist answers a text',
    errorBody('"not found"', (answer) => answer.status === 404),
  ),
  inAnswers(
    'service/unknown-method-is-error',
    'a method that does not exist answers a text',
    errorBody('"no such method"', (answer) => answer.status === 405),
  ),
  inAnswers(
    'service/x-pretty-accepted',
    'X-Pretty is refused',
    refuse(ANY, ({ request }) => headerOf(request, 'x-pretty') !== undefined),
  ),
  inAnswers('service/x-pretty-same-value', 'X-Pretty wraps the answer', (answer) =>
    headerOf(answer.request, 'x-pretty') === undefined ? undefined : { body: `{"pretty":${answer.body}}` },
  ),
  inAnswers(
    'service/x-dont-log-accepted',
    'X-Dont-Log is refused',
    refuse(ANY, ({ request }) => headerOf(request, 'x-dont-log') !== undefined),
  ),
  inAnswers(
    'versioning/accept-version-accepted',
    'Accept-Version is refused',
    refuse(ANY, ({ request }) => headerOf(request, 'accept-version') !== undefined),
  ),
  inAnswers('service/no-5xx-on-bad-input', 'odd parameters break the service', status(LISTS, 500, isError)),

  // Identifiers and sets
  inAnswers(
    'service/id-unique-in-list',
    'a record stands twice in a list',
    json(/^GET \/printers(\?|$)/, (list: Records) => [...list, ...list.slice(0, 1)]),
  ),
  inAnswers(
    'service/id-positive-integer',
    'ids are texts',
    json(/^GET \/printers(\?|$)/, (list: readonly Fields[]) => list.map((one) => ({ ...one, id: String(one['id']) }))),
  ),
  inAnswers(
    'service/page-dir-desc',
    'ids are sorted as texts',
    json(/^GET \/computers\?limit/, (list: readonly Fields[]) =>
      list.toSorted((left, right) => (String(left['id']) < String(right['id']) ? 1 : -1)),
    ),
  ),
  inAnswers(
    'service/id-positive-integer',
    'ids of new jobs begin at the least number of 32 bits',
    json(/^POST \/printjobs$/, (id: number) => id - 2 ** 31),
  ),
  inRequests(
    'service/set-restricts',
    'a set shows all',
    otherSet(JOB_SET, () => []),
  ),
  inRequests(
    'service/set-order-irrelevant',
    'a set is read as far as it ascends',
    otherSet(JOB_SET, (ids) => ids.filter((id, index) => index === 0 || Number(id) >= Number(ids[0]))),
  ),
  inAnswers('service/set-repeats-once', 'a repeated id shows its record twice', (answer) =>
    hasRepetition(answer.path) ? json(JOB_SET, (list: Records) => [...list, ...list.slice(0, 1)])(answer) : undefined,
  ),
  inAnswers('service/set-repeats-once-in-totals', 'a repeated id counts twice in the total', ({ path, headers }) =>
    JOB_SET.test(`GET ${path}`)
      ? { headers: changed(headers, 'Records-Total', String(setOf(path).length)) }
      : undefined,
  ),
  inRequests(
    'service/set-comma-separated',
    'a set is its first id',
    otherSet(JOB_SET, (ids) => ids.slice(0, 1)),
  ),
  inRequests(
    'service/set-comma-separated',
    'a set has two hundred ids at most',
    otherSet(JOB_SET, (ids) => ids.slice(0, 200)),
  ),
  inRequests(
    'service/set-encoded-comma',
    'an encoded comma ends a set',
    otherSet(/^GET \/printjobs\/\d+%2C/i, (ids) => ids.slice(0, 1)),
  ),
  inAnswers(
    'service/set-repeats-once-in-deletes',
    'a repeated id is deleted twice',
    json(DELETE_SET, (ids: Records) => [...ids, ...ids.slice(0, 1)]),
  ),
  inRequests(
    'service/set-zero-refused',
    'zero means everything',
    otherSet(/^GET \/printjobs\/0$/, () => []),
  ),
  inRequests(
    'service/set-text-refused',
    'what is no integer in a set is left out',
    otherSet(JOB_SET, (ids) => ids.filter((id) => /^\d+$/.test(id))),
  ),

  // Pages
  inAnswers(
    'service/page-dir',
    'lists are upside down',
    json(LISTS, (list: Records) => list.toReversed()),
  ),
  inRules(
    'service/page-dir-desc',
    'descending lists ascend',
    parsed(() => ({ dir: 'asc' })),
  ),
  inRules(
    'service/page-limit-one',
    'two records at least',
    parsed(({ limit }) => ({ limit: Math.max(2, limit) })),
  ),
  inRules(
    'service/page-after-desc',
    'after is ignored descending',
    parsed(({ after, dir }) => ({ after: dir === 'desc' ? undefined : after })),
  ),
  inAnswers(
    'service/page-after-empty-desc',
    'an empty after is refused descending',
    refuse(LISTS, ({ path }) => /after=(&|$)/.test(path) && !path.includes('dir=asc')),
  ),
  inAnswers(
    'service/page-after-empty-asc',
    'an empty after is refused ascending',
    refuse(LISTS, ({ path }) => /after=(&|$)/.test(path) && path.includes('dir=asc')),
  ),
  inAnswers(
    'service/page-after-last',
    'there is nothing after the last record',
    status(LISTS, 404, ({ path, body }) => path.includes('after=') && body === '[]'),
  ),
  inAnswers(
    'service/page-after-last',
    'there is nothing after the last computer',
    status(/^GET \/computers/, 404, ({ path, body }) => path.includes('after=') && body === '[]'),
  ),
  ...Object.entries(UNLIMITED).map(([name, pattern]) =>
    inRequests(
      'service/page-limit',
      name,
      instead(pattern, ({ path }) =>
        path.includes('limit=') ? undefined : { path: withParameter(path, 'limit=1000') },
      ),
    ),
  ),
  inRequests(
    'limits/page-size-default',
    'sets of jobs come whole',
    instead(/^GET \/printjobs\/[\d,]+$/, ({ path }) => ({ path: withParameter(path, 'limit=1000') })),
  ),
  inAnswers('service/page-dir-default', 'ids are put in order as texts', (answer) =>
    /dir=asc/.test(answer.path) ? undefined : json(/^GET \/(computers|printers)/, asTexts)(answer),
  ),
  inRules(
    'service/page-after-missing-record',
    'after without a record starts at the end',
    parsed(({ after, dir }) => ({ after: (after ?? 0) > 1_000_000 && dir === 'desc' ? 1 : after })),
  ),
  inRules(
    'service/pages-complete',
    'a record is lost between two pages',
    parsed(({ after, dir }) => ({ after: after && (dir === 'asc' ? after + 1 : after - 1) })),
  ),
  inRequests('service/pages-stable-under-inserts', 'pages go by position', byPosition()),
  inRequests(
    'service/page-in-sets',
    'sets have no pages',
    instead(JOB_SET, ({ path }) => ({ path: path.replace(/\?.*/, '') })),
  ),
  inRules(
    'limits/page-size-default-newest',
    'the oldest records by default',
    pages((_, query) => (query.size === 0 ? { dir: 'asc' } : {})),
  ),
  inAnswers('service/records-total-of-set', 'the total of several printers is that of one', ({ path, headers }) =>
    /^\/printers\/\d+,\d+,[\d,]+\/printjobs/.test(path)
      ? { headers: changed(headers, 'Records-Total', '1') }
      : undefined,
  ),
  inAnswers(
    'service/page-dir-asc',
    'ascending jobs of several printers are in the order of these',
    json(
      /^GET \/printers\/\d+,\d+,[\d,]+\/printjobs.*dir=asc/,
      (jobs: readonly { readonly printer: { readonly id: number } }[]) =>
        jobs.toSorted((one, other) => one.printer.id - other.printer.id),
    ),
  ),
  inAnswers(
    'service/page-dir-default',
    'printers are in the order of their computers',
    json(/^GET \/printers\?limit=3$/, (printers: readonly { readonly computer: { readonly id: number } }[]) =>
      printers.toSorted((one, other) => other.computer.id - one.computer.id),
    ),
  ),
  inAnswers('service/records-total-of-set', 'the total of two sets is that of one', ({ path, headers, body }) =>
    /^\/printers\/[\d,]+\/printjobs\/\d/.test(path) && body === '[]'
      ? { headers: changed(headers, 'Records-Total', '1') }
      : undefined,
  ),
  inAnswers(
    'printers/paginated',
    'printers end with a large page',
    json(/^GET \/computers\/[\d,]+\/printers\?limit=\d{3,}&after=\d/, () => []),
  ),
  inAnswers('service/records-total-of-set', 'the total of a set is that of all', ({ path, headers }) =>
    JOB_SET.test(`GET ${path}`) ? { headers: changed(headers, 'Records-Total', '1000') } : undefined,
  ),
  inRules(
    'service/records-returned-offset',
    'no Records-Returned-Offset',
    withoutRecordHeader('Records-Returned-Offset'),
  ),
  inRules('service/records-returned-limit', 'no Records-Returned-Limit', withoutRecordHeader('Records-Returned-Limit')),
  inRules('service/records-total', 'no Records-Total', withoutRecordHeader('Records-Total')),
  inRules(
    'service/records-total-is-matching',
    'a total of five stays for a while',
    recordHeaders((name, value) => (name === 'Records-Total' && value === '6' ? '5' : value)),
  ),
  inRules(
    'service/records-returned-limit-default',
    'a default limit of 50 is shown',
    recordHeaders((name, value) => (name === 'Records-Returned-Limit' && value === '100' ? '50' : value)),
  ),

  // Accounts never meet
  inRequests(
    'service/set-empty-never-all',
    'an empty set of a DELETE is every computer',
    instead(/^DELETE \/computers\/$/, () => ({ path: '/computers' })),
  ),
  broken('service/set-refused-does-nothing', 'a DELETE refused for its set takes the ids in it', {
    rewrite: instead(/^DELETE .*,x$/, ({ path }) => ({ path: path.replace(/,x$/, '') })),
    meddle: refuse(/^DELETE .*,x$/),
  }),
  inRequests('service/isolation-lists', 'lists show everybody’s', mixedUp(/^GET \/(computers|printers|printjobs)\?/)),
  inAnswers('service/isolation-lists', 'a page is kept for whoever asks for it next', keptPages()),
  inRequests('service/isolation-sets', 'sets reach everybody’s', mixedUp(/^GET \/(computers|printers|printjobs)\//)),
  inRequests('service/isolation-deletes', 'deletes reach everybody’s', mixedUp(/^DELETE /)),

  // Headers
  inAnswers('service/json-content-type-errors', 'errors are HTML', (answer) =>
    isError(answer) ? { headers: changed(answer.headers, 'Content-Type', 'text/html') } : undefined,
  ),
  inAnswers('service/body-is-json', 'GET /ping says OK', (answer) =>
    answer.path === '/ping' ? { body: 'OK' } : undefined,
  ),
  inAnswers('service/request-id-on-errors', 'no Request-Id on errors', errorsWithout('Request-Id')),
  inRules('service/elapsed', 'no Elapsed', withoutHeader('Elapsed')),
  inRules('service/response-time', 'no Response-Time', withoutHeader('Response-Time')),
  inRules('service/content-md5', 'no Content-MD5', withoutHeader('Content-MD5')),
  inRules('versioning/api-version', 'no Api-Version', withoutHeader('Api-Version')),
  inAnswers('versioning/api-version-on-errors', 'no Api-Version on errors', errorsWithout('Api-Version')),
  inAnswers('service/headers-on-errors', 'no Elapsed on errors', errorsWithout('Elapsed')),
  inAnswers(
    'service/access-control-on-errors',
    'no access control on errors',
    errorsWithout('Access-Control-Allow-Origin'),
  ),
  ...(['headers', 'methods'] as const).map((what) =>
    inRules(
      `service/access-control-allow-${what}` as const,
      `no Access-Control-Allow-${what}`,
      withoutHeader(`Access-Control-Allow-${what === 'headers' ? 'Headers' : 'Methods'}`),
    ),
  ),
  inRules(
    'service/access-control-expose-headers',
    'no Access-Control-Expose-Headers',
    withoutHeader('Access-Control-Expose-Headers'),
  ),

  // The error object
  inAnswers('errors/object', 'errors are arrays', errorBody('[]')),
  inRules(
    'errors/object-three-keys',
    'errors have no message',
    errors(({ uid, code }) => ({ uid, code })),
  ),
  inRules(
    'errors/code-brief',
    'code is empty',
    errors((error) => ({ ...error, code: '' })),
  ),

  // Versions
  inAnswers('versioning/stable-states-guaranteed', 'new is called created', ({ path, body }) =>
    path.includes('states') ? { body: body.replaceAll('"new"', '"created"') } : undefined,
  ),
];
