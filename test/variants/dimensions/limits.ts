/** What is open about limits, errors, bodies, and the rest of the service. */

import { TokenBuckets } from '../../../src/service/gate/rate-limit.ts';
import { LIMITS } from '../../../src/specification/limits.ts';
import { mapHeaders } from '../../mutants/meddling-proxy.ts';
import { headerOf } from '../../mutants/mutant-tools.ts';
import { answered, fieldsSent, json, objectsWith, refusing, withDigestOf, type JsonObject } from '../changes.ts';
import type { Change, Dimensions } from '../dimension.ts';

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
  'error-codes': {
    where: 'gap/error-codes',
    question: 'Which codes are there that the specification does not print?',
    reference: 'the names of the statuses',
    values: {
      'other words': otherCodes((code) => `Api${code}Error`),
      'in lower case': otherCodes((code) => code.replaceAll(/(?<=.)([A-Z])/g, '_$1').toLowerCase()),
    },
  },
  'error-messages': {
    where: 'errors/message-readable',
    question: 'In which language are messages?',
    reference: 'English',
    values: {
      another: {
        rules: ({ renderError }) => ({
          renderError: (error, requestId) => {
            const object = JSON.parse(renderError(error, requestId)) as JsonObject;
            return JSON.stringify({ ...object, message: 'Das geht leider nicht: «ungültig» 印刷できません.' });
          },
        }),
      },
    },
  },
  burst: {
    where: 'limits/request-burst',
    question: 'How many requests are tolerated at once?',
    reference: '30',
    values: {
      '27': burstOf(27),
      '35': burstOf(35),
      '30 in each three seconds': windows(),
      'only 25': burstOf(25),
    },
  },
  'rate-limit-scope': {
    where: 'gap/rate-limit-scope',
    question: 'What are requests counted by?',
    reference: 'the account',
    values: {
      'the address': { choices: { rateLimitScope: 'address' } },
      'the account and the address': { choices: { rateLimitScope: 'both' } },
    },
  },
  'rate-limit-refused-cost': {
    where: 'gap/rate-limit-refused-cost',
    question: 'Is a request counted that is refused for its rate?',
    reference: 'no',
    values: { yes: costlyRefusals() },
  },
  'retry-after': {
    where: 'errors/too-many-requests',
    question: 'Does a 429 say when to try again?',
    reference: 'yes',
    values: {
      no: {
        meddle: ({ status, headers }) =>
          status === 429
            ? { headers: mapHeaders(headers, (name, value) => (/^retry-after$/i.test(name) ? [] : [name, value])) }
            : undefined,
      },
    },
  },
  delay: {
    where: 'service/elapsed-seconds',
    question: 'How long does an answer take?',
    reference: 'next to nothing',
    values: {
      '60 ms': { delayMs: 60, undecided: FASTER_THAN_RATE },
      '300 ms': { delayMs: 300, undecided: FASTER_THAN_RATE },
    },
  },
  megabyte: {
    where: 'gap/megabyte',
    question: 'What is a megabyte?',
    reference: '1,048,576 bytes',
    values: {
      '1,000,000 bytes': {
        rewrite: ({ body }) => (body.length > MEGABYTES * 1_000_000 ? { body: TOO_LARGE } : undefined),
      },
    },
  },
  'other-media-types': {
    where: 'gap/other-media-types',
    question: 'What becomes of a body that is text/plain?',
    reference: 'it is a string',
    values: {
      'it gets 415': refusing(
        /./,
        [415, 'UnsupportedMediaType'],
        (request) => headerOf(request, 'content-type')?.startsWith('text/plain') === true,
      ),
    },
  },
  'loose-booleans': {
    where: 'client-downloads/update-enabled',
    question: 'Is 1 taken for true?',
    reference: 'no',
    values: {
      yes: {
        rewrite: fieldsSent(/^PATCH \/download/, ({ enabled, ...fields }) => ({
          ...fields,
          ...(enabled !== undefined && { enabled: enabled === 1 || (enabled === 0 ? false : enabled) }),
        })),
      },
    },
  },
  'client-download-record': {
    where: 'gap/client-download-record',
    question: 'Which fields does a client download have?',
    reference: 'ten of them',
    values: {
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
  },
  'client-download-latest': {
    where: 'gap/client-download-record',
    question: 'How does GET /download/clients/{os} answer the download?',
    reference: 'as its record',
    values: { 'in a list': json(/^GET \/+download\/clients\/(osx|windows)$/, (download: JsonObject) => [download]) },
  },
  'client-download-short-path': {
    where: 'gap/client-download-short-path',
    question: 'What does GET /download/client/{os} answer?',
    reference: 'a record',
    values: {
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
  },
  'client-download-update-response': {
    where: 'gap/client-download-update-response',
    question: 'What does PATCH of downloads answer?',
    reference: 'their ids',
    values: {
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
  },
  'client-download-order': {
    where: 'client-downloads/list',
    question: 'In what order do downloads stand in a list?',
    reference: 'the newest first',
    values: {
      'the other way round': json(/^GET \/download\/clients(\/[\d,]+)?$/, (list: readonly unknown[]) =>
        list.toReversed(),
      ),
    },
  },
  'ping-body': {
    where: 'gap/ping-body',
    question: 'What is the body of GET /ping?',
    reference: '"OK"',
    values: { 'an object': json(/^GET \/ping/, () => ({ status: 'up' })), null: json(/^GET \/ping/, () => null) },
  },
  'printers-refresh': {
    where: 'gap/printers-refresh',
    question: 'What does GET /printers/refresh answer?',
    reference: 'true',
    values: {
      '202 with an object': answered(/^GET \/printers\/refresh/, 202, { asked: true }),
      '204': answered(/^GET \/printers\/refresh/, 204),
    },
  },
};
