/** The key and the value that a service surely reads in a request; all else about it is odd. */

import { describe, expect, it } from 'vitest';

import type { HeaderPair } from '../../../../src/common/header-pairs.ts';
import { asSent } from '../../../../src/oracle/account/as-sent.ts';
import { LIMITS } from '../../../../src/specification/limits.ts';

const JSON_TYPE: HeaderPair = ['Content-Type', 'application/json'];
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
const long = (bytes: number): string => JSON.stringify('x'.repeat(bytes - 2));

describe('the key', () => {
  it.each<[string, readonly string[], string]>([
    ['is the user name', [basic('the-key:')], 'the-key'],
    ['is not read without credentials', [], ''],
    ['is not read with a password', [basic('the-key:secret')], ''],
    ['is not read without a colon', [basic('the-key')], ''],
    ['is not read in small letters', [basic('the-key:').replace('Basic', 'basic')], ''],
    ['is not read after two blanks', [basic('the-key:').replace(' ', '  ')], ''],
    ['is not read with something behind it', [`${basic('the-key:')} x`], ''],
    ['is not read with something before it', [`x${basic('the-key:')}`], ''],
    ['is not read of another scheme', ['Bearer the-key'], ''],
    ['is not read of two headers', [basic('the-key:'), basic('the-key:')], ''],
  ])('%s', (_, values, apiKey) => {
    const headers = values.map((value): HeaderPair => ['authorization', value]);
    expect(asSent({ path: '/whoami', headers }).apiKey).toBe(apiKey);
  });
});

describe('a body', () => {
  const megabyte = 1_000_000;
  const longest = LIMITS.requestBodyMegabytes.value * megabyte;

  it.each<[string, string, boolean]>([
    ['application/json', '{"qty":2}', false],
    ['application/json; charset=utf-8', '{"qty":2}', false],
    ['APPLICATION/JSON ;  charset="UTF-8"', '{"qty":2}', false],
    ['application/json; charset=latin1', '{"qty":2}', true],
    ['application/json; charset=utf-8; x', '{"qty":2}', true],
    ['text/application/json', '{"qty":2}', true],
    ['application/x-www-form-urlencoded', '{"qty":2}', true],
  ])('of the type %s is sent with its value', (type, body, isOdd) => {
    const sent = asSent({ path: '/printjobs', headers: [['Content-Type', type]], body });
    expect(sent).toEqual({ apiKey: '', sent: { qty: 2 }, isOdd });
  });

  it('that is not JSON has no value, and is odd', () => {
    expect(asSent({ path: '/', headers: [JSON_TYPE], body: '{' })).toMatchObject({ sent: undefined, isOdd: true });
  });

  it.each([undefined, '', new Uint8Array()])('that is empty or not there is not odd: %j', (body) => {
    expect(asSent({ path: '/', headers: [], body })).toMatchObject({ sent: undefined, isOdd: false });
  });

  it.each([
    [longest, false],
    [longest + 1, true],
  ])('of %i bytes is odd: %s', (bytes, isOdd) => {
    expect(asSent({ path: '/', headers: [JSON_TYPE], body: long(bytes) }).isOdd).toBe(isOdd);
  });

  it('without a type is odd', () => {
    expect(asSent({ path: '/', headers: [], body: Buffer.from('5') })).toMatchObject({ sent: 5, isOdd: true });
  });
});

describe('a request', () => {
  it.each<[string, string, readonly HeaderPair[]]>([
    [
      'two keys',
      '/',
      [
        ['Authorization', basic('a:')],
        ['authorization', basic('a:')],
      ],
    ],
    ['two types', '/', [JSON_TYPE, JSON_TYPE]],
    [
      'two idempotency keys',
      '/',
      [
        ['Idempotency-Key', 'a'],
        ['idempotency-key', 'a'],
      ],
    ],
    [
      'two Children',
      '/',
      [
        ['X-Child-Account-By-Id', '7'],
        ['X-Child-Account-By-Email', 'a@b.example'],
      ],
    ],
    ['a broken escape', '/account/tag/a%2', []],
    ['a percent sign alone', '/account/tag/a%zz', []],
  ])('with %s is odd', (_, path, headers) => {
    expect(asSent({ path, headers }).isOdd).toBe(true);
  });

  it.each<[string, string, readonly HeaderPair[]]>([
    ['one Child', '/', [['X-Child-Account-By-Id', '7']]],
    [
      'another header twice',
      '/',
      [
        ['Accept', 'a/b'],
        ['Accept', 'c/d'],
      ],
    ],
    ['an escape', '/account/tag/a%2Fb', []],
    ['an escape in small letters', '/account/tag/a%2f', []],
  ])('with %s is not', (_, path, headers) => {
    expect(asSent({ path, headers }).isOdd).toBe(false);
  });
});
