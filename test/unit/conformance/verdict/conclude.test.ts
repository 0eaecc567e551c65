import { expect, it } from 'vitest';

import type { Judgement } from '../../../../src/conformance/context/judgement.ts';
import { conclude, verdictOf, type End } from '../../../../src/conformance/verdict/conclude.ts';
import type { Verdict } from '../../../../src/record/words.ts';
import type { Level } from '../../../../src/specification/clause.ts';

const LEVELS = {
  'misc/ping': 'must',
  'misc/noop': 'should',
  'misc/noop-body-is-request-id': 'observed',
  'misc/ping-without-credentials': 'must',
} as const satisfies Readonly<Record<string, Level>>;
type Clause = keyof typeof LEVELS;

const levelOf = (clause: string): Level => Object.entries(LEVELS).find(([id]) => id === clause)?.[1] ?? 'gap';
const kept = (clause: Clause): Judgement => ({ clause });
const observed = (clause: Clause, observation: string): Judgement => ({ clause, observation });
const broken = (clause: Clause, actual = '404'): Judgement => ({
  clause,
  mismatch: { at: 'status', expected: '200', actual },
});

const PASSED: End = { verdict: 'pass', message: '' };
const BLOCKED: End = { verdict: 'blocked', message: 'no computer' };
const BROKE: End = { verdict: 'harness-error', message: 'a bug' };

it.each<[string, readonly Judgement[], End, Verdict, string]>([
  ['all kept', [kept('misc/ping'), kept('misc/noop')], PASSED, 'pass', ''],
  [
    'all kept, and something to say',
    [kept('misc/ping'), kept('misc/noop')],
    { verdict: 'pass', message: 'in time' },
    'pass',
    'in time',
  ],
  ['a must broken', [kept('misc/noop'), broken('misc/ping')], PASSED, 'fail', 'status: expected 200, got 404'],
  ['a must broken at its first rule', [broken('misc/ping')], PASSED, 'fail', 'status: expected 200, got 404'],
  ['a should broken', [kept('misc/ping'), broken('misc/noop')], PASSED, 'warn', 'status: expected 200, got 404'],
  ['a should broken at its first rule', [broken('misc/noop')], PASSED, 'warn', 'status: expected 200, got 404'],
  [
    'a must broken, after a should',
    [broken('misc/noop'), broken('misc/ping', '500'), broken('misc/ping', '501')],
    PASSED,
    'fail',
    'status: expected 200, got 500',
  ],
  ['something observed', [kept('misc/ping'), observed('misc/noop', 'it waits')], PASSED, 'observed', 'it waits'],
  ['something observed that is empty', [kept('misc/ping'), observed('misc/noop', '')], PASSED, 'observed', ''],
  [
    'nothing judged, for a client program shows nothing of it',
    [],
    { ...PASSED, unseen: new Set(['misc/ping']) },
    'untestable',
    'a client program shows nothing of what it judges',
  ],
  ['what is offered judged, and the rest not there', [kept('misc/ping')], { ...PASSED, isPartial: true }, 'pass', ''],
  [
    'nothing judged, for nothing of it is offered',
    [],
    { ...PASSED, isPartial: true },
    'not-applicable',
    'the target has nothing of what it judges',
  ],
  [
    'nothing judged before it was blocked, and nothing hidden',
    [],
    { ...BLOCKED, unseen: new Set() },
    'blocked',
    'no computer',
  ],
  ['all kept before it was blocked', [kept('misc/ping'), kept('misc/noop')], BLOCKED, 'blocked', 'no computer'],
  ['a should broken before it was blocked', [broken('misc/noop')], BLOCKED, 'blocked', 'no computer'],
  ['a must broken before it was blocked', [broken('misc/ping')], BLOCKED, 'fail', 'status: expected 200, got 404'],
  ['a must broken before it broke', [broken('misc/ping')], BROKE, 'harness-error', 'a bug'],
  ['nothing judged, and blocked', [], BLOCKED, 'blocked', 'no computer'],
  [
    'an end that is no pass',
    [kept('misc/ping'), kept('misc/noop')],
    { verdict: 'warn', message: 'slow' },
    'warn',
    'slow',
  ],
  ['nothing judged', [], PASSED, 'harness-error', 'the check did not judge misc/ping, misc/noop'],
  ['a clause not judged', [kept('misc/ping')], PASSED, 'harness-error', 'the check did not judge misc/noop'],
  [
    'a clause only observed, and one not judged',
    [observed('misc/ping', 'it waits')],
    PASSED,
    'harness-error',
    'the check did not judge misc/noop',
  ],
  [
    'others judged',
    [kept('misc/ping'), kept('misc/noop'), kept('misc/noop-body-is-request-id')],
    PASSED,
    'harness-error',
    'the check judged misc/noop-body-is-request-id, not among its clauses (npm run prove emitted lists them)',
  ],
  [
    'several others judged',
    [kept('misc/ping'), kept('misc/noop'), kept('misc/noop-body-is-request-id'), kept('misc/ping-without-credentials')],
    PASSED,
    'harness-error',
    'the check judged misc/noop-body-is-request-id, misc/ping-without-credentials, not among its clauses (npm run prove emitted lists them)',
  ],
  [
    'others broken instead',
    [kept('misc/ping'), broken('misc/noop-body-is-request-id')],
    PASSED,
    'harness-error',
    'the check did not judge misc/noop and judged misc/noop-body-is-request-id, not among its clauses (npm run prove emitted lists them)',
  ],
])('concludes from %s', (_, judgements, end, verdict, message) => {
  const clauses: readonly Clause[] = ['misc/ping', 'misc/noop'];
  const check = { id: 'a/check', title: 'A check', clauses, needs: [], run: () => Promise.resolve() };
  expect(conclude(check, judgements, end, levelOf)).toEqual({ verdict, message });
});

it.each([
  ['misc/ping', 'fail'],
  ['misc/noop', 'warn'],
  ['misc/noop-body-is-request-id', 'warn'],
  ['a/gap', 'observed'],
])('counts a broken %s as %s', (clause, verdict) => {
  expect(verdictOf({ clause, mismatch: {} }, levelOf)).toBe(verdict);
  expect(verdictOf({ clause }, levelOf)).toBe('pass');
  expect(verdictOf({ clause, observation: '' }, levelOf)).toBe('observed');
});
