/**
 * ChaosEvent record: what a disaster of a load did, and how long it took to get over it.
 *
 * The curve of the backlog is in the series of the run: accepted less reported, second by second.
 */

import type { ChaosEventRecord } from '../../record/load-record.ts';

/** The disasters of a whole run, of those of its shards: each has the same ones, in the same order. */
export function mergeDisasters(parts: readonly (readonly ChaosEventRecord[])[]): readonly ChaosEventRecord[] {
  const [first = []] = parts;
  return first.map((one, place) => {
    const all = parts.flatMap((part) => part[place] ?? []);
    const recoveries = all.map(({ recoveredMs }) => recoveredMs);
    return {
      ...one,
      hit: sum(all.map(({ hit }) => hit)),
      lowestConnected: sum(all.map(({ lowestConnected }) => lowestConnected)),
      mostBacklog: sum(all.map(({ mostBacklog }) => mostBacklog)),
      recoveredMs: recoveries.includes(null) ? null : Math.max(...recoveries.map(Number)),
    };
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
