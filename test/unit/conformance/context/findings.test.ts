import { expect, it } from 'vitest';

import type { Transport } from '../../../../src/conformance/context/api-client.ts';
import { createFindings, type Findings } from '../../../../src/conformance/context/findings.ts';
import { answerOf, expectHeader, expectIdArray, type Answer } from '../../../../src/conformance/expect/answer.ts';
import { expectEqual, expectThat } from '../../../../src/conformance/expect/that.ts';
import type { Mismatch } from '../../../../src/oracle/mismatch.ts';
import { expectAllKeys, expectField } from '../../../../src/oracle/record-fields.ts';
import { PRINT_JOB_STATE_FIELDS } from '../../../../src/specification/fields.ts';
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
function judged(met: Deviation, mismatch: Mismatch | undefined) {
  const findings = findingsAfter(met);
  findings.speaking.judge('states/age-of-new-zero', mismatch);
  return findings.judgements[0]?.countedIn;
}

const AGE = deviation({ missing: 'age' });
const BODY = deviation({ missing: 'body of DELETE', isUnknown: true });
const TIME = deviation({ missing: 'createTimestamp', isUnknown: true });

/** The answer to a request, with no header and this body. */
const answered = (method: string, path: string, body = ''): Answer =>
  answerOf({ request: { method, path }, response: { status: 200, headers: [], body: Buffer.from(body) } } as never, 0);

const { age, state, ...OTHERS } = PRINT_JOB_STATE_FIELDS;

it.each<[string, Deviation, Mismatch | undefined]>([
  ['a field', AGE, expectEqual('age of the state new', undefined, 0)],
  ['a field that a table has', AGE, expectField({ state: 'new' }, 'states[0]', 'age', age)],
  ['a field of several', AGE, expectEqual('ages of the states new', [null, null], [0, 0])],
  ['a field that is elsewhere', AGE, expectEqual('age of PATCH /account', 7, undefined)],
  ['a key', AGE, expectAllKeys({ age, state }, { state: 'new' }, 'states[0]')],
  [
    'a header',
    deviation({ missing: 'X-Account' }),
    expectThat(false, 'whose it is', 'the X-Account of another', undefined),
  ],
  ['a header by its name', deviation({ missing: 'X-Account' }), expectHeader(answered('GET', '/a'), 'X-Account')],
  ['a body', BODY, expectIdArray(answered('DELETE', '/printjobs/5'), [5])],
  ['ids in a body', BODY, expectEqual('number of ids in the body of DELETE /printjobs', 0, 101)],
  ['a time', TIME, expectThat(false, 'age of the state done', '90000, as createTimestamp tells', 90809)],
])('counts %s as the deviation that takes it away', (_, met, mismatch) => {
  expect(mismatch).toBeDefined();
  expect(judged(met, mismatch)).toBe('the deviation');
});

it('ends a check as blocked by the deviation that takes away what it needs', () => {
  const { require } = findingsAfter(BODY).speaking;
  const needed = { at: 'body of DELETE /printjobs/5', expected: 'an array of ids', actual: 'an empty body' };
  expect(() => require(needed)).toThrow('what it needs is not there: the deviation');
  expect(() => require({ ...needed, at: 'body of GET /printjobs' })).toThrow('body of GET /printjobs: expected');
});

it.each<[string, Deviation, Mismatch | undefined]>([
  ['another field', AGE, expectAllKeys({ state, ...OTHERS }, { state: 'new' }, 'states[0]')],
  ['a field that is there, whatever the words', AGE, expectThat(false, 'age of the state new', 'not nothing', 7)],
  ['another body', BODY, expectIdArray(answered('GET', '/printjobs', 'null'), [5])],
  ['what is read as printed', deviation({}), expectEqual('age of the state new', undefined, 0)],
])('does not count %s', (_, met, mismatch) => {
  expect(mismatch).toBeDefined();
  expect(judged(met, mismatch)).toBeUndefined();
});
