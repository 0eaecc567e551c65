/**
 * Fuzz requests: what careless, broken and hostile clients send, made from a seed.
 *
 *   kind ─► head (line, headers) + body ─► pieces of bytes, and how the client leaves
 *
 * Each kind is one way of being wrong (or right: a fuzzer that is never right finds nothing past the first
 * check). The same seed gives the same bytes again.
 */

import type { Random } from '../../src/common/random.ts';
import { ENDPOINTS } from '../../src/specification/endpoints.ts';
import { basic, FIRST_KEY, SECOND_KEY } from '../support/running-service.ts';
import { HEADERS, ids, jsonBody, formBody, QUERIES, SEGMENTS } from './fuzz-values.ts';

export interface FuzzRequest {
  readonly kind: string;
  /** Sent one after the other, with a turn of the event loop between. */
  readonly pieces: readonly Buffer[];
  /**
   * reuse   a whole request: it must be answered, and the connection may go on
   * end     the client closes its sending side: it must be answered, or the connection must end
   * reset   the client is gone at once: no answer is due
   */
  readonly leave: 'reuse' | 'end' | 'reset';
  readonly isHead: boolean;
}

interface Parts {
  readonly line?: string;
  readonly headers?: readonly string[];
  readonly body?: Buffer | string;
  readonly leave?: FuzzRequest['leave'];
}

type Kind = (random: Random) => Parts;

const FORM = 'Content-Type: application/x-www-form-urlencoded';
const OTHER_TYPES = ['Content-Type: text/plain', 'Content-Type: multipart/form-data', 'Content-Encoding: gzip'];
const MEGABYTE = 1024 * 1024;

/** Kinds by name, with their weight. */
const KINDS: Readonly<Record<string, readonly [weight: number, kind: Kind]>> = {
  ordinary: [10, (random) => ({ line: `${endpointLine(random, ids)} HTTP/1.1` })],
  'odd path': [12, (random) => ({ line: `${endpointLine(random, oddSegment)} HTTP/1.1` })],
  'odd query': [6, (random) => ({ line: `GET /printjobs?${random.pick(QUERIES)}&${random.pick(QUERIES)} HTTP/1.1` })],
  'long set': [1, (random) => ({ line: `GET /printjobs/${longSet(random)} HTTP/1.1` })],
  'json body': [14, (random) => withBody(random, jsonBody(random), ['Content-Type: application/json'])],
  'form body': [8, (random) => withBody(random, formBody(random), [FORM])],
  'other body': [2, (random) => withBody(random, jsonBody(random), [random.pick(OTHER_TYPES)])],
  'untyped body': [3, (random) => withBody(random, random.chance(0.5) ? jsonBody(random) : noise(random, 200), [])],
  'odd headers': [8, (random) => ({ headers: several(random, 4, () => random.pick(HEADERS)) })],
  'many headers': [1, (random) => ({ headers: Array(random.integer(50, 3_000)).fill('X-Many: 1') as string[] })],
  'huge header': [1, (random) => ({ headers: [`X-Huge: ${'h'.repeat(random.integer(8_000, 400_000))}`] })],
  'huge target': [1, (random) => ({ line: `GET /${'t'.repeat(random.integer(8_000, 400_000))} HTTP/1.1` })],
  'odd method': [
    5,
    (random) => ({
      line: `${random.pick(METHODS)} ${random.pick(TARGETS)} HTTP/${random.pick(VERSIONS)}`,
      leave: 'end',
    }),
  ],
  'short body': [4, (random) => ({ ...lie(random, (length) => length + random.integer(1, 5_000)), leave: 'end' })],
  'long body': [
    3,
    (random) => ({ ...lie(random, (length) => Math.max(0, length - random.integer(1, 50))), leave: 'end' }),
  ],
  'broken chunks': [5, brokenChunks],
  'whole chunks': [4, wholeChunks],
  'two lengths': [
    2,
    (random) => ({
      line: POST,
      headers: ['Content-Length: 2', random.pick(['Content-Length: 3', 'Transfer-Encoding: chunked'])],
      body: '{}',
      leave: 'end',
    }),
  ],
  'aborted upload': [3, (random) => ({ ...lie(random, () => random.integer(1_000, 10 * MEGABYTE)), leave: 'reset' })],
  'declared too large': [
    1,
    (random) => ({
      line: POST,
      headers: [`Content-Length: ${50 * MEGABYTE + random.integer(1, MEGABYTE)}`],
      body: noise(random, 2_000),
      leave: 'end',
    }),
  ],
  'expecting client': [
    2,
    (random) => ({
      line: random.pick([POST, 'POST /nowhere HTTP/1.1']),
      headers: [`Expect: ${random.pick(['100-continue', 'cake'])}`, 'Content-Length: 2'],
      body: '{}',
      leave: 'end',
    }),
  ],
  upgrade: [
    2,
    (random) => ({
      line: `GET ${random.pick(['/link', '/ws/1', '/whoami'])} HTTP/1.1`,
      headers: ['Connection: Upgrade', `Upgrade: ${random.pick(['websocket', 'h2c', 'x'])}`, random.pick(HEADERS)],
      leave: 'end',
    }),
  ],
  noise: [3, (random) => ({ line: noise(random, 300).toString('latin1'), leave: 'end' })],
};

const POST = 'POST /printjobs HTTP/1.1';
const METHODS = ['HEAD', 'TRACE', 'CONNECT', 'OPTIONS', 'PROPFIND', 'BREW', 'get', 'PUT', 'PATCH', ''];
const TARGETS = ['*', '/', '//', '/whoami', 'http://elsewhere.test/whoami', 'elsewhere.test:443', 'whoami', '/%', ''];
const VERSIONS = ['1.0', '1.1', '1.1', '0.9', '2.0', '9.9', ''];

const LOTTERY = Object.entries(KINDS).flatMap(([name, [weight]]) => Array<string>(weight).fill(name));

/** How often a finished request is damaged byte by byte. */
const DAMAGE_PROBABILITY = 0.08;
const CREDENTIALS = [
  ...Array<string>(10).fill(basic(FIRST_KEY)),
  basic('wrong'),
  'Basic !!!',
  'Basic',
  `Basic ${'A'.repeat(20_000)}`,
  'Bearer x',
];

export function fuzzRequest(random: Random): FuzzRequest {
  const name = random.pick(LOTTERY);
  const kind: Kind = KINDS[name]?.[1] ?? (() => ({}));
  const { line = 'GET /whoami HTTP/1.1', headers = [], body = '', leave = 'reuse' } = kind(random);
  // Whatever deletes computers does so in the account that has none.
  const key = line.startsWith('DELETE /comp') ? basic(SECOND_KEY) : random.pick(CREDENTIALS);
  const lines = [line, 'Host: service.test', `Authorization: ${key}`, ...headers, '', ''];
  const bytes = Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), Buffer.from(body as string)]);
  const isHead = line.startsWith('HEAD');
  if (!random.chance(DAMAGE_PROBABILITY)) return { kind: name, pieces: cut(random, bytes), leave, isHead };
  return { kind: `damaged ${name}`, pieces: [damage(random, bytes)], leave: 'end', isHead };
}

function endpointLine(random: Random, segment: (random: Random) => string): string {
  const { method, path } = random.pick(ENDPOINTS);
  const filled = path.replaceAll(/\{[^}]+\}/g, () => segment(random));
  return `${method} ${filled}${random.chance(0.2) ? `?${random.pick(QUERIES)}` : ''}`;
}

function oddSegment(random: Random): string {
  return several(random, 3, () => random.pick(SEGMENTS)).join(random.pick([',', '%2C', '/', '']));
}

function longSet(random: Random): string {
  const first = random.integer(1, 1_000_000);
  return Array.from({ length: 10_000 }, (_, index) => first + index).join(random.pick([',', '%2C']));
}

function withBody(random: Random, body: Buffer | string, headers: readonly string[]): Parts {
  const { method, path } = random.pick(ENDPOINTS.filter((endpoint) => endpoint.method !== 'GET'));
  const target = random.chance(0.6) ? '/printjobs' : path.replaceAll(/\{[^}]+\}/g, () => ids(random));
  return {
    line: `${target === '/printjobs' ? 'POST' : method} ${target} HTTP/1.1`,
    headers: [...headers, `Content-Length: ${Buffer.byteLength(body)}`],
    body,
  };
}

/** A body whose declared length is another. */
function lie(random: Random, declare: (length: number) => number): Parts {
  const body = jsonBody(random);
  return { line: POST, headers: [`Content-Length: ${declare(Buffer.byteLength(body))}`], body };
}

function wholeChunks(random: Random): Parts {
  const chunks = several(random, 5, () => chunk('x'.repeat(random.integer(1, 5_000))));
  return { line: POST, headers: ['Transfer-Encoding: chunked'], body: `${chunks.join('')}0\r\n\r\n` };
}

function brokenChunks(random: Random): Parts {
  const broken = [
    'zz\r\n',
    '-1\r\n',
    'fffffffffffffffff\r\n',
    '5\r\nab',
    `5;${'e'.repeat(20_000)}\r\nhello\r\n`,
    '3\r\nabcd\r\n',
    '',
  ];
  return {
    line: random.pick([POST, 'POST /nowhere HTTP/1.1']),
    headers: ['Transfer-Encoding: chunked'],
    body: chunk('{"a":') + random.pick(broken),
    leave: 'end',
  };
}

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

function noise(random: Random, maxBytes: number): Buffer {
  return Buffer.from(several(random, maxBytes, () => random.integer(0, 255)));
}

function several<T>(random: Random, maximum: number, make: () => T): T[] {
  return Array.from({ length: random.integer(1, maximum) }, make);
}

/** One piece mostly; sometimes the pieces in which a slow sender would send it. */
function cut(random: Random, bytes: Buffer): Buffer[] {
  if (random.chance(0.8)) return [bytes];
  const at = random.integer(0, bytes.length);
  return [bytes.subarray(0, at), bytes.subarray(at)];
}

function damage(random: Random, bytes: Buffer): Buffer {
  const damaged = Buffer.from(bytes);
  for (let times = random.integer(1, 4); times > 0; times--) {
    damaged[random.integer(0, Math.min(damaged.length, 600) - 1)] = random.integer(0, 255);
  }
  return random.chance(0.5) ? damaged : damaged.subarray(0, random.integer(1, damaged.length));
}
