/**
 * Verdicts: what a check came to, worst first, and what a run of them means for the caller.
 */

import { VERDICTS, type Verdict } from '../../record/words.ts';
import type { Level } from '../../specification/clause.ts';

/** How a broken clause counts, by its level. */
export const BROKEN: Readonly<Record<Level, Verdict>> = {
  must: 'fail',
  should: 'warn',
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
  ['not-offered', 1],
  ['blocked', 2],
  ['untestable', 2],
  ['inconclusive', 2],
  ['flaky', 2],
];

/** 0 good; 1 a check failed; 2 nothing failed but not everything could be judged; 70 the harness broke. */
export function exitCodeOf(verdicts: readonly Verdict[]): number {
  return EXIT_CODES.find(([verdict]) => verdicts.includes(verdict))?.[1] ?? 0;
}
