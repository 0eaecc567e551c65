import { expect, it } from 'vitest';

import type { Transport } from '../../../../src/conformance/context/api-client.ts';
import { createFindings, type Findings } from '../../../../src/conformance/context/findings.ts';
import type { Deviation } from '../../../../src/stage/deviation.ts';

const deviation = (more: Partial<Deviation>): Deviation => ({
  id: 'the deviation',
  clauses: ['states/field-age'],
  at: 'age of GET /printjobs/states',
  expected: 'integer',
  actual: 'no such field',
  ...more,
});

/** The findings of a check that has met a deviation. */
function findingsAfter(met: Deviation): Findings {
  const { signal } = new AbortController();
  return createFindings({ signal, exchanges: [], met: [{ deviation: met, exchange: 0 }] } as unknown as Transport);
}

/** What it says of a difference. */
function judged(met: Deviation, [at, expected, actual]: readonly [string, string, string]) {
  const findings = findingsAfter(met);
  findings.speaking.judge('states/age-of-new-zero', { at, expected, actual });
  return findings.judgements[0]?.countedIn;
}

const AGE = deviation({ missing: 'age' });
const BODY = deviation({ missing: 'body of DELETE', isUnknown: true });
const TIME = deviation({ missing: 'createTimestamp', isUnknown: true });

it.each<[string, Deviation, readonly [string, string, string]]>([
  ['a field', AGE, ['age of the state new', '0', 'nothing']],
  ['a field of several', AGE, ['ages of the states new', '[0,0]', '[null,null]']],
  ['a field that is elsewhere', AGE, ['age of PATCH /account', 'nothing, as in GET /whoami', '7']],
  ['a key', AGE, ['states[0]', 'all 7 keys', 'no age']],
  ['a header', deviation({ missing: 'X-Account' }), ['whose it is', 'the X-Account of another', 'no such header']],
  ['ids in a body', BODY, ['number of ids in the body of DELETE /printjobs', '101', '0']],
  ['a time', TIME, ['age of the state done', '90000, as createTimestamp tells', '90809']],
])('counts %s as the deviation that takes it away', (_, met, mismatch) => {
  expect(judged(met, mismatch)).toBe('the deviation');
});

it('ends a check as blocked by the deviation that takes away what it needs', () => {
  const { require } = findingsAfter(BODY).speaking;
  const needed = { at: 'body of DELETE /printjobs/5', expected: 'an array of ids', actual: 'an empty body' };
  expect(() => require(needed)).toThrow('what it needs is not there: the deviation');
  expect(() => require({ ...needed, at: 'body of GET /printjobs' })).toThrow('body of GET /printjobs: expected');
});

it.each<[string, Deviation, readonly [string, string, string]]>([
  ['another field', AGE, ['states[0]', 'all 7 keys', 'no data']],
  ['a field that is there', AGE, ['age of the state new', '0', '7']],
  ['another body', BODY, ['body of GET /printjobs', 'an array', 'null']],
  ['what is read as printed', deviation({}), ['age of the state new', '0', 'nothing']],
])('does not count %s', (_, met, mismatch) => {
  expect(judged(met, mismatch)).toBeUndefined();
});
