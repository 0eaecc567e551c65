/**
 * Mutants: the reference service with one clause broken, by replacing a rule or by meddling with
 * what it is asked and what it answers, or with what its computers get. The check of that clause must catch
 * it.
 */

import { responseHeaders } from '../../src/service/gate/response-headers.ts';
import { SERVICE_RULES, type ServiceRules } from '../../src/service/service-rules.ts';
import { FIRST_KEY } from '../support/running-service.ts';
import type { Meddle } from './meddling-proxy.ts';
import { isForChild } from './mutant-tools.ts';
import { broken, inAnswers, inRules, type Mutant } from './mutant.ts';

const HOUR_MS = 3_600_000;

export function pages(
  change: (page: ReturnType<ServiceRules['parsePage']>, query: URLSearchParams) => object,
): Partial<ServiceRules> {
  return {
    parsePage: (query, limitMaximum) => {
      const page = SERVICE_RULES.parsePage(query, limitMaximum);
      return { ...page, ...change(page, query) };
    },
  };
}

export function recordHeaders(change: (name: string, value: string) => string | undefined): Partial<ServiceRules> {
  return {
    pageHeaders: (page, result) =>
      SERVICE_RULES.pageHeaders(page, result).flatMap(([name, value]): [string, string][] => {
        const changed = change(name, value);
        return changed === undefined ? [] : [[name, changed]];
      }),
  };
}

/** Changes headers of every response; undefined leaves one out. */
function headers(change: (name: string, value: string) => string | undefined): Partial<ServiceRules> {
  return {
    responseHeaders: (facts) => {
      const all = responseHeaders(facts);
      return all.flatMap((name, index) => {
        if (index % 2 === 1) return [];
        const changed = change(name, all[index + 1] ?? '');
        return changed === undefined ? [] : [name, changed];
      });
    },
  };
}

export const withoutHeader = (unwanted: string): Partial<ServiceRules> =>
  headers((name, value) => (name === unwanted ? undefined : value));

const withHeader = (wanted: string, changed: string): Partial<ServiceRules> =>
  headers((name, value) => (name === wanted ? changed : value));

/** Keys remembered for `windowMs`; `scope` names what is remembered. */
function keys(
  windowMs: number,
  scope = (accountId: number, key: string) => `${accountId} ${key}`,
  prolongs = false,
): Partial<ServiceRules> {
  return {
    idempotencyKeys: () => {
      const used = new Map<string, number>();
      return {
        claim(accountId, key, nowMs) {
          const name = scope(accountId, key);
          const usedMs = used.get(name);
          const isFree = usedMs === undefined || nowMs - usedMs >= windowMs;
          if (isFree || prolongs) used.set(name, nowMs);
          return isFree;
        },
      };
    },
  };
}

export function errors(change: (error: Record<string, unknown>) => object): Partial<ServiceRules> {
  return {
    renderError: (error, requestId) =>
      JSON.stringify(change(JSON.parse(SERVICE_RULES.renderError(error, requestId)) as Record<string, unknown>)),
  };
}

/** Changes the JSON of answers to requests whose method and path match. */
export function json(request: RegExp, change: (value: never) => unknown): Meddle {
  return ({ method, path, status, body }) =>
    status < 300 && request.test(`${method} ${path}`)
      ? { body: JSON.stringify(change(JSON.parse(body) as never)) }
      : undefined;
}

type StateObject = { age: number; clientVersion: string | null };
const STATES = /^GET \/printjobs\/.*states/;

export const MUTANTS: readonly Mutant[] = [
  // Pages
  inRules(
    'limits/page-size-default-full',
    'a default page of 99',
    pages((page, query) => (query.has('limit') ? page : { limit: 99 })),
  ),
  inRules(
    'limits/page-size-default',
    'a default page of 101',
    pages((page, query) => (query.has('limit') ? page : { limit: 101 })),
  ),
  inRules(
    'limits/page-size-above-default',
    'a limit of 101 gives 100 records',
    pages(({ limit }) => ({ limit: limit === 101 ? 100 : limit })),
  ),
  inRules(
    'service/page-limit',
    'one record more than the limit',
    pages(({ limit }) => ({ limit: limit + 1 })),
  ),
  inRules(
    'service/page-after',
    'after is inclusive',
    pages(({ after, dir }) => ({ after: after && (dir === 'asc' ? after - 1 : after + 1) })),
  ),
  inRules(
    'service/page-after-asc',
    'after is ignored ascending',
    pages(({ after, dir }) => ({ after: dir === 'asc' ? undefined : after })),
  ),
  inRules(
    'service/page-dir-asc',
    'dir is ignored',
    pages(() => ({ dir: 'desc' })),
  ),
  inRules(
    'service/page-dir-default',
    'ascending by default',
    pages((_, query) => ({ dir: query.get('dir') ?? 'asc' })),
  ),
  inRules('service/records-total-is-matching', 'Records-Total counts the page', {
    pageHeaders: (page, result) => SERVICE_RULES.pageHeaders(page, { ...result, total: result.items.length }),
  }),
  inRules(
    'service/records-returned',
    'no Records-Returned',
    recordHeaders((name, value) => (name === 'Records-Returned' ? undefined : value)),
  ),
  inRules('service/records-returned-is-length', 'Records-Returned is the limit', {
    pageHeaders: (page, result) =>
      SERVICE_RULES.pageHeaders(page, result).map(([name, value]) => [
        name,
        name === 'Records-Returned' ? String(page.limit) : value,
      ]),
  }),
  inRules(
    'service/records-returned-limit-is-limit',
    'Records-Returned-Limit is always 100',
    recordHeaders((name, value) => (name === 'Records-Returned-Limit' ? '100' : value)),
  ),
  inRules(
    'service/records-returned-offset-integer',
    'Records-Returned-Offset is a page number',
    recordHeaders((name, value) => (name === 'Records-Returned-Offset' ? 'page 1' : value)),
  ),

  // Idempotency
  inRules('print-jobs/idempotency-conflict', '409 never', keys(0)),
  inRules('limits/idempotency-within', 'keys are free after 23 hours', keys(23 * HOUR_MS)),
  inRules('limits/idempotency-within', 'keys are free half a minute early', keys(24 * HOUR_MS - 30_000)),
  inRules('limits/idempotency-reuse', 'keys are never free again', keys(Number.POSITIVE_INFINITY)),
  inRules(
    'limits/idempotency-from-first-use',
    'refused repeats prolong the 24 hours',
    keys(24 * HOUR_MS, undefined, true),
  ),
  inRules(
    'print-jobs/idempotency-other-key',
    'a key that was ever used anywhere blocks all',
    keys(24 * HOUR_MS, (accountId) => `${accountId}`),
  ),

  // Errors
  inRules(
    'errors/uid-is-request-id',
    'uid is missing',
    errors(({ code, message }) => ({ code, message })),
  ),
  inRules(
    'errors/uid-is-request-id',
    'uid is another id',
    errors((error) => ({ ...error, uid: 'another' })),
  ),
  inRules(
    'errors/no-other-keys',
    'the error object has a fourth key',
    errors((error) => ({ ...error, status: 400 })),
  ),
  inRules(
    'errors/message-readable',
    'message is empty',
    errors((error) => ({ ...error, message: '' })),
  ),
  inRules(
    'errors/no-internals',
    'errors show a stack',
    errors((error) => ({ ...error, message: 'Error\n    at handler (/srv/app/server.js:1:2)' })),
  ),
  inRules(
    'errors/invalid-content',
    'another code for a body that cannot be parsed',
    errors((error) => (error['code'] === 'InvalidContent' ? { ...error, code: 'BadRequest' } : error)),
  ),
  inRules(
    'errors/conflict',
    'another code for a used key',
    errors((error) => (error['code'] === 'Conflict' ? { ...error, code: 'AlreadyUsed' } : error)),
  ),

  // Headers
  inRules(
    'service/json-content-type-exact',
    'a charset in the Content-Type',
    withHeader('Content-Type', 'application/json; charset=utf-8'),
  ),
  inRules('service/json-content-type', 'text/plain', withHeader('Content-Type', 'text/plain')),
  inRules('service/request-id-unique', 'one Request-Id for all', withHeader('Request-Id', 'always-the-same')),
  inRules('service/request-id-present', 'no Request-Id', withoutHeader('Request-Id')),
  inRules(
    'service/content-md5-of-body',
    'the digest of something else',
    withHeader('Content-MD5', '1B2M2Y8AsgTpgAmY7PhCfg=='),
  ),
  inRules(
    'service/elapsed-seconds',
    'Elapsed in milliseconds',
    headers((name, value) => (name === 'Elapsed' ? String(Number(value) * 1_000 + 100) : value)),
  ),
  inRules('versioning/api-version-semantic', 'an Api-Version of one number', withHeader('Api-Version', '1')),
  inRules(
    'service/access-control-allow-origin',
    'no Access-Control-Allow-Origin',
    withoutHeader('Access-Control-Allow-Origin'),
  ),
  inRules('authentication/x-account', 'no X-Account', withoutHeader('X-Account')),
  inRules('authentication/x-account', 'X-Account of nobody', withHeader('X-Account', '4711')),
  inRules('authentication/x-auth-with', 'no X-Auth-With', withoutHeader('X-Auth-With')),
  inRules('authentication/www-authenticate', 'a 401 without a challenge', withoutHeader('WWW-Authenticate')),

  // Authentication
  inRules('authentication/invalid-key-401', 'any key will do', {
    authenticate: (authorization, findByKey) =>
      SERVICE_RULES.authenticate(authorization, (key) => findByKey(key) ?? findByKey(FIRST_KEY)),
  }),
  inRules('authentication/missing-credentials-401', 'no credentials will do', {
    authenticate: (authorization, findByKey) =>
      SERVICE_RULES.authenticate(authorization ?? basicOf(FIRST_KEY), findByKey),
  }),
  inRules('authentication/basic-key', 'Basic must be written with a capital B', {
    authenticate: (authorization, findByKey) =>
      SERVICE_RULES.authenticate(authorization?.startsWith('Basic') ? authorization : undefined, findByKey),
  }),

  // Expiry
  inRules('print-jobs/body-expire-after', 'expireAfter is ignored', {
    expiryMs: (createdMs) => SERVICE_RULES.expiryMs(createdMs, undefined),
  }),
  inRules('print-jobs/expire-after-not-early', 'jobs expire a tenth too early', {
    expiryMs: (createdMs, expireAfter) =>
      createdMs + (SERVICE_RULES.expiryMs(createdMs, expireAfter) - createdMs) * 0.9,
  }),
  inRules('states/expired', 'jobs expire a tenth too late', {
    expiryMs: (createdMs, expireAfter) =>
      createdMs + (SERVICE_RULES.expiryMs(createdMs, expireAfter) - createdMs) * 1.1,
  }),
  inRules('limits/expire-after-default', 'the default is 13 days', {
    expiryMs: (createdMs, expireAfter) => createdMs + (expireAfter ?? 13 * 86_400) * 1_000,
  }),

  // Answers
  inAnswers('print-jobs/created-201', 'POST /printjobs answers 200', ({ status }) =>
    status === 201 ? { status: 200 } : undefined,
  ),
  inAnswers(
    'print-jobs/created-id-integer',
    'POST /printjobs answers an object',
    json(/^POST \/printjobs$/, (id) => ({ id })),
  ),
  inAnswers(
    'misc/noop-body-is-request-id',
    'GET /noop answers true',
    json(/^GET \/noop/, () => true),
  ),
  inAnswers('misc/ping-without-credentials', 'GET /ping wants credentials', ({ path, headers }) =>
    path === '/ping' && !headers.includes('X-Account') ? { status: 401 } : undefined,
  ),
  inAnswers('misc/ping-without-credentials', 'GET /ping looks who a Child header names', ({ path, request }) =>
    path === '/ping' && isForChild(request) ? { status: 401 } : undefined,
  ),
  inAnswers(
    'print-jobs/delete-200-ids',
    'DELETE answers no ids',
    json(/^DELETE \/printjobs/, () => []),
  ),
  inAnswers(
    'states/age-since-new',
    'ages in seconds',
    json(STATES, (states: StateObject[][]) =>
      states.map((history) => history.map((state) => ({ ...state, age: Math.round(state.age / 1_000) }))),
    ),
  ),
  inAnswers(
    'states/age-since-new',
    'from the fourth state on, age is the time since the state before',
    json(STATES, (states: StateObject[][]) =>
      states.map((history) =>
        history.map((state, index) => {
          const before = index < 3 ? 0 : (history[index - 1]?.age ?? 0);
          return { ...state, age: state.age - before };
        }),
      ),
    ),
  ),
  broken('states/client-version-of-client', 'clientVersion is that of the client that connected last', lastVersion()),
  inAnswers(
    'states/age-of-new-zero',
    'new has an age',
    json(STATES, (states: StateObject[][]) =>
      states.map((history) => history.map((state) => ({ ...state, age: state.age + 5 }))),
    ),
  ),
  inAnswers(
    'states/client-version-of-client',
    'no clientVersion',
    json(STATES, (states: StateObject[][]) =>
      states.map((history) => history.map((state) => ({ ...state, clientVersion: null }))),
    ),
  ),
  inAnswers(
    'states/client-version-of-client',
    'clientVersion in the first state of a client alone',
    json(STATES, (states: StateObject[][]) =>
      states.map((history) => {
        const first = history.find(({ clientVersion }) => clientVersion !== null);
        return history.map((state) => (state === first ? state : { ...state, clientVersion: null }));
      }),
    ),
  ),
  inAnswers('states/done', 'the state done has another name', ({ path, body }) =>
    path.includes('states') ? { body: body.replaceAll('"done"', '"finished"') } : undefined,
  ),
  inAnswers(
    'accounts/field-permissions',
    'permissions are missing',
    json(/^GET \/whoami/, (account: object) => ({ ...account, permissions: undefined })),
  ),
  inAnswers('printers/capabilities-as-reported', 'the first paper gets another name', ({ path, body }) =>
    path.includes('printers') ? { body: body.replaceAll('"papers":{"', '"papers":{"x') } : undefined,
  ),
  inAnswers('printers/capabilities-as-reported', 'accents become one with their letters', ({ path, body }) =>
    path.includes('printers') ? { body: body.normalize() } : undefined,
  ),
  inAnswers('computers/create-timestamp-milliseconds', 'createTimestamp without milliseconds', ({ path, body }) =>
    path.startsWith('/computers') ? { body: body.replaceAll('.000Z', 'Z') } : undefined,
  ),
];

function lastVersion(): Pick<Mutant, 'link' | 'meddle'> {
  let last: string | null = null;
  return {
    link: {
      opening: ({ request }) => {
        last = request.client.version;
        return {};
      },
    },
    meddle: json(STATES, (states: StateObject[][]) =>
      states.map((history) =>
        history.map((state) => ({ ...state, clientVersion: state.clientVersion === null ? null : last })),
      ),
    ),
  };
}

export function basicOf(key: string): string {
  return `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
}
