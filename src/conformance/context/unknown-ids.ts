/**
 * Sets that hold ids which are not there for their caller: whether a service leaves those out or refuses the whole set
 * is a gap.
 */

import type { Mismatch } from '../../oracle/mismatch.ts';
import { expectIdArray, expectIds, expectRefusal, expectStatus, type Answer } from '../expect/answer.ts';
import type { CheckContext } from './context.ts';

/** An id of the usual size that no record and no account has. */
export const UNKNOWN_ID = 2_147_483_600;

/** Expects these records alone of a set that holds others too, which are not there. */
export async function expectKnownIds(
  { speak }: CheckContext,
  answer: Answer,
  ids: readonly number[],
): Promise<Mismatch | undefined> {
  const mismatch = expectIds(answer, ids);
  if (!mismatch) return undefined;
  const { alone, among } = await speak('unknown-ids');
  return (ids.length === 0 ? alone : among) === 'left-out' ? mismatch : expectRefusal(answer);
}

/** Expects a DELETE of a set to have affected these alone, or to have been refused; the others in it are not there. */
export function expectKnownAffected(answer: Answer, ids: readonly number[]): Mismatch | undefined {
  if (expectRefusal(answer) === undefined) return undefined;
  return expectStatus(answer, 200) ?? expectIdArray(answer, ids);
}
