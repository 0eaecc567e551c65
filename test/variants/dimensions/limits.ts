/** What is open about limits, errors, bodies, and the rest of the service. */

import { TokenBuckets } from '../../../src/service/gate/rate-limit.ts';
import { LIMITS } from '../../../src/specification/limits.ts';
import { mapHeaders } from '../../mutants/meddling-proxy.ts';
import { headerOf } from '../../mutants/mutant-tools.ts';
import { answered, fieldsSent, json, objectsWith, refusing, withDigestOf, type JsonObject } from '../changes.ts';
import { decides, type Change, type Dimensions } from '../dimension.ts';

const MEGABYTES = LIMITS.requestBodyMegabytes.value;
const TOO_LARGE = Buffer.alloc(MEGABYTES * 1024 * 1024 + 1, ' ');

/** Other words where the specification prints no code. */
function otherCodes(change: (code: string) => string): Change {
  return {
    rules: ({ renderError }) => ({
      renderError: (error, requestId) => {
        const object = JSON.parse(renderError(error, requestId)) as { code: string };
        return JSON.stringify({ ...object, code: PRINTED.has(object.code) ? object.code : change(object.code) });
      },
    }),
  };
}

const PRINTED: ReadonlySet<string> = new Set(['InvalidContent', 'InvalidCredentials', 'Conflict', 'TooManyRequests']);

/** A bucket of this many requests instead of thirty. */
function burstOf(size: number): Change {
  return {
    rules: () => ({
      rateLimit: () => {
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
    }),
  };
}

/** Thirty requests in each three seconds. */
function windows(): Change {
  return {
    rules: () => ({
      rateLimit: () => {
        const counts = new Map<string, { window: number; count: number }>();
        return {
          take(key, nowMs) {
            const window = Math.floor(nowMs / 3_000);
            const known = counts.get(key);
            const count = known?.window === window ? known.count : 0;
            if (count >= 30) return (window + 1) * 3_000 - nowMs;
            counts.set(key, { window, count: count + 1 });
            return 0;
          },
        };
      },
    }),
  };
}

/** A refused request is counted as well, up to a tenth of a second of them. */
function costlyRefusals(): Change {
  return {
    rules: () => ({
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
    }),
  };
}

/** Checks that have to send faster than the rate, which a caller that waits for slow answers cannot. */
const FASTER_THAN_RATE = [
  'rate-limit/science',
  'rate-limit/as-child',
  'rate-limit/keys-together',
  'rate-limit/does-nothing',
  'rate-limit/accounts-apart',
  'matrix/request-rate',
];

export const LIMIT_DIMENSIONS: Dimensions = {
  'error-codes': decides(
    'gap/error-codes',
    'Which codes are there that the specification does not print?',
    'the names of the statuses',
    {
      'other words': otherCodes((code) => `Api${code}Error`),
      'in lower case': otherCodes((code) => code.replaceAll(/(?<=.)([A-Z])/g, '_$1').toLowerCase()),
    },
  ),
  'error-messages': decides('errors/message-readable', 'In which language are messages?', 'English', {
    another: {
      rules: ({ renderError }) => ({
        renderError: (error, requestId) => {
          const object = JSON.parse(renderError(error, requestId)) as JsonObject;
          return JSON.stringify({ ...object, message: 'Das geht leider nicht: «ungültig» 印刷できません.' });
        },
      }),
    },
  }),
  burst: decides('limits/request-burst', 'How many requests are tolerated at once?', '30', {
    '27': burstOf(27),
    '35': burstOf(35),
    '30 in each three seconds': windows(),
    'only 25': burstOf(25),
  }),
  'rate-limit-scope': decides('gap/rate-limit-scope', 'What are requests counted by?', 'the account', {
    'the address': { choices: { rateLimitScope: 'address' } },
    'the account and the address': { choices: { rateLimitScope: 'both' } },
  }),
  'rate-limit-refused-cost': decides(
    'gap/rate-limit-refused-cost',
    'Is a request counted that is refused for its rate?',
    'no',
    { yes: costlyRefusals() },
  ),
  'retry-after': decides('errors/too-many-requests', 'Does a 429 say when to try again?', 'yes', {
    no: {
      meddle: ({ status, headers }) =>
        status === 429
          ? { headers: mapHeaders(headers, (name, value) => (/^retry-after$/i.test(name) ? [] : [name, value])) }
          : undefined,
    },
  }),
  delay: decides('service/elapsed-seconds', 'How long does an answer take?', 'next to nothing', {
    '60 ms': { delayMs: 60, undecided: FASTER_THAN_RATE },
    '300 ms': { delayMs: 300, undecided: FASTER_THAN_RATE },
  }),
  megabyte: decides('gap/megabyte', 'What is a megabyte?', '1,048,576 bytes', {
    '1,000,000 bytes': {
      rewrite: ({ body }) => (body.length > MEGABYTES * 1_000_000 ? { body: TOO_LARGE } : undefined),
    },
  }),
  'other-media-types': decides(
    'gap/other-media-types',
    'What becomes of a body that is text/plain?',
    'it is a string',
    {
      'it gets 415': refusing(
        /./,
        [415, 'UnsupportedMediaType'],
        (request) => headerOf(request, 'content-type')?.startsWith('text/plain') === true,
      ),
    },
  ),
  'loose-booleans': decides('client-downloads/update-enabled', 'Is 1 taken for true?', 'no', {
    yes: {
      rewrite: fieldsSent(/^PATCH \/download/, ({ enabled, ...fields }) => ({
        ...fields,
        ...(enabled !== undefined && { enabled: enabled === 1 || (enabled === 0 ? false : enabled) }),
      })),
    },
  }),
  'client-download-record': decides(
    'gap/client-download-record',
    'Which fields does a client download have?',
    'ten of them',
    {
      'neither id nor enabled, where the latest is looked up': json(
        /^GET \/download\/clients?\/(osx|windows)/,
        (download: JsonObject) => ({ ...download, id: undefined, enabled: undefined }),
      ),
      'a checksum and notes as well': objectsWith(/^\w+ \/download/, 'edition', () => ({ md5: 'd41d8cd9', notes: [] })),
      'no id in lists': {
        ...json(/^GET \/+download\/clients(\/[\d,]+)?$/, (downloads: readonly JsonObject[]) =>
          downloads.map((download) => ({ ...download, id: undefined })),
        ),
        undecided: [
          'gaps/client-download-update-response',
          ...['lists', 'latest', 'versions', 'updates'].map((name) => `client-downloads/${name}`),
          ...['integrator', 'single', 'child', 'named-child'].map((account) => `matrix/${account}-downloads`),
        ],
      },
      'the id inside another object': objectsWith(/^\w+ \/download/, 'edition', ({ id }) => ({
        id: undefined,
        release: { number: id },
      })),
    },
  ),
  'client-download-latest': decides(
    'gap/client-download-record',
    'How does GET /download/clients/{os} answer the download?',
    'as its record',
    { 'in a list': json(/^GET \/+download\/clients\/(osx|windows)$/, (download: JsonObject) => [download]) },
  ),
  'client-download-short-path': decides(
    'gap/client-download-short-path',
    'What does GET /download/client/{os} answer?',
    'a record',
    {
      'a redirect': {
        meddle: ({ path, headers, status }) =>
          status === 200 && /^\/download\/client\/(osx|windows)$/.test(path)
            ? {
                status: 302,
                headers: [...withDigestOf(headers, ''), 'Location', 'https://app.example/client.exe'],
                body: '',
              }
            : undefined,
      },
    },
  ),
  'client-download-update-response': decides(
    'gap/client-download-update-response',
    'What does PATCH of downloads answer?',
    'their ids',
    {
      'the downloads': {
        meddle: async ({ method, path, status, request }, ask) => {
          if (method !== 'PATCH' || status !== 200 || !/^\/+download\/clients\//.test(path)) return undefined;
          const { body } = await ask({ method: 'GET', path, headers: request.headers });
          return { body };
        },
      },
      'records with an id and a system': json(/^PATCH \/download/, (ids: readonly number[]) =>
        ids.map((id) => ({ id, os: 'windows' })),
      ),
    },
  ),
  'client-download-order': decides(
    'client-downloads/list',
    'In what order do downloads stand in a list?',
    'the newest first',
    {
      'the other way round': json(/^GET \/download\/clients(\/[\d,]+)?$/, (list: readonly unknown[]) =>
        list.toReversed(),
      ),
    },
  ),
  'ping-body': decides('gap/ping-body', 'What is the body of GET /ping?', '"OK"', {
    'an object': json(/^GET \/ping/, () => ({ status: 'up' })),
    null: json(/^GET \/ping/, () => null),
  }),
  'printers-refresh': decides('gap/printers-refresh', 'What does GET /printers/refresh answer?', 'true', {
    '202 with an object': answered(/^GET \/printers\/refresh/, 202, { asked: true }),
    '204': answered(/^GET \/printers\/refresh/, 204),
  }),
};
