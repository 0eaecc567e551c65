import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import {
  answerOf,
  expectError,
  expectHeaderValue,
  expectIdArray,
  expectIds,
  expectStatus,
  type Answer,
} from '../../../../src/conformance/expect/answer.ts';
import { readHistories } from '../../../../src/conformance/context/jobs.ts';
import { judgeFields } from '../../../../src/conformance/expect/fields.ts';
import { expectField } from '../../../../src/oracle/record-fields.ts';
import { timestampMs } from '../../../../src/common/timestamp.ts';
import { expectEqual, expectExcludes, expectIncludes, expectThat } from '../../../../src/conformance/expect/that.ts';
import { hasMilliseconds, isUtc } from '../../../../src/conformance/expect/records.ts';
import { spellJson } from '../../../../src/conformance/generate/json-spellings.ts';
import { pageOf, pageParameters, pageQuery } from '../../../../src/conformance/generate/page-parameters.ts';
import { ACCOUNT_FIELDS, COMPUTER_FIELDS } from '../../../../src/specification/fields.ts';

function answer(status: number, value: unknown, headers: readonly [string, string][] = []): Answer {
  return answerOf(
    {
      request: { method: 'GET', baseUrl: 'http://x', path: '/y', headers: [] },
      response: { status, headers, body: Buffer.from(JSON.stringify(value)) },
      sentMs: 0,
      receivedMs: 1,
    },
    7,
  );
}

it('says what was expected, what came, where, and in which exchange', () => {
  expect(expectStatus(answer(200, null), 200)).toBeUndefined();
  expect(expectStatus(answer(500, { oops: 1 }), 200)).toEqual({
    expected: 'status 200',
    actual: 'status 500 with {"oops":1}',
    at: 'GET /y',
    exchange: 7,
    wanted: { status: '200' },
  });
});

it('says the status that was sent, where it is read as the printed one', () => {
  const { exchange, position } = answer(201, 5);
  expect(expectStatus(answerOf(exchange, position, undefined, 200), 409)?.actual).toBe('status 200 with 5');
});

const LONG = 'x'.repeat(400);

it.each([
  ['words as they are', 'new', 'done', 'new', 'done'],
  ['a string and a number', '411', 411, '"411"', '411'],
  ['a number and a string', 411, '411', '411', '"411"'],
  ['an empty string', 'a', '', '"a"', '""'],
  ['a blank at the end', 'a', 'a ', '"a"', '"a "'],
  ['a word for what is missing', 'nothing', undefined, '"nothing"', 'nothing'],
  ['members of lists', ['411'], [411], '["411"]', '[411]'],
  ['what JSON has no word for', null, Number.NaN, '…null…', '…null…'],
])('shows what differs: %s', (_, wanted, actual, expected, got) => {
  expect(expectEqual('it', actual, wanted)).toMatchObject({ at: 'it', expected, actual: got });
});

it('shows where two long values differ, when they begin alike', () => {
  const mismatch = expectEqual('it', { a: `${LONG}is`, b: 1 }, { a: `${LONG}was`, b: 1 });
  expect(mismatch?.expected).toContain('xwas"');
  expect(mismatch?.actual).toContain('xis"');
});

it('tells a string from a number in a list, and in a condition', () => {
  expect(expectIncludes('it', [411], '411')?.expected).toBe('"411" among them');
  expect(expectExcludes('it', ['new'], 'new')?.expected).toBe('no new');
  expect(expectThat(false, 'it', '411', '411')?.actual).toBe('"411"');
});

it('compares header values whatever the case of the name', () => {
  const given = answer(200, null, [['x-AUTH-with', 'ApiKey']]);
  expect(expectHeaderValue(given, 'X-Auth-With', 'ApiKey')).toBeUndefined();
  expect(expectHeaderValue(given, 'X-Auth-With', 'Other')?.actual).toBe('"ApiKey"');
  expect(expectHeaderValue(given, 'X-Account', '1')?.actual).toBe('no such header');
});

it('looks at the code of an error only where the specification prints one', () => {
  const tooLarge = answer(413, { code: 'Whatever' });
  expect(expectError(tooLarge, { status: 413, code: null })).toBeUndefined();
  expect(expectError(tooLarge, { status: 413, code: 'TooLarge' })?.at).toBe('body.code of GET /y');
});

it('expects records in order and bare ids in any', () => {
  expect(expectIds(answer(200, [{ id: 3 }, { id: 2 }]), [3, 2])).toBeUndefined();
  expect(expectIds(answer(200, [{ id: 2 }, { id: 3 }]), [3, 2])).toBeDefined();
  expect(expectIds(answer(200, { id: 2 }), [2])?.expected).toBe('an array of objects with ids');
  expect(expectIdArray(answer(200, [2, 3]), [3, 2])).toBeUndefined();
  expect(expectIdArray(answer(200, [2, 2, 3]), [3, 2])).toBeDefined();
});

it.each([
  ['id', COMPUTER_FIELDS.id, 7, 'seven'],
  ['inet', COMPUTER_FIELDS.inet, null, 7],
  ['createTimestamp', COMPUTER_FIELDS.createTimestamp, '2026-01-01T00:00:00.000Z', 'yesterday'],
  ['state', ACCOUNT_FIELDS.state, 'active', 'sleeping'],
  ['permissions', ACCOUNT_FIELDS.permissions, ['Unrestricted'], [1]],
  ['Tags', ACCOUNT_FIELDS.Tags, { a: 'b' }, 'none'],
])('knows a good %s from a bad one, and misses one that is not there', (name, field, good, bad) => {
  expect(expectField({ [name]: good }, 'it', name, field)).toBeUndefined();
  expect(expectField({ [name]: bad }, 'it', name, field)?.at).toBe(`it.${name}`);
  expect(expectField({}, 'it', name, field)?.actual).toBe('nothing');
});

it('judges each field by its own clause', () => {
  const broken: string[] = [];
  judgeFields((clause, mismatch) => mismatch && broken.push(clause), COMPUTER_FIELDS, { id: 1 }, 'it');
  const others = Object.entries(COMPUTER_FIELDS).filter(([name]) => name !== 'id');
  expect(broken).toEqual(others.map(([, { clause }]) => clause));
});

it('reads timestamps with any number of fractional digits, and knows which have milliseconds in UTC', () => {
  expect(timestampMs('2026-01-01T00:00:00.123456Z')).toBe(Date.UTC(2026, 0, 1, 0, 0, 0, 123));
  expect(timestampMs('2026-01-01T01:00:00+01:00')).toBe(Date.UTC(2026, 0, 1));
  expect(timestampMs('1767225600')).toBeUndefined();
  expect(['Z', '+00:00', '-00:00', '+0000', '+01:00'].map((zone) => isUtc(`2026-01-01T00:00:00.123${zone}`))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
  expect(isUtc('2026-13-01T00:00:00.000Z')).toBe(false);
  expect(['', '.12', '.123', '.1234'].map((part) => hasMilliseconds(`2026-01-01T00:00:00${part}Z`))).toEqual([
    false,
    false,
    true,
    false,
  ]);
});

it('reads histories of states as lists in a list, as one flat list, and by the id of the job', () => {
  const [first, second] = [
    { printJobId: 1, state: 'new', createTimestamp: '2026-01-01T00:00:00.000Z' },
    { printJobId: 1, state: 'done', createTimestamp: '2026-01-01T00:00:01.000Z' },
  ];
  for (const value of [[[first, second]], [second, first], { 1: [first, second] }]) {
    const names = readHistories(answer(200, value))
      ?.get(1)
      ?.map(({ name }) => name);
    expect(names).toEqual(['new', 'done']);
  }
  expect(readHistories(answer(200, 'none'))).toBeUndefined();
  expect(readHistories(answer(200, { state: 'new' }))).toBeUndefined();
  expect(readHistories(answer(200, [['new']]))).toBeUndefined();
});

it('knows what is on a page', () => {
  const ids = [3, 5, 8];
  expect(pageOf(ids, {})).toEqual([8, 5, 3]);
  expect(pageOf(ids, { dir: 'asc', after: 4 })).toEqual([5, 8]);
  expect(pageOf(ids, { after: 5 })).toEqual([3]);
  expect(pageOf(ids, { after: null, limit: 1 })).toEqual([8]);
  expect(pageQuery({ limit: 1, after: null })).toBe('?limit=1&after=');
  expect(pageQuery({})).toBe('');
});

it('joins any pages to the whole collection', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1 }),
      fc.integer({ min: 1, max: 9 }),
      (ids, limit) => {
        const seen: number[] = [];
        for (;;) {
          const page = pageOf(ids, { limit, after: seen.at(-1) });
          if (page.length === 0) break;
          seen.push(...page);
        }
        expect(seen).toEqual(pageOf(ids, {}));
      },
    ),
    { seed: 1 },
  );
});

const aftersWhere = (unlisted: 'taken' | 'refused') =>
  new Set(fc.sample(pageParameters([1, 5], unlisted), { seed: 1, numRuns: 300 }).map((page) => page.after));

it('generates positions at, between and beyond the ids, none of them zero', () => {
  expect(aftersWhere('taken')).toEqual(new Set([undefined, null, 1, 2, 4, 5, 6]));
  expect(aftersWhere('refused')).toEqual(new Set([undefined, null, 1, 5]));
});

it('spells a value differently without changing it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('', ' ', '\r\n\t'), fc.boolean(), (value, space, escapes) => {
      const text = spellJson(value, { space, escapes });
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { seed: 1 },
  );
});
