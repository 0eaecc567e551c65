/**
 * Backoff: how long a computer waits before it tries to connect again.
 *
 * Full jitter: anything from nothing to a bound that doubles with each failure, 1 s, 2 s, 4 s … up to
 * 30 s, or what the room says. Ten thousand computers that lose their service together then spread over the
 * whole bound.
 */

import type { Random } from '../../common/random.ts';

const FIRST_BOUND_MS = 1_000;
export const LONGEST_BACKOFF_MS = 30_000;

/** @param failures - attempts that failed since the connection was lost, from 0 */
export function backoffMs(failures: number, random: Random, longestMs = LONGEST_BACKOFF_MS): number {
  const boundMs = Math.min(longestMs, FIRST_BOUND_MS * 2 ** failures);
  return Math.floor(random.fraction() * boundMs);
}
