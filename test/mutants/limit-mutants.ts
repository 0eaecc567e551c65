/**
 * Mutants of limits: of creation and tags, of the body, and of the request rate.
 */

import { TokenBuckets, type RateLimit } from '../../src/service/gate/rate-limit.ts';
import type { ServiceRules } from '../../src/service/service-rules.ts';
import type { PassingAnswer } from './meddling-proxy.ts';
import { creating, headerOf, instead, jsonOf, refuse, sent, status } from './mutant-tools.ts';
import { errors, type Mutant } from './mutants.ts';

const CREATE = /^POST \/account$/;
const UPDATE = /^PATCH \/account$/;
const SET_TAG = /^POST \/account\/tag\//;
const SUBMIT = /^POST \/printjobs$/;
const MEGABYTE = 1_000_000;

type Fields = Record<string, unknown>;

const pad = (fields: Fields): Fields =>
  typeof fields['password'] === 'string'
    ? { ...fields, password: fields['password'].padEnd(8, '.') }
    : fields;

const keysOf = (creation: Fields): readonly string[] => (creation['ApiKeys'] ?? []) as string[];

const withKeys = (change: (names: readonly string[]) => readonly string[]) =>
  sent(CREATE, (creation: Fields) => ({ ...creation, ApiKeys: change(keysOf(creation)) }));

const withTags = (change: (value: string) => string) =>
  sent(CREATE, ({ Tags = {}, ...creation }: Fields) => ({
    ...creation,
    Tags: Object.fromEntries(
      Object.entries(Tags as Fields).map(([name, value]) => [name, change(String(value))]),
    ),
  }));

const creation = ({ request }: PassingAnswer): Fields => ({ ...(jsonOf(request) as object) });
const passwordOf = (answer: PassingAnswer): string => {
  const { password } = { password: '', ...(creation(answer)['Account'] as Fields | undefined) };
  return typeof password === 'string' ? password : '';
};
const nameLength = ({ path }: Pick<PassingAnswer, 'path'>): number =>
  path.replace('/account/tag/', '').length;
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

/** Whoever was refused once stays so for a minute. */
function grudge(): Partial<ServiceRules> {
  return {
    rateLimit: (): RateLimit => {
      const buckets = new TokenBuckets();
      const refusedMs = new Map<string, number>();
      return {
        take(key, nowMs) {
          const waitMs = (refusedMs.get(key) ?? Number.NEGATIVE_INFINITY) + 60_000 - nowMs;
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
  {
    name: 'a password has nine bytes',
    clause: 'limits/password-at-accepted',
    meddle: refuse(CREATE, (answer) => passwordOf(answer) === 'bbbbbbbb'),
  },
  {
    name: 'a password of seven bytes will do',
    clause: 'limits/password-under-refused',
    rewrite: creating(pad),
  },
  {
    name: 'a password is counted in characters',
    clause: 'limits/password-in-bytes',
    meddle: refuse(CREATE, (answer) => passwordOf(answer).length < 8),
  },
  {
    name: 'a changed password may be short',
    clause: 'limits/password-on-update',
    rewrite: sent(UPDATE, pad),
  },

  // Names of API keys
  {
    name: 'the name of a key has 15 bytes at most',
    clause: 'limits/api-key-name-at-accepted',
    meddle: refuse(CREATE, (answer) => keysOf(creation(answer)).some((name) => Buffer.byteLength(name) > 15)),
  },
  {
    name: 'names of keys are cut',
    clause: 'limits/api-key-name-over-refused',
    rewrite: withKeys((names) => names.map((name) => firstBytes(name, 16))),
  },
  {
    name: 'the name of a key is counted in characters',
    clause: 'limits/api-key-name-in-bytes',
    rewrite: withKeys((names) => names.map((name) => (name.length <= 16 ? firstBytes(name, 16) : name))),
  },
  {
    name: 'nine names of keys at most',
    clause: 'limits/api-key-names-at-accepted',
    meddle: refuse(CREATE, (answer) => keysOf(creation(answer)).length > 9),
  },
  {
    name: 'the eleventh key is left out',
    clause: 'limits/api-key-names-over-refused',
    rewrite: withKeys((names) => names.slice(0, 10)),
  },

  // Tags
  {
    name: 'a tag at creation has 1023 bytes at most',
    clause: 'limits/creation-tag-value-at-accepted',
    meddle: refuse(CREATE, (answer) => JSON.stringify(creation(answer)['Tags'] ?? '').length > 1_024),
  },
  {
    name: 'a tag at creation is counted in characters',
    clause: 'limits/creation-tag-value-over-refused',
    rewrite: withTags((value) => (value.length <= 1_024 ? firstBytes(value, 1_024) : value)),
  },
  {
    name: 'a tag name has 63 characters at most',
    clause: 'limits/tag-name-at-accepted',
    meddle: refuse(SET_TAG, (answer) => nameLength(answer) > 63),
  },
  {
    name: 'a tag name has 65 characters at most',
    clause: 'limits/tag-name-over-refused',
    rewrite: instead(SET_TAG, (request) =>
      nameLength(request) === 65 ? { path: request.path.slice(0, -1) } : undefined,
    ),
  },
  {
    name: 'a tag is counted in bytes',
    clause: 'limits/tag-value-at-accepted',
    meddle: refuse(SET_TAG, ({ request }) => Buffer.byteLength(String(jsonOf(request))) > 1_024),
  },
  {
    name: 'tags are cut',
    clause: 'limits/tag-value-over-refused',
    rewrite: sent(SET_TAG, (value: string) => value.slice(0, 1_024)),
  },

  // Bodies
  {
    name: '49 MB at most',
    clause: 'limits/body-at-accepted',
    meddle: status(SUBMIT, 413, ({ request }) => request.body.length > 49 * MEGABYTE),
  },
  {
    name: 'documents of 37 MB at most',
    clause: 'limits/base64-document',
    meddle: status(SUBMIT, 413, ({ request }) => request.body.length > (37 * 4 * MEGABYTE) / 3),
  },
  {
    name: 'a body too large is cut and printed',
    clause: 'limits/body-over-no-job',
    rewrite: instead(SUBMIT, ({ body }) => {
      if (body.length < 52 * MEGABYTE) return undefined;
      return {
        body: `${body.toString('utf8', 0, 1_000)}"}`.replace(/"content":"(.{400}).*"\}/, '"content":"$1"}'),
      };
    }),
    meddle: status(SUBMIT, 413, ({ request }) => request.body.length > 52 * MEGABYTE, '{}'),
  },
  {
    name: 'only a declared size counts',
    clause: 'errors/body-too-large-whatever-it-says',
    meddle: status(SUBMIT, 400, ({ request }) => headerOf(request, 'transfer-encoding') !== undefined),
  },

  // The request rate
  {
    name: 'no request rate',
    clause: 'limits/request-rate-exceeded',
    rules: { rateLimit: () => ({ take: () => 0 }) },
  },
  { name: 'twenty a second', clause: 'limits/request-rate-exceeded', rules: bucket(20, 30) },
  { name: 'bursts of 60', clause: 'limits/request-rate-exceeded', rules: bucket(10, 60) },
  { name: 'five a second', clause: 'limits/request-rate', rules: bucket(5, 30) },
  { name: 'bursts of 10', clause: 'limits/request-burst', rules: bucket(10, 10) },
  { name: 'ten in each second by the clock', clause: 'limits/request-burst', rules: fixedWindow(10) },
  { name: 'whoever exceeds is out for a minute', clause: 'limits/request-rate-recovers', rules: grudge() },
  {
    name: 'a submission refused with 429 is printed',
    clause: 'limits/request-rate-does-nothing',
    rules: { rateLimit: () => ({ take: () => 0 }) },
    meddle: status(SUBMIT, 429, () => ++submissions > 30),
  },
  {
    name: 'all accounts share one rate',
    clause: 'limits/request-rate-accounts-apart',
    rules: bucket(10, 30, () => 'everybody'),
  },
  {
    name: 'another code for too many requests',
    clause: 'errors/too-many-requests',
    rules: errors((error) => (error['code'] === 'TooManyRequests' ? { ...error, code: 'SlowDown' } : error)),
  },
  {
    name: 'a 429 without the error object',
    clause: 'errors/too-many-requests-object',
    rules: errors((error) => (error['code'] === 'TooManyRequests' ? { code: 'TooManyRequests' } : error)),
  },
];
