/**
 * platen explore on a pipeline: days of faults around programs that platen knows nothing of.
 */

import { availableParallelism } from 'node:os';
import path from 'node:path';

import { usageError } from '../common/actionable-error.ts';
import { systemClock } from '../common/clock.ts';
import { countOf } from '../common/count-of.ts';
import { durationMs } from '../common/duration.ts';
import { ensureWritable } from '../common/folder.ts';
import { readTextFile } from '../common/given-file.ts';
import { createRandom } from '../common/random.ts';
import type { PipelineExplored, PipelineFinding } from '../pipeline/explore-pipeline.ts';
import type { Pipeline } from '../pipeline/pipeline-file.ts';
import type { Surroundings } from '../pipeline/pipeline-world.ts';
import type { PlayedDay } from '../pipeline/play-day.ts';
import { exitCodeFrom, type ExitCode } from './exit-code.ts';
import { newRunId, publishRun, type PublishFlags } from './files/publish.ts';
import { writeFileWhole } from './files/whole-file.ts';
import { interruption } from './interruption.ts';
import { liveLine } from './screen/live-line.ts';
import { out } from './screen/terminal.ts';

export interface PipelineFlags extends PublishFlags {
  readonly target?: string | undefined;
  readonly for?: string;
  readonly seeds?: number;
  readonly seed?: number | string;
  readonly processes?: number;
  readonly out?: string;
}

const DEFAULT_LIMIT = '1m';
/** A day waits most of its time. */
const DAYS_PER_CORE = 3;
const LARGEST_SEED = 999_999;

/** The pipeline that --target names; undefined where it names a service. */
export async function pipelineNamed(target: string | undefined): Promise<Pipeline | undefined> {
  if (target === undefined) return undefined;
  const { isPipeline, loadPipeline } = await import('../pipeline/pipeline-file.ts');
  const text = await readTextFile(target, 'Name a target descriptor or a pipeline file.');
  return isPipeline(text) ? loadPipeline(target) : undefined;
}

/** @throws ActionableError where --target of a command that needs a service names a pipeline */
export async function refusePipeline(target: string): Promise<void> {
  const { isPipeline } = await import('../pipeline/pipeline-file.ts');
  if (!isPipeline(await readTextFile(target, 'Name a target descriptor.'))) return;
  throw usageError(
    `${target} is a pipeline, and not the descriptor of a service`,
    `Pipelines are explored: platen explore --target ${target}`,
  );
}

/** Options that only a service has, or only its loads. */
const OF_SERVICES =
  'link callbackHost room without strict open watch clock plan shard startAt findKnee stepFor probe baseline metrics allowLoadOn nats workers resume'.split(
    ' ',
  );

/** @throws ActionableError for the first of them that is given */
export function refuseServiceOptions(flags: Readonly<Record<string, unknown>>, url: string | undefined): void {
  const given = OF_SERVICES.find((name) => flags[name] !== undefined);
  if (given === undefined && url === undefined) return;
  const what =
    given === undefined ? `the address ${url}` : `--${given.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`)}`;
  throw usageError(`a pipeline has no use for ${what}`, `Omit it.`);
}

export async function exploreAPipeline(
  pipeline: Pipeline,
  flags: PipelineFlags,
  known: readonly string[],
): Promise<ExitCode> {
  const { explorePipeline } = await import('../pipeline/explore-pipeline.ts');
  const { buildPipelineRecord, tellRepeats } = await import('../pipeline/pipeline-records.ts');
  ensureWritable(flags.out ?? 'reports');
  const signal = interruption();
  const runId = newRunId('explore', {});
  const folder = flags.out ?? path.join('reports', runId);
  const startedAt = new Date(systemClock.now()).toISOString();
  const seed = Number(flags.seed ?? createRandom(systemClock.now()).integer(1, LARGEST_SEED));
  const screen = flags.json ? undefined : screenOf(flags);
  await using surroundings = await surroundingsOf();
  // Also where nothing is printed of it.
  const first = await firstJob(pipeline, surroundings, folder);
  screen?.say(`The first job: ${first}.`);
  screen?.say(`Exploring ${pipeline.title} from seed ${seed}.`);
  const explored = await explorePipeline({
    pipeline,
    surroundings,
    seed,
    seeds: flags.seeds,
    limitMs: flags.for === undefined && flags.seeds !== undefined ? undefined : durationMs(flags.for ?? DEFAULT_LIMIT),
    sideBySide: daysAtOnce(pipeline, flags),
    known,
    onDay: (so) => screen?.show(so),
    onMet: (finding) => screen?.say(tellMet(finding)),
    onFinding: (finding) => screen?.say(tellShort(finding, tellRepeats(finding.repeats))),
    signal,
  });
  screen?.end();
  for (const finding of explored.findings) await keepFinding(finding, folder);
  const run = { runId, startedAt, pipeline, folder, wasInterrupted: signal.aborted };
  const record = buildPipelineRecord(explored, run);
  const { renderRun } = await import('../report/terminal/run-terminal.ts');
  await publishRun(record, folder, flags, () => renderRun(record));
  return exitCodeFrom(record.summary.exitCode);
}

export async function surroundingsOf(): Promise<Surroundings & AsyncDisposable> {
  const { Press } = await import('../devices/press/press.ts');
  const { Ports } = await import('../pipeline/ports.ts');
  const press = new Press(systemClock);
  return { press, ports: new Ports(), [Symbol.asyncDispose]: async () => press[Symbol.asyncDispose]() };
}

async function firstJob(pipeline: Pipeline, surroundings: Surroundings, folder: string): Promise<string> {
  const { tryPipeline } = await import('../pipeline/play-day.ts');
  const { amountSeen } = await import('../pipeline/judge-paper.ts');
  const keep = async (played: PlayedDay): Promise<readonly string[]> =>
    (await keepPapers(played, folder)).map((name) => path.join(folder, name));
  const { seen, broken, durationMs: tookMs } = await tryPipeline(pipeline, surroundings, keep);
  const wrong = broken.map(({ promise, actual }) => `, ${promise}: ${actual}`).join('');
  return `${amountSeen(seen)} in ${Math.round(tookMs)} ms${wrong}`;
}

/** Where ports are fixed, only one world can be there at a time. */
function daysAtOnce({ printers, between }: Pipeline, { processes }: PipelineFlags): number {
  const isFixed = [...Object.values(printers), ...Object.values(between)].some(({ port }) => port !== undefined);
  return isFixed ? 1 : (processes ?? DAYS_PER_CORE * availableParallelism());
}

async function keepFinding(finding: PipelineFinding, folder: string): Promise<void> {
  const { folderOf, storyOf, toldDay } = await import('../pipeline/pipeline-records.ts');
  const { dayText } = await import('../pipeline/steps.ts');
  const place = path.join(folder, folderOf(finding.promise));
  const papers = await keepPapers(finding.played, place);
  writeFileWhole(path.join(place, 'scenario.yaml'), dayText(toldDay(finding)));
  writeFileWhole(path.join(place, 'story.md'), storyOf(finding, papers));
}

/** @returns their names */
export async function keepPapers({ papers }: PipelineFinding['played'], folder: string): Promise<readonly string[]> {
  const { paperFiles } = await import('../pipeline/paper-files.ts');
  const files = await paperFiles(papers);
  for (const { name, bytes } of files) writeFileWhole(path.join(folder, name), bytes);
  return files.map(({ name }) => name);
}

function tellMet({ promise, seed, steps }: PipelineFinding): string {
  return `met ${promise} on day ${seed}, which has ${countOf(steps.length, 'step')}`;
}

function tellShort({ promise, steps }: PipelineFinding, again: string): string {
  return `found ${promise} in ${countOf(steps.length, 'step')}; ${again}`;
}

interface Screen {
  readonly say: (text: string) => void;
  readonly show: (so: PipelineExplored) => void;
  readonly end: () => void;
}

function screenOf({ quiet }: PipelineFlags): Screen {
  const live = quiet ? undefined : liveLine();
  return {
    say: (text) => (quiet ? undefined : live ? live.keep(text) : out(text)),
    show: ({ days, jobs, papers, findings }) =>
      live?.show(`${days} days, ${countOf(jobs, 'job')}, ${countOf(papers, 'paper')}, ${findings.length} found`),
    end: () => live?.clear(),
  };
}
