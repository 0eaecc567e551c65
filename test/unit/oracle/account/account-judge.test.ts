import { describe, expect, it } from 'vitest';

import {
  Findings,
  Identities,
  idsOfSet,
  isGood,
  isRefused,
  partsOf,
  records,
  sorted,
} from '../../../../src/oracle/account/account-judge.ts';
import type { Circumstances } from '../../../../src/oracle/account/observation.ts';
import { ask } from '../../../support/told-history.ts';

const WHOLE = { isWhole: true } as Circumstances;

describe('findings', () => {
  it('are those of the levels that are judged', () => {
    const findings = new Findings(WHOLE, ['should']);
    findings.hold('states/new', 'states', false, 'new', 'none');
    findings.hold('scales/age-larger-on-http', 'age', false, 'more', 'less');
    findings.hold('print-jobs/delivered-in-order', 'jobs', false, 'in order', [2, 1], 5);
    expect(findings.broken).toEqual([
      {
        clause: 'print-jobs/delivered-in-order',
        at: 'jobs',
        expected: 'in order',
        actual: '[2,1]',
        jobId: 5,
      },
    ]);
  });

  it('are none of equal values', () => {
    const findings = new Findings(WHOLE, ['must']);
    findings.alike('states/new', 'states', { a: [1] }, { a: [1] });
    expect(findings.broken).toEqual([]);
    findings.alike('states/new', 'states', { a: [1] }, { a: ['1'] }, 5);
    expect(findings.broken).toMatchObject([{ expected: '{"a":[1]}', actual: '{"a":["1"]}', jobId: 5 }]);
  });

  it.each([
    ['all that is there', {}, '7', true],
    ['one account alone', { ownAccount: '7' }, '7', true],
    ['another account', { ownAccount: '7' }, '8', false],
    ['nothing', { isWhole: false, ownAccount: '7' }, '7', false],
  ])('know %s', (_, circumstances, account, expected) => {
    expect(new Findings({ ...WHOLE, ...circumstances }, []).isWholeOf(account)).toBe(expected);
  });
});

it.each([
  ['1', [1]],
  ['1,3,2', [1, 3, 2]],
  ['3,3', [3]],
  ['1%2C2', [1, 2]],
  ['10', [10]],
  ['0', undefined],
  ['01', undefined],
  ['1x', undefined],
  ['x1', undefined],
  ['1,', undefined],
  ['', undefined],
  ['one', undefined],
])('reads %s as a set', (text, expected) => {
  expect(idsOfSet(text)).toEqual(expected);
});

it.each([
  [199, false, false],
  [200, true, false],
  [299, true, false],
  [300, false, false],
  [399, false, false],
  [400, false, true],
  [499, false, true],
  [500, false, false],
])('takes %d for a success: %s, for a refusal: %s', (status, good, refused) => {
  expect([isGood(status), isRefused(status)]).toEqual([good, refused]);
});

it('takes objects in a list for records', () => {
  expect(records([{ a: 1 }, null, [], 'x', 5])).toEqual([{ a: 1 }]);
  expect(records({ a: 1 })).toEqual([]);
});

it('sorts the keys of objects, however deep', () => {
  expect(JSON.stringify(sorted({ b: [{ d: 1, c: null }], a: 'x' }))).toBe('{"a":"x","b":[{"c":null,"d":1}]}');
});

it('takes an exchange to pieces', () => {
  const { method, path, query, status, at } = partsOf(ask('GET /printjobs?limit=5&dir=asc', { status: 404 }));
  expect([method, path, String(query), status, at]).toEqual([
    'GET',
    '/printjobs',
    'limit=5&dir=asc',
    404,
    'GET /printjobs?limit=5&dir=asc',
  ]);
  expect(String(partsOf(ask('GET /printjobs')).query)).toBe('');
});

describe('the account of an exchange is', () => {
  const known = new Identities();
  for (const one of [
    ask('GET /noop', { key: 'a', account: '1' }),
    ask('GET /noop', { key: 'a', child: '5' }),
    ask('GET /noop', { key: 'b', status: 400, account: '2' }),
    ask('GET /noop', { key: 'c', status: 400, account: '3' }),
    ask('GET /noop', { key: 'c', account: '4' }),
    ask('GET /noop', { key: 'c', status: 400, account: '9' }),
    ask('GET /noop', { key: 'd', account: '' }),
  ])
    known.learn(one);

  it.each([
    ['the one that a success names', ask('GET /noop', { key: 'a', account: '8' }), '8'],
    ['the one that is known where a success names none', ask('GET /noop', { key: 'a', account: '' }), '1'],
    [
      'the one that is known where a refusal names another',
      ask('GET /noop', { key: 'a', account: '8', status: 404 }),
      '1',
    ],
    [
      'the one that a refusal names where none is known',
      ask('GET /noop', { key: 'x', account: '8', status: 404 }),
      '8',
    ],
    ['none where none is known', ask('GET /noop', { key: 'x', account: '', status: 404 }), ''],
    ['the same with any other header', ask('GET /noop', { key: 'a', account: '', headers: { 'X-Pretty': '1' } }), '1'],
    ['that of the Child', ask('GET /noop', { key: 'a', child: '5', account: '' }), '5'],
    ['the first that a refusal named', ask('GET /noop', { key: 'b', account: '' }), '2'],
    ['the one that a success named after a refusal', ask('GET /noop', { key: 'c', account: '' }), '4'],
  ])('%s', (_, exchange, expected) => {
    expect(known.accountOf(exchange)).toBe(expected);
  });

  it('known by a key alone', () => {
    expect(['a', 'b', 'c', 'd', 'x'].map((key) => known.accountOfKey(key))).toEqual([
      '1',
      '2',
      '4',
      undefined,
      undefined,
    ]);
  });
});
