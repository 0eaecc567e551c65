/**
 * The outcome of a step or an expectation, as a value. An exception always means that the harness broke.
 */

import type { Mismatch } from '../../oracle/mismatch.ts';

/** Something that is not as the scenario expects. */
export interface Break extends Mismatch {
  /** The jobs concerned, by name: their sheets are kept, their timelines shown. */
  readonly jobs: readonly string[];
}

/**
 * kept          it went as expected
 * broken        the service, or the room, did something else
 * inconclusive  it cannot be judged here, such as for lack of time
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

export function broken(at: string, expected: string, actual: string, jobs: readonly string[] = []): StepOutcome {
  return outcomeOf([{ at, expected, actual, jobs }]);
}
