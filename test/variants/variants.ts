/**
 * Variants: the reference service with a gap filled otherwise, or a freedom of the specification used
 * otherwise. Every check must let them pass.
 */

import type { ServiceChoices } from '../../src/service/choices.ts';
import { TokenBuckets } from '../../src/service/gate/rate-limit.ts';
import type { RateLimit } from '../../src/service/gate/rate-limit.ts';
import { SERVICE_RULES, type ServiceRules } from '../../src/service/service-rules.ts';
import type { ClauseId } from '../../src/spec/clauses.ts';
import type { GapId } from '../../src/spec/gaps.ts';
import {
  mapHeaders,
  type Meddle,
  type Rewrite,
  type PassingAnswer,
  type PassingRequest,
} from '../mutants/meddling-proxy.ts';

export interface Variant {
  readonly id: string;
  /** The gap that is filled otherwise, or the clauses that leave the freedom. */
  readonly where: ClauseId | GapId;
  readonly what: string;
  readonly choices?: Partial<ServiceChoices>;
  readonly rules?: Partial<ServiceRules>;
  readonly meddle?: Meddle;
  readonly rewrite?: Rewrite;
  /** Each request takes so much longer, half of it before the service sees it. */
  readonly delayMs?: number;
  /** Checks that may find no way to judge it, and say so. */
  readonly undecided?: readonly string[];
}

type JsonObject = Record<string, unknown>;

/** Changes the JSON of good answers to requests whose method and path match. */
function json(request: RegExp, change: (value: never) => unknown): Meddle {
  return (answer) => {
    if (answer.status >= 300 || answer.body === '' || !request.test(`${answer.method} ${answer.path}`)) {
      return undefined;
    }
    return { body: JSON.stringify(change(JSON.parse(answer.body) as never)) };
  };
}

/** Answers 204 where the service answers with a body. */
function noContent(request: RegExp): Meddle {
  return ({ method, path, status, headers }) =>
    status < 300 && request.test(`${method} ${path}`)
      ? { status: 204, headers: withoutBodyHeaders(headers), body: '' }
      : undefined;
}

function withoutBodyHeaders(headers: readonly string[]): readonly string[] {
  return mapHeaders(headers, (name, value) =>
    name.toLowerCase() === 'content-md5' ? [name, '1B2M2Y8AsgTpgAmY7PhCfg=='] : [name, value],
  );
}

/** Changes every object of an answer, the innermost first. */
function everyObject(value: unknown, change: (object: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => everyObject(one, change));
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.entries(value).map(([key, below]) => [
    key,
    AS_GIVEN.has(key) ? below : everyObject(below, change),
  ]);
  return change(Object.fromEntries(inner) as JsonObject);
}

/** Objects whose keys are not the service's: names that callers and drivers made. */
const AS_GIVEN: ReadonlySet<string> = new Set(['Tags', 'ApiKeys', 'capabilities', 'measurement', 'data']);

function objectsWith(request: RegExp, key: string, change: (object: JsonObject) => JsonObject): Meddle {
  return json(request, (value: unknown) =>
    everyObject(value, (object) => (key in object ? { ...object, ...change(object) } : object)),
  );
}

/** Another word where the specification prints no code for a condition. */
function otherCodes(codes: Readonly<Record<string, string>>): Partial<ServiceRules> {
  return {
    renderError: (error, requestId) => {
      const object = JSON.parse(SERVICE_RULES.renderError(error, requestId)) as { code: string };
      return JSON.stringify({ ...object, code: codes[object.code] ?? object.code });
    },
  };
}

/** So many requests at once instead of thirty. */
function burstOf(size: number): Partial<ServiceRules> {
  return {
    rateLimit: (): RateLimit => {
      const buckets = new Map<string, { left: number; atMs: number }>();
      return {
        take(key, nowMs) {
          const bucket = buckets.get(key) ?? { left: size, atMs: nowMs };
          bucket.left = Math.min(size, bucket.left + (nowMs - bucket.atMs) / 100);
          bucket.atMs = nowMs;
          buckets.set(key, bucket);
          if (bucket.left < 1) return (1 - bucket.left) * 100;
          bucket.left--;
          return 0;
        },
      };
    },
  };
}

/** As if the caller had not sent it. */
function withoutRequestHeader(unwanted: string): Rewrite {
  return ({ headers }) => ({
    headers: mapHeaders(headers, (name, value) => (name.toLowerCase() === unwanted ? [] : [name, value])),
  });
}

/** A path that is refused, and says why: the range of Accept-Version cannot be met. */
function refuseOtherVersions({ headers }: PassingRequest): Partial<PassingRequest> | undefined {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'accept-version');
  if (at === -1 || /1|\*/.test(headers[at + 1] ?? '')) return undefined;
  return { path: '/printers/no-such-version' };
}

const PAGE_PARAMETERS: ReadonlySet<string> = new Set(['limit', 'after', 'dir', 'edition', 'version']);

/** A path that is refused with 400, and whose refusal names the parameter. */
function refuseUnknownParameters({ method, path }: PassingRequest): Partial<PassingRequest> | undefined {
  const query = path.split('?')[1] ?? '';
  const unknown = [...new URLSearchParams(query).keys()].find((name) => !PAGE_PARAMETERS.has(name));
  if (method !== 'GET' || unknown === undefined) return undefined;
  return { path: `/printers/${encodeURIComponent(`unknown parameter ${unknown}`)}` };
}

const RANGE = /(?<=[/,]|%2C)(\d*)-(\d*)(?=[/,?]|%2C|$)/gi;
/** As far as a range without an end goes here. */
const OPEN_RANGE_LENGTH = 500;

/** `5-9` means five ids, `-400` those up to it, `100-` those from there on. */
function takeRanges({ path }: PassingRequest): Partial<PassingRequest> | undefined {
  if (!/^\/(computers|printers|printjobs|download\/clients)\//.test(path)) return undefined;
  return {
    path: path.replaceAll(RANGE, (whole, low: string, high: string) => {
      if (low === '' && high === '') return whole;
      const first = Math.max(1, Number(low));
      const last = high === '' ? first + OPEN_RANGE_LENGTH : Number(high);
      const length = Math.min(OPEN_RANGE_LENGTH, last - first + 1);
      if (length < 1) return whole;
      return Array.from({ length }, (_, index) => first + index).join();
    }),
  };
}

function caseOf(change: (name: string) => string): Meddle {
  return ({ headers }) => ({
    headers: mapHeaders(headers, (name, value) => [change(name), value]),
  });
}

function orEmptyArray(map: object = {}): object {
  return Object.keys(map).length === 0 ? [] : map;
}

const LISTED_STATES = /^GET \/printjobs\/(.*\/)?states/;
type States = readonly (readonly JsonObject[])[];

/** Events on their way to a receiver. */
function events(change: (event: JsonObject) => JsonObject): Partial<ServiceRules> {
  return {
    webhookSender: (options) => {
      const sender = SERVICE_RULES.webhookSender(options);
      return {
        send: (target, body) => sender.send(target, JSON.stringify((JSON.parse(body) as JsonObject[]).map(change))),
        close: () => sender.close(),
      };
    },
  };
}

function pretty({ body }: PassingAnswer): Partial<PassingAnswer> | undefined {
  return body === '' ? undefined : { body: `${JSON.stringify(JSON.parse(body), null, 4)}\n` };
}

export const VARIANTS: readonly Variant[] = [
  // Ids and records
  {
    id: 'ids-from-a-billion',
    where: 'service/id-positive-integer',
    what: 'ids of all kinds begin at 1,000,000,007 and leave holes',
    rules: { nextId: (lastId) => (lastId === 0 ? 1_000_000_007 : lastId + 1 + ((lastId * 7) % 11)) },
  },
  {
    id: 'extra-keys',
    where: 'gap/print-job-record',
    what: 'every object has a key that nobody asked for',
    meddle: json(/./, (value: unknown) =>
      everyObject(value, (object) => ({ ...object, extra: { since: '2.0', flags: [1, null] } })),
    ),
  },
  {
    id: 'print-jobs-with-more',
    where: 'gap/print-job-record',
    what: 'print jobs show options, qty, pages and filesize',
    meddle: objectsWith(/^GET .*printjobs/, 'contentType', () => ({
      options: { copies: 1 },
      qty: 1,
      pages: null,
      filesize: 1234,
    })),
  },
  {
    id: 'expire-at-null',
    where: 'gap/print-job-record',
    what: 'expireAt is null',
    meddle: objectsWith(/^GET .*printjobs/, 'expireAt', () => ({ expireAt: null })),
  },
  {
    id: 'expire-at-microseconds',
    where: 'gap/print-job-record',
    what: 'expireAt has microseconds',
    meddle: objectsWith(/^GET .*printjobs/, 'expireAt', ({ expireAt }) => ({
      expireAt: String(expireAt).replace('Z', '123Z'),
    })),
  },
  {
    id: 'bare-print-jobs',
    where: 'gap/print-job-record',
    what: 'print jobs have an id, a printerId and a title, and nothing else',
    meddle: json(/^GET .*printjobs(?!.*states)/, (jobs: readonly JsonObject[]) =>
      jobs.map(({ id, title, printer }) => ({ id, title, printerId: (printer as JsonObject)['id'] })),
    ),
  },

  // States
  {
    id: 'other-states',
    where: 'gap/other-print-job-states',
    what: 'states that nobody reported stand between the others, with the timestamp of the one before',
    meddle: json(LISTED_STATES, (lists: States) =>
      lists.map((states) =>
        states.flatMap((state) => [state, { ...state, state: `after_${String(state['state'])}`, clientVersion: null }]),
      ),
    ),
  },
  {
    id: 'null-messages',
    where: 'gap/print-job-states-shape',
    what: 'message and data of a state that has none are null',
    meddle: json(LISTED_STATES, (lists: States) =>
      lists.map((states) => states.map((state) => ({ ...state, message: state['message'] || null, data: null }))),
    ),
  },
  {
    id: 'cancelled',
    where: 'gap/cancelled-state',
    what: 'a cancelled job takes the state cancelled',
    choices: { cancelledState: 'cancelled' },
  },
  {
    id: 'connected-computers',
    where: 'gap/computer-states',
    what: 'a computer that is there is in the state online',
    meddle: objectsWith(/^GET .*(computers|printers|printjobs)/, 'jre', ({ state }) => ({
      state: state === 'connected' ? 'online' : state,
    })),
  },
  {
    id: 'printers-idle',
    where: 'gap/printer-states',
    what: 'a printer that is online and has nothing to do is idle',
    meddle: objectsWith(/^GET .*(printers|printjobs)/, 'capabilities', ({ state }) => ({
      state: state === 'online' ? 'idle' : state,
    })),
  },

  // Time
  {
    id: 'slow',
    where: 'service/elapsed-seconds',
    what: 'every request takes 300 ms',
    delayMs: 300,
    // Whoever waits for answers cannot send faster than the rate.
    undecided: ['rate-limit/science', 'rate-limit/does-nothing', 'rate-limit/accounts-apart'],
  },
  {
    id: 'burst-25',
    where: 'limits/request-burst',
    what: 'a burst of 25 requests',
    rules: burstOf(25),
  },
  { id: 'burst-35', where: 'limits/request-burst', what: 'a burst of 35 requests', rules: burstOf(35) },
  {
    id: 'rate-per-address',
    where: 'gap/rate-limit-scope',
    what: 'requests are counted by the address alone',
    choices: { rateLimitScope: 'address' },
  },
  {
    id: 'rate-per-both',
    where: 'gap/rate-limit-scope',
    what: 'requests are counted by the address and by the account',
    choices: { rateLimitScope: 'both' },
  },
  {
    id: 'refused-requests-cost',
    where: 'gap/rate-limit-refused-cost',
    what: 'a request that is refused for its rate is counted as well, up to a second of them',
    rules: {
      rateLimit: () => {
        const buckets = new TokenBuckets();
        const untilMs = new Map<string, number>();
        return {
          take(key, nowMs) {
            const penaltyMs = (untilMs.get(key) ?? 0) - nowMs;
            const waitMs = penaltyMs > 0 && penaltyMs < 200 ? penaltyMs : buckets.take(key, nowMs);
            if (waitMs > 0) untilMs.set(key, nowMs + Math.min(100, waitMs));
            return waitMs;
          },
        };
      },
    },
  },

  // Bytes
  { id: 'pretty', where: 'service/body-is-json', what: 'JSON indented by four spaces', meddle: pretty },
  {
    id: 'lower-case-headers',
    where: 'service/request-id-present',
    what: 'header names in lower case',
    meddle: caseOf((name) => name.toLowerCase()),
  },
  {
    id: 'upper-case-headers',
    where: 'service/request-id-present',
    what: 'header names in upper case',
    meddle: caseOf((name) => name.toUpperCase()),
  },
  {
    id: 'another-version',
    where: 'versioning/api-version-semantic',
    what: 'an Api-Version with a pre-release and build; Accept-Version is ignored',
    rewrite: withoutRequestHeader('accept-version'),
    meddle: ({ headers }) => ({
      headers: mapHeaders(headers, (name, value) =>
        name === 'Api-Version' ? [name, '4.12.0-rc.1+build.7'] : [name, value],
      ),
    }),
  },
  {
    id: 'version-refused',
    where: 'gap/version-selection',
    what: 'Accept-Version with a range that cannot be met is refused',
    rewrite: refuseOtherVersions,
  },
  {
    id: 'pretty-ignored',
    where: 'gap/x-pretty-effect',
    what: 'X-Pretty is ignored',
    rewrite: withoutRequestHeader('x-pretty'),
  },

  // Accounts
  {
    id: 'credits-null',
    where: 'gap/tags-shape',
    what: 'credits is null',
    meddle: objectsWith(/whoami|account/, 'credits', () => ({ credits: null })),
  },
  {
    id: 'tags-object',
    where: 'gap/tags-shape',
    what: 'Tags is an empty object when there is none',
    meddle: objectsWith(/whoami|account/, 'Tags', ({ Tags }) => ({ Tags: Array.isArray(Tags) ? {} : Tags })),
  },
  {
    id: 'tags-list',
    where: 'gap/tags-shape',
    what: 'Tags is an array of {name, value}',
    meddle: objectsWith(/ \/(whoami|account)/, 'Tags', ({ Tags }) => ({
      Tags: Object.entries(Tags as object).map(([name, value]: [string, unknown]) => ({ name, value })),
    })),
  },
  {
    id: 'child-account-objects',
    where: 'gap/child-accounts-shape',
    what: 'childAccounts, versions and connected are arrays of objects',
    meddle: objectsWith(/ \/(whoami|account)/, 'childAccounts', ({ childAccounts, versions, connected }) => ({
      childAccounts: (childAccounts as unknown[]).map((id) => ({ id })),
      versions: (versions as unknown[]).map((version) => ({ version })),
      connected: (connected as unknown[]).map((computerId) => ({ computerId })),
    })),
  },
  {
    id: 'no-content',
    where: 'gap/delete-account-response',
    what: 'DELETE of an account, a tag or an API key, and PUT, answer 204 without a body',
    meddle: noContent(/^(DELETE \/account|PUT \/)/),
  },
  {
    id: 'created-account',
    where: 'gap/create-account-response',
    what: 'POST /account answers 200, empty maps are arrays, and credits are shown',
    meddle: (answer) => {
      if (answer.status !== 201 || answer.path !== '/account') return undefined;
      const { Account, ApiKeys, Tags } = JSON.parse(answer.body) as Record<string, object>;
      const body = {
        Account: { ...Account, credits: 0 },
        ApiKeys: orEmptyArray(ApiKeys),
        Tags: orEmptyArray(Tags),
      };
      return { status: 200, body: JSON.stringify(body) };
    },
  },
  {
    id: 'tag-and-key-objects',
    where: 'gap/tag-response',
    what: 'tags and API keys are answered as objects',
    meddle: json(/^(GET|POST) \/account\/(tag|apikey)\//, (value: unknown) => ({ value })),
  },

  // Lists and errors
  {
    id: 'limit-500',
    where: 'gap/limit-upper-bound',
    what: 'a limit above 500 is cut to 500',
    choices: { limitMaximum: 500 },
  },
  {
    id: 'limit-250',
    where: 'gap/limit-upper-bound',
    what: 'a limit above 250 is cut to 250',
    choices: { limitMaximum: 250 },
  },
  {
    id: 'unknown-parameters-refused',
    where: 'gap/unknown-query-parameters',
    what: 'an unknown query parameter is refused with 400',
    rewrite: refuseUnknownParameters,
  },
  {
    id: 'ranges',
    where: 'gap/set-ranges',
    what: 'sets may have ranges',
    rewrite: takeRanges,
  },
  {
    id: 'other-codes',
    where: 'gap/error-codes',
    what: 'other codes wherever none is printed',
    rules: otherCodes({
      BadRequest: 'ValidationFailed',
      NotFound: 'ResourceNotFound',
      MethodNotAllowed: 'NoSuchMethod',
      RequestBodyTooLarge: 'PayloadTooLarge',
      Forbidden: 'NotAllowed',
      UnsupportedMediaType: 'UnknownMediaType',
    }),
  },

  // Webhooks, scales, the rest
  {
    id: 'statistics-by-measure',
    where: 'gap/webhook-statistics-nesting',
    what: 'statistics nested the other way round',
    choices: { statisticsNesting: 'by-measure' },
  },
  {
    id: 'webhooks-oldest-first',
    where: 'gap/webhooks-order',
    what: 'webhooks in the order in which they were made',
    choices: { webhooksNewestFirst: false },
  },
  {
    id: 'integrator-hears-nothing',
    where: 'gap/webhook-of-integrator',
    what: 'webhooks of an Integrator Account hear nothing of its Child Accounts',
    choices: { integratorHearsChildren: false },
  },
  {
    id: 'computer-events-without-id',
    where: 'gap/computer-event-data',
    what: 'computer state events name no computer but by the host of its connection',
    rules: events((event) =>
      event['type'] === 'computer state'
        ? { ...event, data: { ...(event['data'] as JsonObject), computerId: undefined } }
        : event,
    ),
  },
  {
    id: 'events-with-more',
    where: 'gap/print-job-event-data',
    what: 'events have keys that nobody asked for',
    rules: events((event) => ({
      ...event,
      eventId: 7,
      data: { ...(event['data'] as JsonObject), more: [] },
    })),
  },
  {
    id: 'ping-object',
    where: 'gap/ping-body',
    what: 'GET /ping answers an object',
    meddle: json(/^GET \/+ping/, () => ({ status: 'up' })),
  },
  {
    id: 'refresh-object',
    where: 'gap/printers-refresh',
    what: 'GET /printers/refresh answers an object with 202',
    meddle: ({ path, status }) =>
      path.startsWith('/printers/refresh') && status === 200 ? { status: 202, body: '{"asked":true}' } : undefined,
  },
  {
    id: 'updated-download-records',
    where: 'gap/client-download-update-response',
    what: 'PATCH of downloads answers records',
    meddle: json(/^PATCH \/download/, (ids: readonly number[]) => ids.map((id) => ({ id, os: 'windows' }))),
  },
];
