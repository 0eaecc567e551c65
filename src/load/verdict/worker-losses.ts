/**
 * Losses of workers that a scenario declares: which of those that were lost it allows for.
 *
 *   lost workers, in time ─► a declaration that is open then and not used up ─┬─► declared: its jobs are a figure
 *                                                                            └─► none: the run is incomplete
 *
 * Nobody can tell what became of the jobs of a lost worker. They are no part of the account, and are told beside it.
 */

import type { LoadFacts, LossRecord } from '../../record/load-record.ts';

/** How exactly it is known when a worker was lost: by its last sign of life. */
const KNOWN_WITHIN_MS = 1_000;

/** The losses that the scenario allows for; undefined when it speaks of none. */
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
