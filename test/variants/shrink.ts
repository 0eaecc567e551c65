/**
 * Shrinks a combination that brings an alarm to the fewest values that still do.
 */

import type { Combination } from './dimension.ts';

/**
 * @param isAlarmed - whether a combination brings the alarm
 * @returns the combination without each value that it can do without; none of those left can be left out
 */
export async function shrink(
  combination: Combination,
  isAlarmed: (combination: Combination) => Promise<boolean>,
): Promise<Combination> {
  let kept = Object.entries(combination);
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < kept.length;) {
      const rest = kept.toSpliced(from, size);
      if (await isAlarmed(Object.fromEntries(rest))) kept = rest;
      else from += size;
    }
  }
  return Object.fromEntries(kept);
}
