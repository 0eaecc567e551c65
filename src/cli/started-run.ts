/**
 * Started run: the process of a run that was started on the page of a workbench. It is told what to run as a value,
 * over the channel to its parent, and shows itself there; it ends with its parent.
 */

import path from 'node:path';

import { usageError } from '../common/actionable-error.ts';
import type { BesideRun } from '../record/fields.ts';
import type { RunRecord } from '../record/run-record.ts';
import type { ScenarioFile } from '../scenario/format/find-scenarios.ts';
import { DEFAULT_API_KEY } from '../workbench/defaults.ts';
import { DEFAULT_DAYS, type RunNews, type RunOrder } from '../workbench/runs/run-order.ts';
import type { RunReport } from '../workbench/runs/run-process.ts';
import { summaryOf } from '../workbench/runs/run-summary.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { explain } from './explain.ts';
import { writeFileWhole } from './files/whole-file.ts';
import { interruption } from './interruption.ts';
import { trustCa } from './options/tls-options.ts';
import type { RunPage } from './remote/run-feed.ts';

/** By id, all that its parent had under way at some time. */
const beside = new Map<string, BesideRun>();

/** Carries out the order that comes over the channel, and ends the process. @throws ActionableError without one */
export function startedRun(): Promise<never> {
  if (!process.connected) throw usageError('a workbench starts such a run', 'Use platen check, run or explore.');
  process.on('disconnect', () => process.exit(EXIT.interrupted));
  return new Promise(() => {
    process.on('message', (news: RunNews) => {
      if ('order' in news) void carryOut(news.order);
      else if ('beside' in news) for (const one of news.beside) beside.set(one.runId, one);
      else if (!process.emit('SIGINT')) process.exit(EXIT.interrupted);
    });
  });
}

async function carryOut(order: RunOrder): Promise<void> {
  const { PLATEN_CA: caFile } = process.env;
  try {
    if (caFile !== undefined) await trustCa(caFile);
    process.exit(await play(order));
  } catch (error) {
    process.exit(explain(error));
  }
}

async function play({ runId, folder, request, scenario }: RunOrder): Promise<ExitCode> {
  const { kind, url, key = DEFAULT_API_KEY, link, seed, profile = 'full', grep, days = DEFAULT_DAYS } = request;
  const flags = {
    key,
    ...(link !== undefined && { link }),
    ...(seed !== undefined && { seed }),
    out: folder,
    reporter: ['json', 'html'] as const,
    starter: { runId, page: PARENT },
  };
  if (kind === 'check') {
    const { runChecks } = await import('./check.ts');
    return runChecks(url, { ...flags, profile, ...(grep !== undefined && { grep }) });
  }
  if (kind === 'explore') {
    const { runExploration } = await import('./explore.ts');
    return runExploration(url, { ...flags, seeds: days });
  }
  const [{ playFiles }, { FLEET_DEFAULTS }] = await Promise.all([import('./run.ts'), import('./run-fleet.ts')]);
  const files = await filesOf(scenario, folder);
  return playFiles(files, runId, url, { ...flags, ...FLEET_DEFAULTS, calibration: true }, interruption());
}

/** A day that shows a finding stands beside the reports of its run, where a person finds it. */
async function filesOf(scenario: RunOrder['scenario'], folder: string): Promise<readonly ScenarioFile[]> {
  const { loadScenarios } = await import('../scenario/format/find-scenarios.ts');
  if (scenario === undefined) return [];
  if ('file' in scenario) return loadScenarios(scenario.file);
  const file = path.join(folder, 'scenario.yaml');
  writeFileWhole(file, Buffer.from(scenario.text));
  return loadScenarios(file);
}

const PARENT: RunPage = {
  show: async (record) => {
    await tell(record);
    // It asks over the channel.
    return 0;
  },
  beside: () => [...beside.values()],
  close: () => Promise.resolve(),
};

function tell(record: RunRecord): Promise<void> {
  const view = summaryOf(record.runId, record);
  if (view === undefined) return Promise.resolve();
  const report: RunReport = { view, record: JSON.stringify(record) };
  return new Promise((resolve) => process.send?.(report, undefined, undefined, () => resolve()));
}
