/**
 * Combines the records that are to be shown: shards of one run become one record, all else stands side by side.
 */

import { success, type Outcome } from '../../common/outcome.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { commonOf, mergeShards, type NamedRecord } from './shards.ts';

export interface NamedAnyRecord {
  readonly file: string;
  readonly record: RunRecord;
}

/** The runs, in the order they were named; the error says why shards do not fit together. */
export function combine(named: readonly NamedAnyRecord[]): Outcome<readonly RunRecord[], string> {
  const shards = named.flatMap(({ file, record }): readonly NamedRecord[] =>
    record.kind === 'check' && record.selection.shards ? [{ file, record }] : [],
  );
  const runs = [...Map.groupBy(shards, ({ record }) => commonOf(record)).values()];
  // Shards of several runs, and one of those is not whole: more likely they were meant to be one.
  const isMixedUp = runs.length > 1 && !runs.every(isWhole);
  const merged = (isMixedUp ? [shards] : runs).map((parts) => ({ parts, run: mergeShards(parts) }));
  const shown = new Map<RunRecord, RunRecord | undefined>();
  for (const { parts, run } of merged) {
    if (!run.ok) return run;
    for (const [index, { record }] of parts.entries()) shown.set(record, index === 0 ? run.value : undefined);
  }
  return success(named.flatMap(({ record }) => (shown.has(record) ? (shown.get(record) ?? []) : [record])));
}

function isWhole(parts: readonly NamedRecord[]): boolean {
  const held = new Set(parts.flatMap(({ record }) => record.selection.shards?.held ?? []));
  return held.size === parts[0]?.record.selection.shards?.of;
}
