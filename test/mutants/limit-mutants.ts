/**
 * Mutants of limits: of creation and tags, of the body, and of the request rate.
 */

import { TokenBuckets, type RateLimit } from '../../src/service/gate/rate-limit.ts';
import type { ServiceRules } from '../../src/service/service-rules.ts';
import type { PassingAnswer } from './meddling-proxy.ts';
import { creating, headerOf, instead, jsonOf, refuse, sent, status, isForm } from './mutant-tools.ts';
import { broken, inAnswers, inRequests, inRules, type Mutant } from './mutant.ts';
import { errors } from './mutants.ts';

const CREATE = /^POST \/account$/;
const UPDATE = /^PATCH \/account$/;
const SET_TAG = /^POST \/account\/tag\//;
const SUBMIT = /^POST \/printjobs$/;
const MEGABYTE = 1_000_000;

type Fields = Record<string, unknown>;

/** Each API key has a rate of its own. */
function ratePerKey(): Mutant {
  let last: string | undefined;
  return {
    name: 'each API key has a rate of its own',
    clause: 'limits/request-rate-exceeded',
    rules: bucket(10, 30, (key) => `${key} ${last}`),
    rewrite(request) {
      last = headerOf(request, 'Authorization');
      return undefined;
    },
  };
}

const pad = (fields: Fields): Fields =>
  typeof fields['password'] === 'string' ? { ...fields, password: fields['password'].padEnd(8, '.') } : fields;

const keysOf = (creation: Fields): readonly string[] => (creation['ApiKeys'] ?? []) as string[];

const withKeys = (change: (names: readonly string[]) => readonly string[]) =>
  sent(CREATE, (creation: Fields) => ({ ...creation, ApiKeys: change(keysOf(creation)) }));

const withTags = (change: (value: string) => string) =>
  sent(CREATE, ({ Tags = {}, ...creation }: Fields) => ({
    ...creation,
    Tags: Object.fromEntries(Object.entries(Tags as Fields).map(([name, value]) => [name, change(String(value))])),
  }));

const creation = ({ request }: PassingAnswer): Fields => ({ ...(jsonOf(request) as object) });
const passwordOf = (answer: PassingAnswer): string => {
  const { password } = { password: '', ...(creation(answer)['Account'] as Fields | undefined) };
  return typeof password === 'string' ? password : '';
};
const nameLength = ({ path }: Pick<PassingAnswer, 'path'>): number => path.replace('/account/tag/', '').length;
const firstBytes = (text: string, bytes: number): string =>
  Buffer.from(text).subarray(0, bytes).toString('utf8').replace('\ufffd', '');

/** A token bucket of another make. `scope` names what is counted. */
function bucket(perSecond: number, burst: number, scope = (key: string) => key): Partial<ServiceRules> {
  return {
    rateLimit: () => {
      const buckets = new Map<string, { tokens: number; atMs: number }>();
      return {
        take(key, nowMs) {
          const one = buckets.get(scope(key)) ?? { tokens: burst, atMs: nowMs };
          const tokens = Math.min(burst, one.tokens + ((nowMs - one.atMs) * perSecond) / 1_000);
          const isFree = tokens >= 1;
          buckets.set(scope(key), { tokens: isFree ? tokens - 1 : tokens, atMs: nowMs });
          return isFree ? 0 : 1_000;
        },
      };
    },
  };
}

/** So many in each second by the clock on the wall. */
function fixedWindow(count: number): Partial<ServiceRules> {
  return {
    rateLimit: () => {
      const counts = new Map<string, number>();
      return {
        take(key, nowMs) {
          const name = `${key} ${Math.floor(nowMs / 1_000)}`;
          counts.set(name, (counts.get(name) ?? 0) + 1);
          return (counts.get(name) ?? 0) > count ? 1_000 : 0;
        },
      };
    },
  };
}

/** A caller that was refused once is refused for a while. */
function grudge(forMs: number): Partial<ServiceRules> {
  return {
    rateLimit: (): RateLimit => {
      const buckets = new TokenBuckets();
      const refusedMs = new Map<string, number>();
      return {
        take(key, nowMs) {
          const waitMs = (refusedMs.get(key) ?? Number.NEGATIVE_INFINITY) + forMs - nowMs;
          if (waitMs > 0) return waitMs;
          const bucketMs = buckets.take(key, nowMs);
          if (bucketMs > 0) refusedMs.set(key, nowMs);
          return bucketMs;
        },
      };
    },
  };
}

let submissions = 0;

export const LIMIT_MUTANTS: readonly Mutant[] = [
  // Passwords
  inAnswers(
    'limits/password-at-accepted',
    'a password has nine bytes',
    refuse(CREATE, (answer) => passwordOf(answer) === 'bbbbbbbb'),
  ),
  inRequests('limits/password-under-refused', 'a password of seven bytes will do', creating(pad)),
  inAnswers(
    'limits/password-in-bytes',
    'a password is counted in characters',
    refuse(CREATE, (answer) => passwordOf(answer) !== '' && passwordOf(answer).length < 8),
  ),
  inRequests('limits/password-on-update', 'a changed password may be short', sent(UPDATE, pad)),

  // Names of API keys
  inAnswers(
    'limits/api-key-name-at-accepted',
    'the name of a key has 15 bytes at most',
    refuse(CREATE, (answer) => keysOf(creation(answer)).some((name) => Buffer.byteLength(name) > 15)),
  ),
  inRequests(
    'limits/api-key-name-over-refused',
    'names of keys are cut',
    withKeys((names) => names.map((name) => firstBytes(name, 16))),
  ),
  inRequests(
    'limits/api-key-name-in-bytes',
    'the name of a key is counted in characters',
    withKeys((names) => names.map((name) => (name.length <= 16 ? firstBytes(name, 16) : name))),
  ),
  inAnswers(
    'limits/api-key-names-at-accepted',
    'nine names of keys at most',
    refuse(CREATE, (answer) => keysOf(creation(answer)).length > 9),
  ),
  inRequests(
    'limits/api-key-names-over-refused',
    'the eleventh key is left out',
    withKeys((names) => names.slice(0, 10)),
  ),

  // Tags
  inAnswers(
    'limits/creation-tag-value-at-accepted',
    'a tag at creation has 1023 bytes at most',
    refuse(CREATE, (answer) => JSON.stringify(creation(answer)['Tags'] ?? '').length > 1_024),
  ),
  inRequests(
    'limits/creation-tag-value-over-refused',
    'a tag at creation is counted in characters',
    withTags((value) => (value.length <= 1_024 ? firstBytes(value, 1_024) : value)),
  ),
  inAnswers(
    'limits/tag-name-at-accepted',
    'a tag name has 63 characters at most',
    refuse(SET_TAG, (answer) => nameLength(answer) > 63),
  ),
  inAnswers(
    'limits/tag-name-at-accepted',
    'a tag name has 63 characters at most at creation',
    refuse(/^POST \/account$/, ({ request }) => /"N{64,}"/.test(request.body.toString('utf8'))),
  ),
  inRequests(
    'limits/tag-name-over-refused',
    'a tag name is cut off at creation',
    instead(/^POST \/account$/, ({ body }) => ({ body: body.toString('utf8').replace(/N{64,}/, 'N') })),
  ),
  inRequests(
    'limits/tag-name-over-refused',
    'a tag name has 65 characters at most',
    instead(SET_TAG, (request) => (nameLength(request) === 65 ? { path: request.path.slice(0, -1) } : undefined)),
  ),
  inAnswers(
    'limits/tag-value-at-accepted',
    'a tag is counted in bytes',
    refuse(SET_TAG, ({ request }) => Buffer.byteLength(String(jsonOf(request))) > 1_024),
  ),
  inRequests(
    'limits/tag-value-over-refused',
    'tags are cut',
    sent(SET_TAG, (value: string) => value.slice(0, 1_024)),
  ),
  broken('limits/tag-value-over-refused', 'a tag that is too long is refused, and stored as far as it may be', {
    rewrite: sent(SET_TAG, (value: string) => value.slice(0, 1_024)),
    meddle: refuse(SET_TAG, ({ request }) => String(jsonOf(request)).length > 1_024),
  }),

  // Bodies
  inAnswers(
    'limits/body-at-accepted',
    '49 MB at most',
    status(SUBMIT, 413, ({ request }) => request.body.length > 49 * MEGABYTE),
  ),
  inAnswers(
    'limits/body-at-accepted',
    '10 MB of a form at most',
    status(SUBMIT, 413, ({ request }) => isForm(request) && request.body.length > 10 * MEGABYTE),
  ),
  inAnswers(
    'limits/base64-document',
    'documents of 37 MB at most',
    status(SUBMIT, 413, ({ request }) => request.body.length > (37 * 4 * MEGABYTE) / 3),
  ),
  broken('limits/body-over-no-job', 'a body too large is cut and printed', {
    rewrite: instead(SUBMIT, ({ body }) => {
      if (body.length < 52 * MEGABYTE) return undefined;
      return {
        body: `${body.toString('utf8', 0, 1_000)}"}`.replace(/"content":"(.{400}).*"\}/, '"content":"$1"}'),
      };
    }),
    meddle: status(SUBMIT, 413, ({ request }) => request.body.length > 52 * MEGABYTE, '{}'),
  }),
  inAnswers(
    'errors/body-too-large-whatever-it-says',
    'only a declared size counts',
    status(SUBMIT, 400, ({ request }) => headerOf(request, 'transfer-encoding') !== undefined),
  ),

  // The request rate
  inRules('limits/request-rate-exceeded', 'no request rate', { rateLimit: () => ({ take: () => 0 }) }),
  inRules('limits/request-rate-exceeded', 'twenty a second', bucket(20, 30)),
  inRules('limits/request-rate-exceeded', 'bursts of 90', bucket(10, 90)),
  ratePerKey(),
  inRules('limits/request-rate', 'five a second', bucket(5, 30)),
  inRules('limits/request-rate', 'eight a second', bucket(8, 30)),
  inRules('limits/request-burst', 'bursts of 10', bucket(10, 10)),
  inRules('limits/request-burst', 'ten in each second by the clock', fixedWindow(10)),
  inRules('limits/request-rate-recovers', 'whoever exceeds is out for a minute', grudge(60_000)),
  inRules('limits/request-rate-recovers', 'a first 429 brings five seconds of them', grudge(5_000)),
  broken('limits/request-rate-does-nothing', 'a submission refused with 429 is printed', {
    rules: { rateLimit: () => ({ take: () => 0 }) },
    meddle: status(SUBMIT, 429, () => ++submissions > 30),
  }),
  inRules(
    'limits/request-rate-accounts-apart',
    'all accounts share one rate',
    bucket(10, 30, () => 'everybody'),
  ),
  inRules(
    'errors/too-many-requests',
    'another code for too many requests',
    errors((error) => (error['code'] === 'TooManyRequests' ? { ...error, code: 'SlowDown' } : error)),
  ),
  inRules(
    'errors/too-many-requests-object',
    'a 429 without the error object',
    errors((error) => (error['code'] === 'TooManyRequests' ? { code: 'TooManyRequests' } : error)),
  ),
];
