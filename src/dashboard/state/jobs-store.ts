/**
 * Jobs, newest first: what the list shows. Pages are loaded as a person scrolls; what happens on the
 * workbench is worked in between. A search is the workbench's affair: while there is one, a job that is not in
 * the list makes the page ask again.
 */

import type { JobSummary } from '../../record/control-types.ts';
import { getJobs } from '../api/workbench.ts';
import { throttled } from '../browser/timing.ts';
import { attempt } from './notices.ts';
import { createStore } from './store.ts';

export interface JobsState {
  readonly q: string;
  readonly jobs: readonly JobSummary[];
  /** There are older ones. */
  readonly more: boolean;
  readonly status: 'unloaded' | 'loading' | 'ready';
  /** Why the search cannot be read. */
  readonly problem: string | undefined;
  /** What there is to filter by: what the jobs are, and during a search also what they were before it. */
  readonly filters: Readonly<Record<'state' | 'printer', readonly string[]>>;
}

const FIRST_PAGE = 100;
const NEXT_PAGE = 500;
const SEARCH_AGAIN_MS = 500;

export const jobs = createStore<JobsState>({
  q: '',
  jobs: [],
  more: false,
  status: 'unloaded',
  problem: undefined,
  filters: { state: [], printer: [] },
});

/** Counts searches: an answer to an earlier one is of no use any more. */
let generation = 0;
/** What happened while a page was under way. */
let meanwhile: JobSummary[] = [];

const NONE: JobsState['filters'] = { state: [], printer: [] };

function filtersFor(q: string, list: readonly JobSummary[]): JobsState['filters'] {
  const before = q === '' ? NONE : jobs.get().filters;
  const states = new Set([...before.state, ...list.map(({ state }) => state)]);
  const printers = new Set([...before.printer, ...list.map(({ printer }) => printer.name)]);
  return { state: [...states].toSorted(), printer: [...printers].toSorted() };
}

/** Loads the list anew. What is shown stays until the answer is there. */
export async function loadJobs(q = jobs.get().q): Promise<void> {
  const mine = ++generation;
  meanwhile = [];
  const { status } = jobs.get();
  jobs.patch({ q, status: status === 'unloaded' ? 'loading' : status });
  try {
    const page = await getJobs({ q, limit: FIRST_PAGE });
    if (mine !== generation) return;
    const news = q === '' ? meanwhile : [];
    const list = mergeJobs(page.jobs, news, true);
    jobs.patch({
      filters: filtersFor(q, list),
      jobs: list,
      more: page.more,
      status: 'ready',
      problem: undefined,
    });
  } catch (error) {
    if (mine !== generation) return;
    jobs.patch({ jobs: [], more: false, status: 'ready', problem: (error as Error).message });
  }
}

/** Loads the list unless it is on its way. */
export function showJobs(q: string): void {
  const { status, q: present } = jobs.get();
  if (status !== 'loading' || present !== q) void loadJobs(q);
}

let isLoadingMore = false;

export async function loadOlderJobs(): Promise<void> {
  const { more, jobs: shown, q } = jobs.get();
  const oldest = shown.at(-1);
  if (!more || isLoadingMore || !oldest) return;
  const mine = generation;
  isLoadingMore = true;
  const page = await attempt(getJobs({ q, before: oldest.id, limit: NEXT_PAGE }));
  isLoadingMore = false;
  if (!page || mine !== generation) return;
  const list = [...jobs.get().jobs, ...page.jobs];
  jobs.patch({ jobs: list, more: page.more, filters: filtersFor(q, list) });
}

const searchAgain = throttled(SEARCH_AGAIN_MS, () => void loadJobs());

/** Works in what happened. */
export function takeJobs(news: readonly JobSummary[]): void {
  const { q, jobs: shown, status } = jobs.get();
  if (status === 'unloaded') return;
  meanwhile.push(...news);
  const merged = mergeJobs(shown, news, q === '');
  if (merged !== shown) jobs.patch({ jobs: merged, filters: filtersFor(q, merged) });
  if (q !== '') searchAgain();
}

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
