/**
 * What became of a step or an expectation, as a value. An exception always means that the harness broke.
 */

import type { Mismatch } from '../../oracle/mismatch.ts';

/** Something that is not as the scenario says it should be. */
export interface Break extends Mismatch {
  /** Names of the jobs it is about: their sheets are kept, their timelines shown. */
  readonly jobs: readonly string[];
}

/**
 * kept          it went as it should
 * broken        the service, or the room, did something else
 * inconclusive  it cannot be told here: the time that would have to pass does not pass
 */
export type StepOutcome =
  | { readonly kind: 'kept' }
  | { readonly kind: 'broken'; readonly breaks: readonly Break[] }
  | { readonly kind: 'inconclusive'; readonly reason: string };

export const KEPT: StepOutcome = { kind: 'kept' };

/** Kept without breaks, broken with them. */
export function outcomeOf(breaks: readonly Break[]): StepOutcome {
  return breaks.length === 0 ? KEPT : { kind: 'broken', breaks };
}

export function broken(
  at: string,
  expected: string,
  actual: string,
  jobs: readonly string[] = [],
): StepOutcome {
  return outcomeOf([{ at, expected, actual, jobs }]);
}
