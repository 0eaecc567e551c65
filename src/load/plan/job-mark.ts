/**
 * Job marks: the titles of the jobs of a load run, by which paper and states find their row of the ledger. The row
 * stands first, so that a title that was cut at its end names no job rather than another one.
 *
 *   platen 1845 2 3fa9c1      row, shard, plan
 */

import type { Shard } from './load-plan.ts';

const PLAN_DIGITS = 6;

export interface JobMarks {
  readonly markOf: (row: number) => string;
  /** The row that a title names, also with other words around it; undefined where it shows no mark of this shard. */
  readonly rowIn: (title: string) => number | undefined;
}

export function jobMarks(planHash: string, { index }: Pick<Shard, 'index'>): JobMarks {
  const end = `${index} ${planHash.slice(0, PLAN_DIGITS)}`;
  const pattern = new RegExp(`\\bplaten (\\d{1,15}) ${end}\\b`);
  return {
    markOf: (row) => `platen ${row} ${end}`,
    rowIn(title) {
      const row = pattern.exec(title)?.[1];
      return row === undefined ? undefined : Number(row);
    },
  };
}
