/**
 * Every view of the page, with something on it: what it is called, where it is, and what is there once everything is.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { Page } from 'playwright-core';

import type { RunRecord } from '../../../src/record/run-record.ts';
import { madeUpExplore, madeUpLoad, madeUpRun } from '../../support/run-records.ts';
import { stageWorkbench, type StagedWorkbench } from './staged-workbench.ts';

export interface View {
  readonly name: string;
  /** RUN stands for the run with failures. */
  readonly path: string;
  readonly sign: string;
  /** Why no picture of it is kept. */
  readonly varies?: string;
}

const BY_SUITE = 'changes with each check of the suite';
const BY_MACHINE = 'a busy machine has more events in a delivery';

export const VIEWS: readonly View[] = [
  { name: 'Jobs', path: 'jobs', sign: '.job-row' },
  { name: 'a job', path: 'jobs/7', sign: '.timeline li' },
  { name: 'an enlarged side', path: 'jobs/7?side=2', sign: 'dialog img' },
  { name: 'a search that finds nothing', path: 'jobs?q=state:expired', sign: '.empty' },
  { name: 'Room', path: 'room', sign: '.scale .lcd' },
  { name: 'capabilities', path: 'room?computer=FRONT-DESK&printer=printer-1', sign: 'dialog pre' },
  { name: 'faults of a printer', path: 'room?fault=printer/Laser', sign: 'dialog select' },
  { name: 'faults of a computer', path: 'room?fault=computer/FRONT-DESK', sign: 'dialog select' },
  { name: 'Traffic', path: 'traffic', sign: '.traffic-row' },
  { name: 'a request', path: 'traffic?id=2', sign: '.detail pre' },
  { name: 'a delivery', path: 'traffic?show=deliveries&id=2', sign: '.detail pre', varies: BY_MACHINE },
  { name: 'Runs', path: 'runs', sign: '.run-row' },
  { name: 'a run', path: 'runs/RUN', sign: '.finding', varies: BY_SUITE },
  { name: 'the clauses of a run', path: 'runs/RUN?show=clauses', sign: '.chapter', varies: BY_SUITE },
  { name: 'the gaps of a run', path: 'runs/RUN?show=gaps', sign: '.gaps td', varies: BY_SUITE },
  { name: 'a comparison', path: 'runs/RUN?compare=made-up', sign: '.difference td', varies: BY_SUITE },
  { name: 'an exploration', path: 'runs/explored', sign: '.finding' },
  { name: 'what an exploration tried', path: 'runs/explored?show=figures', sign: '.figures td' },
  { name: 'a load that goes on', path: 'runs/live-load', sign: '.run progress' },
  { name: 'a page that is not there', path: 'nothing/here', sign: '.empty' },
];

const SECONDS = 20;
/** A load of a terminal that goes on. */
export const LIVE_RUN = 'live-load';

/** A load as it is after twenty seconds. */
export function loadSoFar(seconds = SECONDS): RunRecord {
  const load = madeUpLoad();
  const [first] = load.series;
  if (!first) throw new Error('the load that was made up has no second');
  return {
    ...load,
    runId: LIVE_RUN,
    // Nothing has gone wrong with it so far.
    summary: { ...load.summary, exitCode: 0 },
    thresholds: [],
    progress: { done: seconds, total: 60, remainingMs: (60 - seconds) * 1_000, doing: 'running' },
    series: Array.from({ length: seconds }, (_, second) => ({ ...first, second, arrivals: 10 + (second % 5) })),
  };
}

/** Shows a record on the page of a workbench, as a run with --open does. @returns how often it was asked to stop */
export async function showRun(url: string, record: RunRecord): Promise<number> {
  const answer = await fetch(`${url}/_platen/runs/${record.runId}`, { method: 'PUT', body: JSON.stringify(record) });
  return ((await answer.json()) as { readonly stops: number }).stops;
}

/** Leaves a record in a reports folder, as its run does: what it found can be played. */
export function keepRun(reports: string, record: RunRecord): void {
  const folder = path.join(reports, record.runId);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'run.json'), JSON.stringify(record));
}

/** Opens a view and waits until everything of it is there. */
export async function openView(
  page: Page,
  { url, runId }: StagedWorkbench,
  { path: place, sign }: View,
): Promise<void> {
  // A run that is silent for half a minute has died.
  if (place.startsWith('runs')) await showRun(url, loadSoFar());
  await page.goto(`${url}/_platen/${place.replace('RUN', runId)}`);
  await page.locator(sign).first().waitFor();
}

/** A workbench that has something on every view. */
export async function stageViews(reports: string): Promise<StagedWorkbench> {
  const stage = await stageWorkbench(reports);
  await showRun(stage.url, { ...madeUpRun({ clauses: 20 }), runId: 'made-up' });
  keepRun(reports, { ...madeUpExplore(), runId: 'explored' });
  await showRun(stage.url, loadSoFar());
  return stage;
}
