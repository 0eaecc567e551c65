/** A field is there and of the type that is printed for it, or of one that real services have in its place. */

import { describe, expect, it } from 'vitest';

import { expectAllKeys, expectField } from '../../../src/oracle/record-fields.ts';
import type { Field, FieldType } from '../../../src/specification/clause.ts';

const CLAUSE = 'computers/field-name';
const expectValue = (value: unknown, field: Partial<Field> & Pick<Field, 'type'>) =>
  expectField({ it: value }, 'computer 1', 'it', { clause: CLAUSE, ...field });

const TYPES: readonly (readonly [FieldType, readonly unknown[], readonly unknown[]])[] = [
  ['boolean', [true, false], ['true', 0]],
  ['integer', [0, -7], [1.5, '1']],
  ['number', [0, 1.5], ['1']],
  ['string', ['', 'a'], [1, ['a']]],
  ['timestamp', ['2026-01-02T03:04:05.678Z'], ['2026-01-02 03:04:05', 'today', 5]],
  ['null', [null], ['null', 0]],
  ['object', [{}], [[], 'a']],
  ['array', [[], [1]], [{}, 'a']],
  ['array of strings', [[], ['a', 'b']], [['a', 1], 'ab']],
  ['array of integers', [[], [1, 2]], [[1, 1.5], 1]],
  ['array of arrays of integers', [[], [[1], []]], [[1], [[1], ['a']]]],
  ['array of 2', [[1, 'a']], [[1], [1, 2, 3], 'ab']],
  ['Computer object', [{}], [[], 7]],
  ['capabilities object', [{}], [[], 7]],
  ['statistic', [{}], [[], 7]],
  ['JSON string', ['a'], [{}]],
];

describe.each(TYPES)('%s', (type, good, bad) => {
  it.each(good.map((value) => [value]))('is %j', (value) => {
    expect(expectValue(value, { type })).toBeUndefined();
  });

  it.each(bad.map((value) => [value]))('is not %j', (value) => {
    expect(expectValue(value, { type })).toMatchObject({ at: 'computer 1.it', expected: type });
  });

  it('is not left out', () => {
    const field = { type, clause: CLAUSE };
    expect(expectField({}, 'computer 1', 'it', field)).toEqual({
      at: 'computer 1.it',
      expected: type,
      actual: 'nothing',
      absent: 'all',
    });
  });
});

it('names all keys that are left out', () => {
  const table = { a: { type: 'string', clause: CLAUSE }, b: { type: 'string', clause: CLAUSE } } as const;
  expect(expectAllKeys(table, { a: null, b: 1, c: 2 }, 'it')).toBeUndefined();
  expect(expectAllKeys(table, { a: 1 }, 'it')).toMatchObject({ at: 'it', expected: 'all 2 keys', actual: 'no b' });
  expect(expectAllKeys(table, {}, 'it')).toMatchObject({ actual: 'no a, b', absent: ['a', 'b'] });
});

describe('null', () => {
  it('will do where it is printed', () => {
    expect(expectValue(null, { type: 'string', nullable: true })).toBeUndefined();
  });

  it('will not do elsewhere', () => {
    expect(expectValue(null, { type: 'string' })).toMatchObject({ expected: 'string', actual: 'null' });
  });

  it('is named beside the type', () => {
    expect(expectValue(1, { type: 'string', nullable: true })).toMatchObject({
      expected: 'string or null',
      actual: '1',
    });
  });

  it('is named once where there is nothing else', () => {
    expect(expectValue(1, { type: 'null', nullable: true })).toMatchObject({ expected: 'null' });
  });

  it('is nothing that may be left out', () => {
    expect(expectField({}, 'a', 'it', { type: 'null', nullable: true, clause: CLAUSE })).toBeDefined();
  });
});

describe('values that are printed', () => {
  const field = { type: 'string', values: ['ppm', 'ipm'] } as const;

  it.each(['ppm', 'ipm'])('are taken: %s', (value) => {
    expect(expectValue(value, field)).toBeUndefined();
  });

  it.each(['lpm', ''])('are the only ones: not "%s"', (value) => {
    expect(expectValue(value, field)).toMatchObject({ expected: 'one of "ppm", "ipm"' });
  });
});

describe('shapes of real services', () => {
  it.each<[string, FieldType, unknown]>([
    ['accounts/field-tags', 'array', {}],
    ['events/field-created-at', 'timestamp', '2026-01-02 03:04:05'],
    ['states/field-create-timestamp', 'timestamp', 'yesterday'],
    ['scales/field-client-reported-create-timestamp', 'timestamp', '2026-01-02 03:04:05'],
  ])('are taken for %s, and for no other', (clause, type, value) => {
    expect(expectValue(value, { type, clause })).toBeUndefined();
    expect(expectValue(value, { type })).toBeDefined();
    expect(expectValue(true, { type, clause })).toBeDefined();
  });

  it('are no other values of a datetime', () => {
    const clause = 'events/field-created-at';
    expect(expectValue('yesterday', { type: 'timestamp', clause })).toBeDefined();
  });
});
