/**
 * Losses of workers: which of the workers that were lost the scenario declares.
 *
 *   lost workers, in order of time ─► a declaration that covers it and is not used up ─┬─► its jobs are counted apart
 *                                                                                     └─► none: run incomplete
 *
 * What became of the jobs of a lost worker is unknown. They are no part of the account, and are reported beside it.
 */

import type { LoadFacts, LossRecord } from '../../record/load-record.ts';

/** How precisely the time of a loss is known, from the last heartbeat. */
const KNOWN_WITHIN_MS = 1_000;

/** The losses that the scenario declares; undefined when it declares none. */
export function declaredLosses({ plan, workers = [] }: LoadFacts): readonly LossRecord[] | undefined {
  if (!plan.losses) return undefined;
  const { submissions } = plan.losses;
  const open = plan.losses.declared
    .map(({ atMs, withinMs, workers: left }) => ({
      fromMs: atMs - KNOWN_WITHIN_MS,
      untilMs: withinMs === null ? Infinity : atMs + withinMs + KNOWN_WITHIN_MS,
      left,
    }))
    .toSorted((one, other) => one.untilMs - other.untilMs);
  return workers
    .flatMap(({ shard, name, lostAtMs }) => (lostAtMs === undefined ? [] : [{ shard, name, atMs: lostAtMs }]))
    .toSorted((one, other) => one.atMs - other.atMs)
    .flatMap((loss): LossRecord[] => {
      const fits = open.find(
        ({ fromMs, untilMs, left }) => left > 0 && fromMs <= loss.atMs && loss.atMs <= untilMs,
      );
      if (!fits) return [];
      fits.left--;
      return [{ ...loss, unknownJobs: submissions[loss.shard - 1] ?? 0 }];
    });
}
