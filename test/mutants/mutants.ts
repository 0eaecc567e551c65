/**
 * Mutants: the reference service with one clause broken, by replacing a rule or by meddling with
 * what it is asked and what it answers, or with what its computers get. The check of that clause must catch it.
 */

import { responseHeaders } from '../../src/service/gate/response-headers.ts';
import { SERVICE_RULES, type ServiceRules } from '../../src/service/service-rules.ts';
import type { ClauseId } from '../../src/spec/clauses.ts';
import { FIRST_KEY } from '../support/running-service.ts';
import type { LinkMeddling } from './meddling-link.ts';
import type { Meddle, Meddling, Rewrite } from './meddling-proxy.ts';

export interface Mutant {
  readonly name: string;
  /** The clause that is broken. */
  readonly clause: ClauseId;
  readonly rules?: Partial<ServiceRules>;
  readonly rewrite?: Rewrite;
  readonly meddle?: Meddle;
  readonly rewriteUpgrade?: Meddling['rewriteUpgrade'];
  readonly meddleFrames?: Meddling['meddleFrames'];
  readonly link?: LinkMeddling;
}

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

export function recordHeaders(
  change: (name: string, value: string) => string | undefined,
): Partial<ServiceRules> {
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

export const withHeader = (wanted: string, changed: string): Partial<ServiceRules> =>
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
      JSON.stringify(
        change(JSON.parse(SERVICE_RULES.renderError(error, requestId)) as Record<string, unknown>),
      ),
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
  {
    name: 'a default page of 99',
    clause: 'limits/page-size-default-full',
    rules: pages((page, query) => (query.has('limit') ? page : { limit: 99 })),
  },
  {
    name: 'a default page of 101',
    clause: 'limits/page-size-default',
    rules: pages((page, query) => (query.has('limit') ? page : { limit: 101 })),
  },
  {
    name: 'a limit of 100 at most',
    clause: 'limits/page-size-above-default',
    rules: pages(({ limit }) => ({ limit: Math.min(limit, 100) })),
  },
  {
    name: 'one record more than the limit',
    clause: 'service/page-limit',
    rules: pages(({ limit }) => ({ limit: limit + 1 })),
  },
  {
    name: 'after is inclusive',
    clause: 'service/page-after',
    rules: pages(({ after, dir }) => ({ after: after && (dir === 'asc' ? after - 1 : after + 1) })),
  },
  {
    name: 'after is ignored ascending',
    clause: 'service/page-after-asc',
    rules: pages(({ after, dir }) => ({ after: dir === 'asc' ? undefined : after })),
  },
  { name: 'dir is ignored', clause: 'service/page-dir-asc', rules: pages(() => ({ dir: 'desc' })) },
  {
    name: 'ascending by default',
    clause: 'service/page-dir-default',
    rules: pages((_, query) => ({ dir: query.get('dir') ?? 'asc' })),
  },
  {
    name: 'Records-Total counts the page',
    clause: 'service/records-total-is-matching',
    rules: {
      pageHeaders: (page, result) =>
        SERVICE_RULES.pageHeaders(page, { ...result, total: result.items.length }),
    },
  },
  {
    name: 'no Records-Returned',
    clause: 'service/records-returned',
    rules: recordHeaders((name, value) => (name === 'Records-Returned' ? undefined : value)),
  },
  {
    name: 'Records-Returned is the limit',
    clause: 'service/records-returned-is-length',
    rules: {
      pageHeaders: (page, result) =>
        SERVICE_RULES.pageHeaders(page, result).map(([name, value]) => [
          name,
          name === 'Records-Returned' ? String(page.limit) : value,
        ]),
    },
  },
  {
    name: 'Records-Returned-Limit is always 100',
    clause: 'service/records-returned-limit-is-limit',
    rules: recordHeaders((name, value) => (name === 'Records-Returned-Limit' ? '100' : value)),
  },
  {
    name: 'Records-Returned-Offset is a page number',
    clause: 'service/records-returned-offset-integer',
    rules: recordHeaders((name, value) => (name === 'Records-Returned-Offset' ? 'page 1' : value)),
  },

  // Idempotency
  { name: '409 never', clause: 'print-jobs/idempotency-conflict', rules: keys(0) },
  { name: 'keys are free after 23 hours', clause: 'limits/idempotency-within', rules: keys(23 * HOUR_MS) },
  {
    name: 'keys are never free again',
    clause: 'limits/idempotency-reuse',
    rules: keys(Number.POSITIVE_INFINITY),
  },
  {
    name: 'refused repeats prolong the 24 hours',
    clause: 'limits/idempotency-from-first-use',
    rules: keys(24 * HOUR_MS, undefined, true),
  },
  {
    name: 'keys collide between accounts',
    clause: 'print-jobs/idempotency-other-account',
    rules: keys(24 * HOUR_MS, (_, key) => key),
  },
  {
    name: 'a key that was ever used anywhere blocks all',
    clause: 'print-jobs/idempotency-other-key',
    rules: keys(24 * HOUR_MS, (accountId) => `${accountId}`),
  },

  // Errors
  {
    name: 'uid is missing',
    clause: 'errors/uid-is-request-id',
    rules: errors(({ code, message }) => ({ code, message })),
  },
  {
    name: 'uid is another id',
    clause: 'errors/uid-is-request-id',
    rules: errors((error) => ({ ...error, uid: 'another' })),
  },
  {
    name: 'the error object has a fourth key',
    clause: 'errors/no-other-keys',
    rules: errors((error) => ({ ...error, status: 400 })),
  },
  {
    name: 'code is a sentence',
    clause: 'errors/code-word',
    rules: errors((error) => ({ ...error, code: 'Something is wrong' })),
  },
  {
    name: 'message is empty',
    clause: 'errors/message-readable',
    rules: errors((error) => ({ ...error, message: '' })),
  },
  {
    name: 'errors show a stack',
    clause: 'errors/no-internals',
    rules: errors((error) => ({ ...error, message: 'Error\n    at handler (/srv/app/server.js:1:2)' })),
  },
  {
    name: 'another code for a body that cannot be parsed',
    clause: 'errors/invalid-content',
    rules: errors((error) => (error['code'] === 'InvalidContent' ? { ...error, code: 'BadRequest' } : error)),
  },
  {
    name: 'another code for a used key',
    clause: 'errors/conflict',
    rules: errors((error) => (error['code'] === 'Conflict' ? { ...error, code: 'AlreadyUsed' } : error)),
  },

  // Headers
  {
    name: 'a charset in the Content-Type',
    clause: 'service/json-content-type-exact',
    rules: withHeader('Content-Type', 'application/json; charset=utf-8'),
  },
  {
    name: 'text/plain',
    clause: 'service/json-content-type',
    rules: withHeader('Content-Type', 'text/plain'),
  },
  {
    name: 'one Request-Id for all',
    clause: 'service/request-id-unique',
    rules: withHeader('Request-Id', 'always-the-same'),
  },
  { name: 'no Request-Id', clause: 'service/request-id-present', rules: withoutHeader('Request-Id') },
  {
    name: 'the digest of something else',
    clause: 'service/content-md5-of-body',
    rules: withHeader('Content-MD5', '1B2M2Y8AsgTpgAmY7PhCfg=='),
  },
  {
    name: 'Elapsed in milliseconds',
    clause: 'service/elapsed-seconds',
    rules: headers((name, value) => (name === 'Elapsed' ? String(Number(value) * 1_000 + 100) : value)),
  },
  {
    name: 'an Api-Version of one number',
    clause: 'versioning/api-version-semantic',
    rules: withHeader('Api-Version', '1'),
  },
  {
    name: 'no Access-Control-Allow-Origin',
    clause: 'service/access-control-allow-origin',
    rules: withoutHeader('Access-Control-Allow-Origin'),
  },
  { name: 'no X-Account', clause: 'authentication/x-account', rules: withoutHeader('X-Account') },
  { name: 'X-Account of nobody', clause: 'authentication/x-account', rules: withHeader('X-Account', '4711') },
  { name: 'no X-Auth-With', clause: 'authentication/x-auth-with', rules: withoutHeader('X-Auth-With') },
  {
    name: 'a 401 without a challenge',
    clause: 'authentication/www-authenticate',
    rules: withoutHeader('WWW-Authenticate'),
  },

  // Authentication
  {
    name: 'any key will do',
    clause: 'authentication/invalid-key-401',
    rules: {
      authenticate: (authorization, findByKey) =>
        SERVICE_RULES.authenticate(authorization, (key) => findByKey(key) ?? findByKey(FIRST_KEY)),
    },
  },
  {
    name: 'no credentials will do',
    clause: 'authentication/missing-credentials-401',
    rules: {
      authenticate: (authorization, findByKey) =>
        SERVICE_RULES.authenticate(authorization ?? basicOf(FIRST_KEY), findByKey),
    },
  },
  {
    name: 'Basic must be written with a capital B',
    clause: 'authentication/basic-key',
    rules: {
      authenticate: (authorization, findByKey) =>
        SERVICE_RULES.authenticate(authorization?.startsWith('Basic') ? authorization : undefined, findByKey),
    },
  },

  // Expiry
  {
    name: 'expireAfter is ignored',
    clause: 'print-jobs/body-expire-after',
    rules: { expiryMs: (createdMs) => SERVICE_RULES.expiryMs(createdMs, undefined) },
  },
  {
    name: 'jobs expire a tenth too early',
    clause: 'print-jobs/expire-after-not-early',
    rules: {
      expiryMs: (createdMs, expireAfter) =>
        createdMs + (SERVICE_RULES.expiryMs(createdMs, expireAfter) - createdMs) * 0.9,
    },
  },
  {
    name: 'jobs expire a tenth too late',
    clause: 'states/expired',
    rules: {
      expiryMs: (createdMs, expireAfter) =>
        createdMs + (SERVICE_RULES.expiryMs(createdMs, expireAfter) - createdMs) * 1.1,
    },
  },
  {
    name: 'the default is 13 days',
    clause: 'limits/expire-after-default',
    rules: { expiryMs: (createdMs, expireAfter) => createdMs + (expireAfter ?? 13 * 86_400) * 1_000 },
  },

  // Answers
  {
    name: 'POST /printjobs answers 200',
    clause: 'print-jobs/created-201',
    meddle: ({ status }) => (status === 201 ? { status: 200 } : undefined),
  },
  {
    name: 'POST /printjobs answers an object',
    clause: 'print-jobs/created-id-integer',
    meddle: json(/^POST \/printjobs$/, (id) => ({ id })),
  },
  {
    name: 'GET /noop answers true',
    clause: 'misc/noop-body-is-request-id',
    meddle: json(/^GET \/noop/, () => true),
  },
  {
    name: 'GET /ping wants credentials',
    clause: 'misc/ping-without-credentials',
    meddle: ({ path, headers }) =>
      path === '/ping' && !headers.includes('X-Account') ? { status: 401 } : undefined,
  },
  {
    name: 'DELETE answers no ids',
    clause: 'print-jobs/delete-200-ids',
    meddle: json(/^DELETE \/printjobs/, () => []),
  },
  {
    name: 'ages in seconds',
    clause: 'states/age-since-new',
    meddle: json(STATES, (states: StateObject[][]) =>
      states.map((history) => history.map((state) => ({ ...state, age: Math.round(state.age / 1_000) }))),
    ),
  },
  {
    name: 'new has an age',
    clause: 'states/age-of-new-zero',
    meddle: json(STATES, (states: StateObject[][]) =>
      states.map((history) => history.map((state) => ({ ...state, age: state.age + 5 }))),
    ),
  },
  {
    name: 'no clientVersion',
    clause: 'states/client-version-of-client',
    meddle: json(STATES, (states: StateObject[][]) =>
      states.map((history) => history.map((state) => ({ ...state, clientVersion: null }))),
    ),
  },
  {
    name: 'the state done has another name',
    clause: 'states/done',
    meddle: ({ path, body }) =>
      path.includes('states') ? { body: body.replaceAll('"done"', '"finished"') } : undefined,
  },
  {
    name: 'permissions are missing',
    clause: 'accounts/field-permissions',
    meddle: json(/^GET \/whoami/, (account: object) => ({ ...account, permissions: undefined })),
  },
  {
    name: 'capabilities lose their papers',
    clause: 'printers/capabilities-as-reported',
    meddle: ({ path, body }) =>
      path.includes('printers') ? { body: body.replaceAll('"papers":{"A4"', '"papers":{"a4"') } : undefined,
  },
  {
    name: 'createTimestamp without milliseconds',
    clause: 'computers/create-timestamp-milliseconds',
    meddle: ({ path, body }) =>
      path.startsWith('/computers') ? { body: body.replaceAll('.000Z', 'Z') } : undefined,
  },
];

export function basicOf(key: string): string {
  return `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
}
