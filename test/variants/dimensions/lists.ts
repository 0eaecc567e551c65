/** What is open about records, lists, pages and sets. The innermost: applied first. */

import { mapHeaders } from '../../mutants/meddling-proxy.ts';
import type { Ask, PassingRequest } from '../../mutants/meddling-proxy.ts';
import { everyObject, json, objectsWith, refusing, type JsonObject } from '../changes.ts';
import { decides, type Change, type Dimensions } from '../dimension.ts';
import { refused } from '../refusals.ts';

const LISTED = /^\/+(computers|printers|printjobs)\b/;
const BASES: Readonly<Record<string, RegExp>> = {
  computers: /^\/+computers\/((?:\d|,|%2C)+)\/?([?]|$)/i,
  printers: /^\/+(?:computers\/[^/]+\/)?printers\/((?:\d|,|%2C)+)\/?([?]|$)/i,
  printjobs: /^\/+(?:printers\/[^/]+\/)?printjobs\/((?:\d|,|%2C)+)\/?([?]|$)/i,
};

const parameter = ({ path }: PassingRequest, name: string): string | null =>
  new URLSearchParams(path.split('?')[1] ?? '').get(name);

const limitOver =
  (most: number) =>
  (request: PassingRequest): boolean =>
    LISTED.test(request.path) && Number(parameter(request, 'limit')) > most;

/** How many different ids the last set of a path has. */
function sizeOfSet(path: string): number {
  const set = Object.values(BASES)
    .map((pattern) => pattern.exec(path)?.[1])
    .find((found) => found !== undefined);
  return new Set(set?.replaceAll(/%2C/gi, ',').split(',').map(Number)).size;
}

interface Listed {
  readonly id: number;
}

/** No greater limit is sure to be taken as it is. */
const SURE_LIMIT = 100;

/** All records of a list, page by page; undefined where it is refused. */
async function listedBy(
  bare: string,
  headers: PassingRequest['headers'],
  ask: Ask,
): Promise<readonly Listed[] | undefined> {
  const all: Listed[] = [];
  for (let after = ''; ; after = `&after=${all.at(-1)?.id}`) {
    const { status, body } = await ask({ method: 'GET', path: `${bare}?limit=${SURE_LIMIT}${after}`, headers });
    if (status !== 200) return undefined;
    const page = JSON.parse(body) as readonly Listed[];
    all.push(...page);
    if (page.length < SURE_LIMIT) return all;
  }
}

/** How many ids of the set in a path are there to be read, and how many are not. */
async function knownIn(
  { path, headers }: PassingRequest,
  ask: Ask,
): Promise<readonly [known: number, unknown: number]> {
  const [bare = ''] = path.split('?');
  const size = sizeOfSet(bare);
  if (size === 0) return [0, 0];
  const known = (await listedBy(bare, headers, ask))?.length ?? size;
  return [known, size - known];
}

/** Refuses a set with an id that is not there, or only one with no other ids. */
const unknownIds = (status: number, code: string, { isAlone = false, of = /^/ } = {}): Change => ({
  async rewrite(request, ask) {
    if (!of.test(request.path) || (request.method !== 'GET' && request.method !== 'DELETE')) return undefined;
    const [known, unknown] = await knownIn(request, ask);
    return unknown > 0 && (known === 0 || !isAlone) ? refused(status, code) : undefined;
  },
});

/** `after` with an id that is not in the list. */
async function startsNowhere(request: PassingRequest, ask: Ask): Promise<boolean> {
  const after = parameter(request, 'after');
  if (request.method !== 'GET' || after === null || !/^\d+$/.test(after) || !LISTED.test(request.path)) return false;
  const [bare = ''] = request.path.split('?');
  if (bare.includes('states')) return false;
  const listed = await listedBy(bare, request.headers, ask);
  return listed !== undefined && !listed.some(({ id }) => id === Number(after));
}

const PAGE_PARAMETERS: ReadonlySet<string> = new Set(['limit', 'after', 'dir', 'edition', 'version']);

const hasUnknownParameter = ({ path }: PassingRequest): boolean =>
  [...new URLSearchParams(path.split('?')[1] ?? '').keys()].some((name) => !PAGE_PARAMETERS.has(name));

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

/** Ids of all kinds in one sequence, where the kinds of a service share one. */
function oneSequence(): Change {
  let last = 0;
  return { rules: () => ({ nextId: (lastId) => (last = Math.max(last, lastId) + 1) }) };
}

export const LIST_DIMENSIONS: Dimensions = {
  'extra-keys': decides(
    'gap/print-job-record',
    'May objects have keys that the specification does not print?',
    'none do',
    {
      'one in each': json(/./, (value: unknown) =>
        everyObject(value, (object) => ({ ...object, extra: { since: '2.0', flags: [1, null] } })),
      ),
      'one in printrate': objectsWith(/printers|printjobs/, 'capabilities', ({ capabilities }) => {
        const { printrate, ...rest } = (capabilities ?? {}) as JsonObject;
        if (typeof printrate !== 'object' || printrate === null) return {};
        return { capabilities: { ...rest, printrate: { ...printrate, measured: false } } };
      }),
    },
  ),
  ids: decides('service/id-positive-integer', 'Which ids come next?', 'from 1, one after the other', {
    'from 1,000,000,007, with holes': {
      rules: () => ({ nextId: (lastId) => (lastId === 0 ? 1_000_000_007 : lastId + 1 + ((lastId * 7) % 11)) }),
    },
    'beyond 32 bits': { rules: () => ({ nextId: (lastId) => (lastId === 0 ? 5_000_000_000 : lastId + 1) }) },
    'one sequence for all kinds': oneSequence(),
  }),
  'limit-upper-bound': decides(
    'gap/limit-upper-bound',
    'What is the greatest limit?',
    '1000, and a greater one counts as 1000',
    {
      '500, and a greater one counts as 500': { choices: { limitMaximum: 500 } },
      '250, and a greater one counts as 250': { choices: { limitMaximum: 250 } },
      '100, and a greater one counts as 100': { choices: { limitMaximum: 100 } },
      '500, and a greater one gets 400': refusing(/^GET /, [400, 'LimitTooLarge'], limitOver(500)),
      '200, and a greater one gets 400': refusing(/^GET /, [400, 'LimitTooLarge'], limitOver(200)),
    },
  ),
  'odd-page': decides('service/page-limit', 'What does a limit do that is no positive integer?', 'it gets 400', {
    'it counts as the default': {
      rules: ({ parsePage }) => ({
        parsePage: (query, most) => {
          const limit = query.get('limit') ?? '';
          const isOdd = limit !== '' && !/^[1-9]\d*$/.test(limit);
          const rest = [...query].filter(([name]) => !isOdd || name !== 'limit');
          return parsePage(new URLSearchParams(rest), most);
        },
      }),
    },
  }),
  'after-unknown': decides(
    'service/page-after',
    'What does after do with an id that is not in the list?',
    'it marks a position',
    {
      'it gets 400': {
        rewrite: async (request, ask) =>
          (await startsNowhere(request, ask)) ? refused(400, 'UnknownAfter') : undefined,
      },
    },
  ),
  'unknown-id-in-set': decides(
    'gap/unknown-id-in-set',
    'What does an id in a set get that does not exist?',
    'nothing, and the others are answered',
    {
      '404, and nothing is done': unknownIds(404, 'NotFound'),
      '400, and nothing is done': unknownIds(400, 'UnknownId'),
      '404 where no other is named, and otherwise nothing': unknownIds(404, 'Absent', { isAlone: true }),
      '404 for jobs, and nothing for what prints them': unknownIds(404, 'NoJob', { of: /printjobs\/\d/ }),
    },
  ),
  'set-ranges': decides('gap/set-ranges', 'May a set have ranges?', 'no', { yes: { rewrite: takeRanges } }),
  'set-spelling': decides(
    'service/set-comma-separated',
    'May ids in a set have leading zeros, or blanks around them?',
    'yes',
    {
      no: refusing(
        /^\w+ /,
        [400, 'MalformedSet'],
        ({ path }) =>
          /^\/+(computers|printers|printjobs)\/[^?]*(\/|,|%2C)(0+[1-9]|(%20|\+)\d)|\d(%20|\+)(,|%2C|\/|$)/i.test(
            path,
          ) && !path.includes('scale'),
      ),
    },
  ),
  'deleted-order': decides('service/set-order-irrelevant', 'In what order does DELETE list the ids?', 'by id', {
    'the greatest first': json(/^DELETE \/+(computers|printers|printjobs)/, (list: readonly number[]) =>
      list.toReversed(),
    ),
  }),
  'unknown-query-parameters': decides(
    'gap/unknown-query-parameters',
    'What do unknown query parameters do?',
    'nothing',
    { 'they get 400': refusing(/^GET /, [400, 'UnknownParameter'], hasUnknownParameter) },
  ),
  'offset-of-page': decides(
    'service/records-returned-offset',
    'What does Records-Returned-Offset say?',
    'how many records stand before the page',
    {
      'always 0': {
        meddle: ({ headers }) => ({
          headers: mapHeaders(headers, (name, value) => [
            name,
            name.toLowerCase() === 'records-returned-offset' ? '0' : value,
          ]),
        }),
      },
    },
  ),
};
