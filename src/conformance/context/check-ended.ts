/**
 * The early end of a check: thrown inside a check when it cannot go on, caught by the runner, and no
 * sign of a broken harness. What was judged before stands.
 */

import type { Verdict } from '../verdict/verdict.ts';

export class CheckEnded extends Error {
  override readonly name = 'CheckEnded';
  /** The verdict, unless a judgement is worse. */
  readonly verdict: Verdict;

  constructor(verdict: Verdict, message: string) {
    super(message);
    this.verdict = verdict;
  }
}
