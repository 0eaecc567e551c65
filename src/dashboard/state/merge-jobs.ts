/**
 * Merges news of jobs into a list of them, highest id first.
 */

import type { JobSummary } from '../../record/control-types.ts';

/**
 * @param shown - by id, downwards
 * @param news - in any order; of several about one job the last counts
 * @param takesNew - whether jobs newer than the first one shown are put on top
 * @returns the same list when nothing of it changed
 */
export function mergeJobs(
  shown: readonly JobSummary[],
  news: readonly JobSummary[],
  takesNew: boolean,
): readonly JobSummary[] {
  if (news.length === 0) return shown;
  const latest = new Map(news.map((job) => [job.id, job]));
  const merged = [...shown];
  const newestShown = shown[0]?.id ?? 0;
  const added: JobSummary[] = [];
  let replaced = 0;
  for (const job of latest.values()) {
    const index = indexOf(merged, job.id);
    if (index >= 0) {
      merged[index] = job;
      replaced += 1;
    } else if (takesNew && job.id > newestShown) added.push(job);
  }
  if (added.length === 0) return replaced > 0 ? merged : shown;
  return [...added.toSorted((a, b) => b.id - a.id), ...merged];
}

/** Position of a job by halving; -1 when it is not there. */
function indexOf(jobs: readonly JobSummary[], id: number): number {
  let low = 0;
  let high = jobs.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = jobs[middle]?.id ?? 0;
    if (found === id) return middle;
    if (found > id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
