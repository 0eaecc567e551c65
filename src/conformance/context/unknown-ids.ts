/**
 * Sets that hold ids which are not there for their caller: whether a service leaves those out or refuses the whole set
 * is a gap.
 */

import type { Mismatch } from '../../oracle/mismatch.ts';
import { expectIdArray, expectIds, expectRefusal, expectStatus, type Answer } from '../expect/answer.ts';

/** An id of the usual size that no record and no account has. */
export const UNKNOWN_ID = 2_147_483_600;

/** Expects these records alone of a set, or that it was refused; others in it are not there. */
export function expectKnownIds(answer: Answer, ids: readonly number[]): Mismatch | undefined {
  return expectRefusal(answer) && expectIds(answer, ids);
}

/** Expects a DELETE of a set to have affected these alone, or to have been refused; the others in it are not there. */
export function expectKnownAffected(answer: Answer, ids: readonly number[]): Mismatch | undefined {
  if (expectRefusal(answer) === undefined) return undefined;
  return expectStatus(answer, 200) ?? expectIdArray(answer, ids);
}
