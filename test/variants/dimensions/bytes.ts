/** What the bytes of an answer look like, where only its meaning is printed. The outermost: applied last. */

import { ENDPOINTS } from '../../../src/specification/endpoints.ts';
import { mapHeaders, type Meddle } from '../../mutants/meddling-proxy.ts';
import { headerOf } from '../../mutants/mutant-tools.ts';
import { answered, header, refusedWith, withDigestOf, withoutRequestHeader } from '../changes.ts';
import { decides, type Dimensions } from '../dimension.ts';
import { refused } from '../refusals.ts';

const bodies =
  (change: (value: unknown) => string): Meddle =>
  ({ body }) =>
    body === '' ? undefined : { body: change(JSON.parse(body)) };

function reordered(value: unknown, order: (names: readonly string[]) => readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => reordered(one, order));
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(order(Object.keys(members)).map((name) => [name, reordered(members[name], order)]));
}

/** Keys in another order in each answer. */
function turning(): Meddle {
  let turns = 0;
  return bodies((value) => {
    turns++;
    const turned = (names: readonly string[]): readonly string[] =>
      names.map((_, index) => names[(index + turns) % names.length] ?? '');
    return JSON.stringify(reordered(value, turned));
  });
}

const hexadecimal = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Every third letter, in keys too, and all that is not ASCII. */
function escaped(value: unknown): string {
  let letters = 0;
  return JSON.stringify(value).replaceAll(STRING_OF_JSON, (string) =>
    string.replaceAll(/\\.|[A-Za-z/\u0080-\uffff]/g, (part) => {
      if (part.startsWith('\\')) return part;
      if (part === '/') return String.raw`\/`;
      return part > '\u007f' || ++letters % 3 === 0 ? hexadecimal(part) : part;
    }),
  );
}

const STRING_OF_JSON = /"(?:[^"\\]|\\.)*"/g;

/** Another Request-Id, wherever an answer tells it. */
function requestIds(change: (id: string) => string): Meddle {
  return (answer) => {
    const id = headerIn(answer.headers, 'request-id');
    const other = change(id);
    const headers = mapHeaders(answer.headers, (name, value) => [
      name,
      name.toLowerCase() === 'request-id' ? other : value,
    ]);
    const body = answer.body.replaceAll(id, other);
    return { headers: body === answer.body ? headers : withDigestOf(headers, body), body };
  };
}

function headerIn(headers: readonly string[], wanted: string): string {
  const index = headers.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === wanted);
  return headers[index + 1] ?? '';
}

function numbered(): (id: string) => string {
  let last = 70_000;
  return () => String(++last);
}

const named =
  (change: (name: string) => string): Meddle =>
  ({ headers }) => ({
    headers: mapHeaders(headers, (name, value) => [change(name), value]),
  });

const patternOf = (path: string): RegExp => new RegExp(`^/+${path.slice(1).replaceAll(/\{\w+\}/g, '[^/]+')}/?([?]|$)`);

const PRINTED = ENDPOINTS.map(({ path }) => patternOf(path));
const OPEN_SUCCESS = ENDPOINTS.filter(({ successStatus }) => successStatus === null).map(({ method, path }) => ({
  method,
  path: patternOf(path),
}));

const OTHER_HEADERS = [
  ['Set-Cookie', 'session=1; Path=/'],
  ['Set-Cookie', 'lang=en'],
  ['Cache-Control', 'no-store'],
  ['X-RateLimit-Limit', '10'],
  ['Vary', 'Origin'],
];

export const BYTE_DIMENSIONS: Dimensions = {
  'request-id': decides('service/request-id-present', 'What does a Request-Id look like?', 'a short token', {
    'an integer': { meddle: requestIds(numbered()) },
    'long, with other characters': { meddle: requestIds((id) => `req:${id}/${id}==`) },
  }),
  'json-layout': decides('service/body-is-json', 'How is JSON laid out?', 'compact', {
    indented: { meddle: bodies((value) => `${JSON.stringify(value, null, 4)}\n`) },
    'escaped wherever it may be': { meddle: bodies(escaped) },
  }),
  'key-order': decides(
    'service/body-is-json',
    'In what order do the keys of an object stand?',
    'as the specification lists them',
    {
      'by name': { meddle: bodies((value) => JSON.stringify(reordered(value, (names) => names.toSorted()))) },
      'in another order in each answer': { meddle: turning() },
    },
  ),
  'content-type': decides('service/json-content-type', 'May Content-Type have a parameter?', 'none', {
    'charset=utf-8': { meddle: header('content-type', (type) => `${type}; charset=utf-8`) },
    'charset=UTF-8 without a blank': { meddle: header('content-type', (type) => `${type};charset=UTF-8`) },
  }),
  'content-md5': decides('service/content-md5', 'How is Content-MD5 written?', 'as base64', {
    'as hexadecimal digits': {
      meddle: header('content-md5', (digest) => Buffer.from(digest, 'base64').toString('hex')),
    },
  }),
  elapsed: decides(
    'service/elapsed-seconds',
    'How are the seconds of Elapsed written?',
    'with six digits after the point',
    {
      'with three digits': { meddle: header('elapsed', (seconds) => Number(seconds).toFixed(3)) },
      'with nine digits': { meddle: header('elapsed', (seconds) => Number(seconds).toFixed(9)) },
    },
  ),
  'response-time': decides('service/response-time', 'What does Response-Time say?', 'milliseconds', {
    'milliseconds with their unit': { meddle: header('response-time', (ms) => `${ms} ms`) },
    'the time of the day': { meddle: header('response-time', () => '2026-11-22T10:00:00.000Z') },
  }),
  'api-version': decides('versioning/api-version-semantic', 'Which version is it?', '1.0.0', {
    'one with a pre-release and a build, whatever is asked for': {
      rewrite: withoutRequestHeader('accept-version'),
      meddle: header('api-version', () => '4.12.0-rc.1+build.7'),
    },
    '0.3.1, whatever is asked for': {
      rewrite: withoutRequestHeader('accept-version'),
      meddle: header('api-version', () => '0.3.1'),
    },
  }),
  'version-selection': decides('gap/version-selection', 'What does Accept-Version do?', 'nothing', {
    'a range of another major version is refused with 406': {
      rewrite: (request) =>
        /^\D*(9\d|\D+$)/.test(headerOf(request, 'accept-version') ?? '1') ? refused(406, 'NotAcceptable') : undefined,
    },
    'a range without version 1 is refused with 400': {
      rewrite: (request) =>
        /1|\*/.test(headerOf(request, 'accept-version') ?? '1') ? undefined : refused(400, 'NoSuchVersion'),
    },
  }),
  'x-pretty': decides('gap/x-pretty-effect', 'What does X-Pretty do?', 'it indents', {
    nothing: { rewrite: withoutRequestHeader('x-pretty') },
  }),
  challenge: decides('authentication/www-authenticate', 'Is the realm of the challenge in quotes?', 'no', {
    yes: { meddle: header('www-authenticate', () => 'Basic realm="Api"') },
    'no, and it has a charset': { meddle: header('www-authenticate', () => 'Basic realm=Api, charset="UTF-8"') },
  }),
  'allow-origin': decides('service/access-control-allow-origin', 'Which origins may read answers?', 'all of them', {
    'one that is named': { meddle: header('access-control-allow-origin', () => 'https://shop.example') },
  }),
  preflight: decides('gap/preflight', 'Does OPTIONS need a key?', 'no', {
    'yes, as everything but GET /ping': {
      rewrite: ({ method }) => (method === 'OPTIONS' ? { method: 'GET', path: '/noop' } : undefined),
    },
    'no, and it answers 204': answered(/^OPTIONS /, 204),
    'no, and what answers it is not the API': {
      meddle: ({ method, headers }) =>
        method === 'OPTIONS'
          ? {
              status: 204,
              body: '',
              headers: mapHeaders(headers, (name, value) =>
                /^(elapsed|response-time|content-md5)$/i.test(name) ? [] : [name, value],
              ),
            }
          : undefined,
    },
  }),
  'unknown-path': decides(
    'gap/unknown-path-code',
    'What does a path that does not exist get?',
    '404 NotFound, with a key',
    {
      '404 ResourceNotFound, also without a key': {
        meddle: ({ path, status, headers, body }) => {
          if ((status !== 401 && status !== 404) || PRINTED.some((pattern) => pattern.test(path))) return undefined;
          const told = body.replace(/"code":"\w+"/, '"code":"ResourceNotFound"');
          const kept = mapHeaders(headers, (name, value) => (/^www-authenticate$/i.test(name) ? [] : [name, value]));
          return { status: 404, headers: withDigestOf(kept, told), body: told };
        },
      },
    },
  ),
  'unknown-method': decides(
    'gap/error-codes',
    'What does a method get that a path does not have?',
    '405 MethodNotAllowed',
    { '404 NotFound': refusedWith(/./, 405, [404, 'NotFound']) },
  ),
  'other-slashes': decides(
    'gap/unknown-path-code',
    'What becomes of a path with a slash too many?',
    'it counts as the one without',
    {
      '404': {
        rewrite: ({ path }) => (/^\/\/|[^/]\/([?]|$)/.test(path) ? refused(404, 'NotFound') : undefined),
      },
    },
  ),
  'success-status': decides(
    'gap/create-account-response',
    'Which status does a success have where none is printed?',
    '200 or 201',
    {
      '202': {
        meddle: ({ method, path, status }) =>
          status < 300 && OPEN_SUCCESS.some((one) => one.method === method && one.path.test(path))
            ? { status: 202 }
            : undefined,
      },
    },
  ),
  'exposed-headers': decides(
    'service/access-control-expose-headers',
    'Which headers may a page read?',
    'all that are printed',
    { none: { meddle: header('access-control-expose-headers', () => '') } },
  ),
  'other-headers': decides(
    'service/elapsed',
    'Which headers does an answer have beside the printed ones?',
    'those of HTTP',
    {
      'a cookie, a cache, a rate': {
        meddle: ({ headers }) => ({
          headers: [...headers, ...OTHER_HEADERS.flat()],
        }),
      },
    },
  ),
  'header-case': decides(
    'service/request-id-present',
    'In which case are the names of headers?',
    'as the specification prints them',
    {
      lower: { meddle: named((name) => name.toLowerCase()) },
      upper: { meddle: named((name) => name.toUpperCase()) },
    },
  ),
};
