/**
 * platen run on a pipeline: plays a day that was found, or a load.
 */

import { statSync } from 'node:fs';
import path from 'node:path';

import { usageError } from '../common/actionable-error.ts';
import { systemClock } from '../common/clock.ts';
import { ensureWritable } from '../common/folder.ts';
import { readTextFile } from '../common/given-file.ts';
import type { LoadScenario } from '../load/plan/load-scenario.ts';
import type { ShardProgress } from '../load/shard/shard-monitor.ts';
import type { Pipeline } from '../pipeline/pipeline-file.ts';
import { exitCodeFrom, type ExitCode } from './exit-code.ts';
import { keepPapers, surroundingsOf, type PipelineFlags } from './explore-pipeline.ts';
import { namedScenarios } from './files/named-scenarios.ts';
import { newRunId, publishRun } from './files/publish.ts';
import { interruption } from './interruption.ts';
import { reportLoad, type OutputFlags } from './load/report-load.ts';

type PipelineRunFlags = PipelineFlags & OutputFlags;

/** Loads it where the file has traffic, and otherwise plays a day that was found. */
export async function runOnPipeline(pipeline: Pipeline, named: string, flags: PipelineRunFlags): Promise<ExitCode> {
  const isFile = statSync(named, { throwIfNoEntry: false })?.isFile() === true;
  if (isFile && !/^traffic:/m.test(await readTextFile(named, NAME_ONE))) return playOnPipeline(pipeline, named, flags);
  const [first, ...others] = await namedScenarios(named);
  if (!first?.load || others.length > 0) {
    throw usageError(`${named} is neither a day of a pipeline nor one scenario with traffic`, NAME_ONE);
  }
  return loadAPipeline(pipeline, first.load, flags);
}

const NAME_ONE = 'Name a scenario.yaml that platen explore wrote, or a load of submissions, such as ten-seconds.';

async function loadAPipeline(pipeline: Pipeline, scenario: LoadScenario, flags: PipelineRunFlags): Promise<ExitCode> {
  const { planLoad } = await import('../load/plan/load-plan.ts');
  const { loadPipeline } = await import('../pipeline/load-pipeline.ts');
  ensureWritable(flags.out ?? 'reports');
  const signal = interruption();
  const runId = newRunId('load', {});
  await using surroundings = await surroundingsOf();
  const plan = planLoad(scenario, flags.seed);
  const { LoadProgress } = await import('./screen/load-progress.ts');
  const progress = flags.json || flags.quiet ? undefined : new LoadProgress();
  const onProgress = (sample: ShardProgress): void => progress?.take(sample);
  const result = await loadPipeline({ plan, pipeline, surroundings, runId, signal, onProgress });
  return reportLoad(result, runId, flags);
}

/** Plays a day that was found. */
async function playOnPipeline(pipeline: Pipeline, file: string, flags: PipelineFlags): Promise<ExitCode> {
  const { playDay, whyUnplayed } = await import('../pipeline/play-day.ts');
  const { readDay } = await import('../pipeline/steps.ts');
  const { buildPlayedRecord } = await import('../pipeline/pipeline-records.ts');
  ensureWritable(flags.out ?? 'reports');
  const day = readDay(file, await readTextFile(file, NAME_ONE), pipeline);
  const signal = interruption();
  const startedAt = new Date(systemClock.now()).toISOString();
  const runId = newRunId('run', {});
  await using surroundings = await surroundingsOf();
  const played = await playDay(day.steps, pipeline, surroundings, signal).catch(whyUnplayed);
  const folder = flags.out ?? path.join('reports', runId);
  if (typeof played !== 'string') await keepPapers(played, folder);
  const record = buildPlayedRecord(
    { file, day, played },
    { runId, startedAt, pipeline, wasInterrupted: signal.aborted },
  );
  const { renderRun } = await import('../report/terminal/run-terminal.ts');
  await publishRun(record, folder, flags, () => renderRun(record));
  return exitCodeFrom(record.summary.exitCode);
}
