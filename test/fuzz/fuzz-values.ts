/**
 * Fuzz values: segments, queries, headers and bodies, right ones and wrong ones. A small vocabulary, so
 * that what is stored under a name stays bounded.
 */

import type { Random } from '../../src/common/random.ts';

export const SEGMENTS = [
  '1',
  '2',
  '0',
  '-1',
  '1.5',
  '1e3',
  '007',
  '9007199254740993',
  '99999999999999999999',
  'NaN',
  'null',
  '%zz',
  '%',
  '%C3',
  '%00',
  '%2F',
  '%2E%2E',
  '..',
  '.',
  '+',
  '%20',
  '5-9',
  '100-',
  '-400',
  '*',
  '{set}',
  '__proto__',
  'constructor',
  'toString',
  'states',
  'refresh',
  '%F0%9F%96%A8',
  '%ED%A0%80',
  'a'.repeat(300),
  "'",
  '"',
  ';',
  '<script>',
  'windows',
  'osx',
  'office',
  'Service%20Test%20Scale',
];

export const QUERIES = [
  '',
  'limit=1',
  'limit=0',
  'limit=-1',
  'limit=1.5',
  'limit=9007199254740993',
  'limit=%zz',
  'limit=',
  'limit=1&limit=2',
  'after=1',
  'after=x',
  'after=',
  'dir=asc',
  'dir=desc',
  'dir=up',
  'dir[]=asc',
  '__proto__=1',
  '&&&',
  '=',
  '%',
  '%00=%00',
  'edition=a&version=1.0.0',
  `q=${'q'.repeat(2_000)}`,
];

export const HEADERS = [
  'X-Pretty: 1',
  'X-Pretty:',
  'X-Dont-Log: 1',
  'Accept-Version: 1.x',
  'Accept-Version: ^1 || ~2 - <3',
  `Accept-Version: ${' '.repeat(5_000)}-`,
  'Accept-Version: latest',
  'X-Idempotency-Key: once',
  'X-Idempotency-Key:',
  `X-Idempotency-Key: ${'k'.repeat(5_000)}`,
  'X-Idempotency-Key: \xff\xfe',
  'X-Child-Account-By-Id: 1',
  'X-Child-Account-By-Id: -1',
  'X-Child-Account-By-Id: 99999999999999999999',
  'X-Child-Account-By-Email: \xe9@test',
  'X-Child-Account-By-CreatorRef: __proto__',
  'Content-Type: text/plain',
  'Content-Type: \xff',
  'Connection: close',
  'Connection: keep-alive',
  'Origin: null',
  'Host: second.test',
  'Cookie: a=b',
  'Range: bytes=0-',
  'If-None-Match: *',
  'Accept: text/html',
  'Accept-Encoding: gzip',
  'X-Forwarded-For: 1.2.3.4',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  'Sec-WebSocket-Key: x',
  'Sec-WebSocket-Protocol: x, y',
];

/** A set of ids as it should be. */
export function ids(random: Random): string {
  return random.pick(['1', '2', '1,2', '3,1,2', '1,1', '999']);
}

const ODD_VALUES: readonly string[] = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1',
  '2',
  '1.5',
  '1e400',
  '-0',
  '9007199254740993',
  '1e21',
  '""',
  '"1"',
  '"x"',
  '[]',
  '[[]]',
  '{}',
  '{"id":1}',
  '{"__proto__":1}',
  '"\\u0000"',
  '"\\ud800"',
  '"\u{1F5A8}"',
  '["*"]',
  '"suspended"',
  `"${'v'.repeat(3_000)}"`,
  '{"user":"u","pass":"p"}',
  '{"a":1,"a":2}',
  '"http://127.0.0.1:1/"',
];

const FIELDS = [
  'printerId',
  'printer',
  'contentType',
  'content',
  'title',
  'source',
  'options',
  'expireAfter',
  'qty',
  'authentication',
  'Account',
  'ApiKeys',
  'Tags',
  'url',
  'secret',
  'messages',
  'enabled',
  'mass',
  'firstname',
  'email',
  'creatorRef',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '',
];

const JOB = '"printerId":1,"contentType":"raw_base64","content":"QUJD"';

const BROKEN_JSON = [
  '',
  ' ',
  '{',
  '}',
  '[',
  '"',
  '{"a"}',
  '{a:1}',
  "{'a':1}",
  '[1,]',
  '01',
  '1.',
  'NaN',
  'undefined',
  '{}{}',
  '\ufeff{}',
  '"\\x"',
  '"\\u12"',
  '"\n"',
  '/**/1',
  'nul',
  '-',
  '\0',
];

/** A JSON body: of a print job, of a job with one field changed, of anything, or broken. */
export function jsonBody(random: Random): Buffer | string {
  const field = (): string => `"${random.pick(FIELDS)}":${random.pick(ODD_VALUES)}`;
  switch (random.integer(0, 9)) {
    case 0:
      return `{${JOB}}`;
    case 1:
    case 2:
    case 3:
      return `{${JOB},${field()},${field()}}`;
    case 4:
      return `{${field()},${field()},${field()}}`;
    case 5:
      return random.pick(ODD_VALUES);
    case 6:
      return random.pick(BROKEN_JSON);
    case 7:
      return random.pick(['[', '{"a":', '[{"a":']).repeat(random.pick([10, 31, 33, 1_000, 100_000]));
    case 8:
      return Buffer.from([0x22, random.integer(0x80, 0xff), random.integer(0, 0xff), 0x22]);
    default:
      return `{${JOB},"options":{"copies":${random.pick(ODD_VALUES)},"color":${random.pick(ODD_VALUES)}}}`;
  }
}

const FORM_KEYS = [
  'printerId',
  'contentType',
  'content',
  'options[copies]',
  'options[color]',
  'options',
  'authentication[credentials][user]',
  'Account[firstname]',
  'Account[email]',
  'ApiKeys[]',
  'Tags[__proto__]',
  'Tags[a]',
  '__proto__[x]',
  'a[b',
  'a]b[',
  '[]',
  '',
  `deep${'[x]'.repeat(100)}`,
  'a%5Bb%5D',
  '%zz',
  '%C3%28',
];

const FORM_VALUES = [
  '1',
  'raw_base64',
  'QUJD',
  '',
  'true',
  '-1',
  '1.5',
  '%00',
  '%zz',
  '%F0%9F%96%A8',
  'a+b',
  'x'.repeat(2_000),
];

export function formBody(random: Random): string {
  if (random.chance(0.2)) return 'printerId=1&contentType=raw_base64&content=QUJD&options[copies]=2';
  const pairs = Array.from(
    { length: random.integer(1, 6) },
    () => `${random.pick(FORM_KEYS)}=${random.pick(FORM_VALUES)}`,
  );
  return pairs.join(random.pick(['&', '&&', ';']));
}
