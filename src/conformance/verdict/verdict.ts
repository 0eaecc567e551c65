/**
 * Verdicts: what a check came to, worst first, and what a run of them means for the caller.
 */

import type { Level } from '../../spec/clause.ts';

/**
 * harness-error   the check itself broke, or judged less than it declares
 * fail            the service broke a clause of level must or should
 * blocked         something the check builds on did not work; its own check says what
 * untestable      the target lacks what the check needs
 * inconclusive    no judgement was possible, for example because of the time it would take
 * flaky           failed once, passed when repeated alone
 * warn            the service differs from what the specification only observed
 * observed        recorded: the specification leaves it open
 * not-applicable  the target is declared not to offer this
 * pass            every declared clause was judged, and kept
 */
export const VERDICTS = [
  'harness-error',
  'fail',
  'blocked',
  'untestable',
  'inconclusive',
  'flaky',
  'warn',
  'observed',
  'not-applicable',
  'pass',
] as const;

export type Verdict = (typeof VERDICTS)[number];

/** How a broken clause counts, by its level. */
export const BROKEN: Readonly<Record<Level, Verdict>> = {
  must: 'fail',
  should: 'fail',
  observed: 'warn',
  gap: 'observed',
};

/** The worst of several verdicts; `pass` of none. */
export function worstOf(verdicts: readonly Verdict[]): Verdict {
  return VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? 'pass';
}

/** Exit codes of a run of checks, the first that applies. Documented in the command's help. */
const EXIT_CODES: readonly (readonly [Verdict, number])[] = [
  ['harness-error', 70],
  ['fail', 1],
  ['blocked', 2],
  ['untestable', 2],
  ['inconclusive', 2],
  ['flaky', 2],
];

/** 0 good; 1 a check failed; 2 nothing failed but not everything could be judged; 70 the harness broke. */
export function exitCodeOf(verdicts: readonly Verdict[]): number {
  return EXIT_CODES.find(([verdict]) => verdicts.includes(verdict))?.[1] ?? 0;
}
