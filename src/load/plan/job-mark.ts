/**
 * Job mark: the title of a job of a load run, by which paper and states find their row of the ledger.
 *
 *   platen 3fa9c1 2 1845      plan, shard, row
 */

import type { Shard } from './load-plan.ts';

const PLAN_DIGITS = 6;

/** The start of all marks of a shard, up to and including the space before the row. */
export function markPrefix(planHash: string, { index }: Pick<Shard, 'index'>): string {
  return `platen ${planHash.slice(0, PLAN_DIGITS)} ${index} `;
}

/** The row that a title names; undefined when it is not a mark of this shard. */
export function rowOfMark(title: string, prefix: string): number | undefined {
  if (!title.startsWith(prefix)) return undefined;
  const row = Number(title.slice(prefix.length));
  return Number.isSafeInteger(row) && row >= 0 ? row : undefined;
}
