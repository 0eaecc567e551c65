/**
 * Trace: arrivals as they were recorded somewhere.
 */

import type { PacerMaker } from './pacer.ts';

export const trace: PacerMaker<'trace'> = ({ timesMs }, durationMs) => {
  const times = timesMs.filter((atMs) => atMs >= 0 && atMs < durationMs).toSorted((a, b) => a - b);
  return { expectedArrivals: times.length, peakRate: busiestSecond(times), times: () => times };
};

/** Most arrivals within any second. */
function busiestSecond(times: readonly number[]): number {
  let first = 0;
  let most = 0;
  for (const [last, atMs] of times.entries()) {
    while ((times[first] ?? 0) <= atMs - 1_000) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
