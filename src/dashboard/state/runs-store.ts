/**
 * Runs: what was checked and played, newest first, and the scenarios there are to play.
 */

import type { RunSummaryView, ScenarioView } from '../../record/control-types.ts';
import { getRuns, getScenarios } from '../api/workbench.ts';
import { attempt } from './notices.ts';
import { createStore, unlessReady, type LoadStatus } from './store.ts';

export interface RunsState {
  readonly runs: readonly RunSummaryView[];
  readonly scenarios: readonly ScenarioView[];
  readonly status: LoadStatus;
  /** One was asked for and has not begun: a second press asks for no other. */
  readonly isStarting: boolean;
  /** Whether what is started may go on beside another run. */
  readonly isBeside: boolean;
}

export const runs = createStore<RunsState>({
  runs: [],
  scenarios: [],
  status: 'unloaded',
  isStarting: false,
  isBeside: false,
});

export async function loadRuns(): Promise<void> {
  const answers = await attempt(Promise.all([getRuns(), getScenarios()]));
  if (!answers) return runs.patch({ status: unlessReady(runs.get().status) });
  runs.patch({ runs: newestFirst(answers[0]), scenarios: answers[1], status: 'ready' });
}

export function takeRuns(news: readonly RunSummaryView[]): void {
  const { runs: shown, status } = runs.get();
  if (status !== 'ready') return;
  const latest = new Map(news.map((run) => [run.id, run]));
  runs.patch({ runs: newestFirst([...latest.values(), ...shown.filter(({ id }) => !latest.has(id))]) });
}

function newestFirst(list: readonly RunSummaryView[]): readonly RunSummaryView[] {
  return list.toSorted((a, b) => b.startedAt.localeCompare(a.startedAt));
}
