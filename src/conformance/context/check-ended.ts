/**
 * The early end of a check: thrown inside a check when it cannot go on, and caught by the runner. It does not
 * mean that the harness is broken; what was judged before stands.
 */

import { describeMismatch, type Mismatch } from '../../oracle/mismatch.ts';
import { endingInWords, type Ending } from '../../record/words.ts';

/** What a check that ends early comes to, unless a judgement is worse. */
export type EarlyVerdict =
  | 'fail'
  | 'blocked'
  | 'untestable'
  | 'inconclusive'
  | 'too-long'
  | 'not-offered'
  | 'not-applicable'
  | 'pass';

export class CheckEnded extends Error {
  override readonly name = 'CheckEnded';
  readonly verdict: EarlyVerdict;
  readonly endedBy?: Ending;
  /** What it builds on that was not as it should be. */
  readonly unmet?: Mismatch;

  constructor(verdict: EarlyVerdict, why: string | Ending | Mismatch) {
    super(typeof why === 'string' ? why : 'kind' in why ? endingInWords(why) : describeMismatch(why));
    this.verdict = verdict;
    if (typeof why === 'string') return;
    if ('kind' in why) this.endedBy = why;
    else this.unmet = why;
  }
}

/** Whether a check asked for something that the target does not have. */
export function isAbsence(error: unknown): boolean {
  return error instanceof CheckEnded && (error.verdict === 'not-offered' || error.verdict === 'not-applicable');
}

/** Whether something that a check builds on could not be found out. */
export function isUntestable(error: unknown): error is CheckEnded {
  return isAbsence(error) || (error instanceof CheckEnded && error.verdict === 'untestable');
}

/** What comes of work that a check can do without; undefined where it asks for what the target does not have. */
export async function ifOffered<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** The machine or the service was too slow for the check to tell: at another time it may. */
export class CameTooLate extends CheckEnded {
  constructor(message: string) {
    super('inconclusive', message);
  }
}
