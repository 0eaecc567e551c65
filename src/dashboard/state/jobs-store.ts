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
  /** What jobs were seen to be, whatever the search: there is something to filter by. */
  readonly seen: Readonly<Record<'state' | 'printer', readonly string[]>>;
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
  seen: { state: [], printer: [] },
});

/** Counts searches: an answer to an earlier one is of no use any more. */
let generation = 0;
/** What happened while a page was under way. */
let meanwhile: JobSummary[] = [];

const NOTHING_SEEN: JobsState['seen'] = { state: [], printer: [] };

/** The same where nothing is new. */
function withSeen(seen: JobsState['seen'], list: readonly JobSummary[]): JobsState['seen'] {
  const states = new Set([...seen.state, ...list.map(({ state }) => state)]);
  const printers = new Set([...seen.printer, ...list.map(({ printer }) => printer.name)]);
  if (states.size === seen.state.length && printers.size === seen.printer.length) return seen;
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
    jobs.patch({
      seen: withSeen(q === '' ? NOTHING_SEEN : jobs.get().seen, page.jobs),
      jobs: mergeJobs(page.jobs, news, true),
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
  const { jobs: present, seen } = jobs.get();
  jobs.patch({ jobs: [...present, ...page.jobs], more: page.more, seen: withSeen(seen, page.jobs) });
}

const searchAgain = throttled(SEARCH_AGAIN_MS, () => void loadJobs());

/** Works in what happened. */
export function takeJobs(news: readonly JobSummary[]): void {
  const { q, jobs: shown, status } = jobs.get();
  if (status === 'unloaded') return;
  meanwhile.push(...news);
  const merged = mergeJobs(shown, news, q === '');
  const before = jobs.get().seen;
  const seen = withSeen(before, news);
  if (merged !== shown || seen !== before) jobs.patch({ jobs: merged, seen });
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
