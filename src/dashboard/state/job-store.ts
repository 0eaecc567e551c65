/**
 * The job that is open: its details, loaded again whenever something happened to it.
 */

import type { DeliveryEntry, JobDetail, JobSummary } from '../../record/control-types.ts';
import { getJob } from '../api/workbench.ts';
import { throttled } from '../browser/timing.ts';
import { createStore } from './store.ts';

export interface OpenJobState {
  readonly id: number | undefined;
  readonly job: JobDetail | undefined;
  readonly problem: string | undefined;
}

const RELOAD_MS = 250;
const NONE: OpenJobState = { id: undefined, job: undefined, problem: undefined };

export const openJob = createStore<OpenJobState>(NONE);

export function showJob(id: number): void {
  if (openJob.get().id === id) return;
  openJob.set({ id, job: undefined, problem: undefined });
  void reload();
}

/** Closes a job, unless another has been opened since. */
export function closeJob(id: number): void {
  if (openJob.get().id === id) openJob.set(NONE);
}

export const reloadOpenJob = throttled(RELOAD_MS, () => void reload());

/** Counts questions: only the answer to the newest one says how the job is now. */
let asked = 0;

async function reload(): Promise<void> {
  const { id } = openJob.get();
  if (id === undefined) return;
  const mine = ++asked;
  const isOfUse = (): boolean => mine === asked && openJob.get().id === id;
  try {
    const job = await getJob(id);
    if (isOfUse()) openJob.set({ id, job, problem: undefined });
  } catch (error) {
    if (isOfUse()) openJob.set({ id, job: undefined, problem: (error as Error).message });
  }
}

/** Works in what happened to jobs. */
export function takeJobNews(news: readonly JobSummary[]): void {
  const { id, job } = openJob.get();
  const latest = news.findLast((one) => one.id === id);
  if (!latest) return;
  // What the list knows is shown at once; the rest follows.
  if (job) openJob.patch({ job: { ...job, ...latest } });
  reloadOpenJob();
}

/** A delivery may have been caused by the open job: only the workbench knows. */
export function takeDeliveryNews(news: readonly DeliveryEntry[]): void {
  if (openJob.get().id !== undefined && news.length > 0) reloadOpenJob();
}
