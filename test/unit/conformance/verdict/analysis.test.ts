/**
 * Analysis of runs of one check, made by hand: what contradicts what.
 */

import { expect, it } from 'vitest';

import { analyzeRun, type StoredRun } from '../../../../src/conformance/verdict/analysis.ts';
import { exitCodeOf } from '../../../../src/conformance/verdict/verdict.ts';

const KEPT = { clause: 'misc/ping' };
const BROKEN = { clause: 'misc/ping', mismatch: { at: '', expected: '', actual: '' } };
const SHOULD_BROKEN = { clause: 'service/headers-on-errors', mismatch: { at: '', expected: '', actual: '' } };
const SEEN = { clause: 'misc/ping', observation: 'something' };

type Stored = StoredRun['checks'][number];

/** A run of one check; its coverage is left out. */
function runOf(verdict: Stored['verdict'], judgements: Stored['evidence']['judgements'], more: Partial<Stored> = {}) {
  const evidence = { judgements, exchanges: [], unanswered: [] };
  const check = { id: 'a/check', clauses: [], verdict, evidence, ...more };
  const run: StoredRun = {
    checks: [check],
    clauses: {},
    summary: {
      checks: { total: 1, [verdict]: 1 },
      clauses: { broken: 0 },
      baselineProblems: [],
      exitCode: exitCodeOf([verdict]),
    },
    target: { contradictions: [] },
  };
  return run;
}

const FAILS = 'and a judgement of it says fail';

it.each([
  ['pass', [KEPT], []],
  ['pass', [SEEN], ['and its judgements say observed']],
  ['pass', [BROKEN], [FAILS]],
  ['observed', [SEEN], []],
  ['observed', [KEPT], ['and its judgements say pass']],
  ['observed', [BROKEN], [FAILS]],
  ['warn', [SHOULD_BROKEN], []],
  ['warn', [KEPT], ['and its judgements say pass']],
  ['fail', [BROKEN], []],
  ['fail', [KEPT], ['and no judgement of it says so']],
  ['flaky', [BROKEN], []],
  ['harness-error', [BROKEN], []],
  ['blocked', [KEPT], []],
  ['blocked', [BROKEN], [FAILS]],
] as const)('compares the verdict %s with its judgements: %#', (verdict, judgements, told) => {
  const { contradictions } = analyzeRun(runOf(verdict, judgements), []);
  expect(contradictions).toEqual(told.map((one) => `a/check is stored as ${verdict}, ${one}`));
});

it('takes a broken should for a failure in a strict run', () => {
  expect(analyzeRun({ ...runOf('fail', [SHOULD_BROKEN]), strict: true }, []).contradictions).toEqual([]);
  expect(analyzeRun(runOf('fail', [SHOULD_BROKEN]), []).contradictions).toEqual([
    'a/check is stored as fail, and no judgement of it says so',
  ]);
});

it('believes a failure whose request got no answer', () => {
  const evidence = { judgements: [KEPT], exchanges: [], unanswered: [{}] };
  expect(analyzeRun(runOf('fail', [KEPT], { evidence }), []).contradictions).toEqual([]);
});

it.each([
  ['pass', KEPT, ['a/check is stored as pass, and did not judge misc/noop, tags/life']],
  ['observed', SEEN, ['a/check is stored as observed, and did not judge misc/noop, tags/life']],
  ['blocked', KEPT, []],
] as const)('finds what a check that is stored as %s did not judge', (verdict, judgement, told) => {
  const clauses = ['misc/noop', 'misc/ping', 'tags/life'];
  expect(analyzeRun(runOf(verdict, [judgement], { clauses }), []).contradictions).toEqual(told);
});

it('believes a check that passed without a clause that the target does not offer, or does not show', () => {
  const clauses = ['misc/noop', 'misc/ping'];
  const run = runOf('pass', [KEPT], { clauses });
  const target = { contradictions: [], notOffered: [{ isDeclared: true }] };
  expect(analyzeRun({ ...run, target }, []).contradictions).toEqual([]);
  const evidence = { judgements: [KEPT], exchanges: [], unanswered: [], unseen: ['misc/noop'] };
  expect(analyzeRun(runOf('pass', [KEPT], { clauses, evidence }), []).contradictions).toEqual([]);
});

it('finds a wrong number of checks', () => {
  const { summary, ...run } = runOf('pass', [KEPT]);
  const counted = { ...summary, checks: { ...summary.checks, total: 7 } };
  expect(analyzeRun({ ...run, summary: counted }, []).contradictions).toEqual([
    '7 checks are counted, and 1 are there',
  ]);
});

it('takes every problem of the list of known failures, and every contradiction of the target, into the exit code', () => {
  const { summary, ...run } = runOf('pass', [KEPT]);
  const withProblem = { ...run, summary: { ...summary, baselineProblems: ['x'] } };
  expect(analyzeRun(withProblem, []).contradictions).toEqual(['the exit code is stored as 0, and the verdicts say 1']);
  const contradicted = { ...run, summary, target: { contradictions: ['x'] } };
  expect(analyzeRun(contradicted, []).contradictions).toEqual(['the exit code is stored as 0, and the verdicts say 2']);
});

it.each([75, 130])(
  'takes %d for the exit code of a run that did not come to its end, whatever the verdicts say',
  (exitCode) => {
    const run = runOf('pass', [KEPT]);
    expect(analyzeRun({ ...run, summary: { ...run.summary, exitCode } }, []).contradictions).toEqual([]);
  },
);

it('leaves known failures out of the exit code', () => {
  const { summary, ...run } = runOf('fail', [BROKEN], { known: {} });
  expect(analyzeRun({ ...run, summary: { ...summary, exitCode: 0 } }, []).contradictions).toEqual([]);
});

it('compares what is said of a clause with the judgements of all checks but flaky ones', () => {
  const clauses = { 'misc/ping': { level: 'must', outcome: 'kept' } };
  const told = 'misc/ping is stored as kept, and its judgements say';
  expect(analyzeRun({ ...runOf('pass', [KEPT]), clauses }, []).contradictions).toEqual([]);
  expect(analyzeRun({ ...runOf('flaky', [KEPT]), clauses }, []).contradictions).toEqual([`${told} not-judged`]);
  expect(analyzeRun({ ...runOf('fail', [BROKEN]), clauses }, []).contradictions).toEqual([
    `${told} broken`,
    '0 clauses are counted as broken, and 1 are',
  ]);
});

it('takes a consequence for not judged, and for seen', () => {
  const { checks, ...run } = runOf('fail', [BROKEN]);
  const mismatch = { at: '', expected: '', actual: '' };
  const judgements = [{ clause: 'misc/noop', mismatch }, { clause: 'misc/noop' }];
  const evidence = { judgements, exchanges: [], unanswered: [] };
  const both = [...checks, ...checks.map((check) => ({ ...check, evidence }))];
  const counted = { ...run.summary, checks: { total: 2, fail: 2 }, clauses: { broken: 1 } };
  const clauses = { 'misc/ping': { level: 'must', outcome: 'broken' } };
  const contradictionsOf = (outcome: string): readonly string[] => {
    const all = { ...clauses, 'misc/noop': { level: 'must', outcome, since: 'misc/ping' } };
    return analyzeRun({ ...run, checks: both, summary: counted, clauses: all }, []).contradictions;
  };
  expect(contradictionsOf('not-judged')).toEqual([]);
  expect(contradictionsOf('kept')).toEqual(['misc/noop is stored as kept, and its judgements say not-judged']);
});
