import { expect, it } from 'vitest';

import type { Judgement } from '../../../../src/conformance/context/judgement.ts';
import {
  coverClauses,
  exclusionOf,
  EXCLUDED_CLAUSES,
  observeGaps,
  outcomeOf,
} from '../../../../src/conformance/verdict/coverage.ts';
import type { CheckOutcome } from '../../../../src/conformance/verdict/outcome.ts';
import type { Verdict } from '../../../../src/record/words.ts';
import { CLAUSES } from '../../../../src/specification/clauses.ts';
import { GAPS } from '../../../../src/specification/gaps.ts';
import { checkNamed, checkOutcome } from '../../../support/check-outcome.ts';

const MISMATCH = { at: 'status', expected: '200', actual: '404' };

const [FIRST_GAP, SECOND_GAP] = GAPS;

function outcome(verdict: Verdict, ...judgements: readonly Judgement[]): CheckOutcome {
  return checkOutcome({ verdict, judgements });
}

it.each<[string, Parameters<typeof outcomeOf>[0], string]>([
  ['nothing', [], 'not-judged'],
  ['kept', [{}], 'kept'],
  ['kept once', [{ observation: 'x' }, {}], 'kept'],
  ['observed', [{ observation: 'x' }, { observation: '' }], 'observed'],
  ['broken once', [{}, { mismatch: {} }, { observation: 'x' }], 'broken'],
])('takes a clause with %s for what it is', (_, judgements, expected) => {
  expect(outcomeOf(judgements)).toBe(expected);
});

it('says of each clause which checks declare it, and how it was judged', () => {
  const clauses = CLAUSES.filter(({ id }) => ['misc/ping', 'misc/noop', 'service/https'].includes(id));
  const checks = [
    checkNamed('a/one', 'misc/ping'),
    checkNamed('a/two', 'misc/ping', 'misc/noop'),
    checkNamed('a/three'),
  ];
  const covered = coverClauses(clauses, checks, [
    outcome('fail', { clause: 'misc/ping', mismatch: MISMATCH }),
    outcome('flaky', { clause: 'misc/noop', mismatch: MISMATCH }),
    outcome('pass', { clause: 'misc/noop' }),
  ]);
  const found = Object.fromEntries(covered.map(({ clause, ...line }) => [clause.id, line]));
  expect(found).toEqual({
    'misc/ping': { status: 'covered', checks: ['a/one', 'a/two'], outcome: 'broken' },
    'misc/noop': { status: 'covered', checks: ['a/two'], outcome: 'kept' },
    'service/https': {
      status: 'excluded',
      reason: 'a property of how a service is deployed; a service under test is often reached without TLS',
      checks: [],
      outcome: 'not-judged',
    },
  });
  expect(covered.map(({ clause }) => clause)).toEqual(clauses);
});

it('says of a clause that no check declares that it is not covered yet', () => {
  const clauses = CLAUSES.filter(({ id }) => id === 'misc/ping');
  expect(coverClauses(clauses, [], [])).toEqual([
    { clause: clauses[0], status: 'not-yet', checks: [], outcome: 'not-judged' },
  ]);
});

function reasonsOf(party: string): ReadonlySet<string | undefined> {
  return new Set(CLAUSES.filter((clause) => clause.party === party).map(exclusionOf));
}

it('excludes clauses by their ids, and those of another party than the service', () => {
  const reasons = new Map(CLAUSES.map((clause) => [clause.id, exclusionOf(clause)]));
  for (const id of EXCLUDED_CLAUSES) expect(reasons.get(id)).toMatch(/^(a property|lies at|a permission)/);
  expect(reasonsOf('client')).toEqual(
    new Set(['kept or broken by the client program on the computer, which the tests of src/devices judge']),
  );
  expect(reasonsOf('caller')).toEqual(new Set(['kept or broken by the caller of the service']));
  expect(reasons.get('misc/ping')).toBeUndefined();
  expect(EXCLUDED_CLAUSES).toHaveLength(4);
});

it('collects what was observed of a gap, each once, and how the target answered', () => {
  if (!FIRST_GAP || !SECOND_GAP) throw new Error('there are no gaps');
  const [gap, other] = [FIRST_GAP.id, SECOND_GAP.id];
  const outcomes = [
    outcome('observed', { clause: gap, observation: 'it waits' }, { clause: other, observation: 'no' }),
    outcome('flaky', { clause: gap, observation: 'it waits' }, { clause: gap }, { clause: gap, observation: '' }),
  ];
  const line = { question: 'anything' as never, gap, words: 'answers 404' } as const;
  const dialect = [
    { ...line, source: 'asked' },
    { ...line, source: 'not-found-out', words: 'not known' },
    { ...line, gap: other, source: 'given', words: 'as given' },
  ] as const;
  const checks = [checkNamed('a/one', 'misc/ping', gap), checkNamed('a/two', 'misc/ping')];
  expect(observeGaps([FIRST_GAP, SECOND_GAP], checks, outcomes, dialect)).toEqual([
    { gap: FIRST_GAP, checks: ['a/one'], observations: ['it waits', '', 'answers 404'] },
    { gap: SECOND_GAP, checks: [], observations: ['no', 'as given'] },
  ]);
  expect(observeGaps([FIRST_GAP], [], [])).toEqual([{ gap: FIRST_GAP, checks: [], observations: [] }]);
});
