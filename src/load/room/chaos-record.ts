/**
 * ChaosEvent record: what a disaster of a load did, and how long it took to get over it.
 *
 * The curve of the backlog is in the series of the run: accepted less reported, second by second.
 */

import type { ChaosName } from '../plan/load-scenario.ts';

export interface DisasterRecord {
  readonly what: ChaosName;
  readonly atMs: number;
  /** Computers that were hit. */
  readonly hit: number;
  /** Fewest computers connected meanwhile, of those of the shard. */
  readonly lowestConnected: number;
  /** Most jobs under way meanwhile: accepted, and neither reported nor cancelled or expired. */
  readonly mostBacklog: number;
  /**
   * From its beginning until every computer was connected again and the backlog no longer than before;
   * null when the run ended first.
   */
  readonly recoveredMs: number | null;
}

/** The disasters of a whole run, of those of its shards: each has the same ones, in the same order. */
export function mergeDisasters(parts: readonly (readonly DisasterRecord[])[]): readonly DisasterRecord[] {
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
