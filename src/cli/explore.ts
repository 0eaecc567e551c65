/**
 * platen explore: makes up days from seeds, plays them, and hands over the shortest scenario of what goes wrong.
 */

import { availableParallelism } from 'node:os';
import path from 'node:path';

import { InvalidArgumentError, type Command } from 'commander';

import { usageError } from '../common/actionable-error.ts';
import { systemClock } from '../common/clock.ts';
import { countOf } from '../common/count-of.ts';
import { durationMs, formatDuration } from '../common/duration.ts';
import { ensureWritable } from '../common/folder.ts';
import { meantHint, nearestName } from '../common/nearest-name.ts';
import { createRandom } from '../common/random.ts';
import { readTextFile } from '../common/given-file.ts';
import type { DrawOptions } from '../explore/draw/draw-day.ts';
import type { Explored } from '../explore/explore.ts';
import type { Finding } from '../explore/findings.ts';
import type { ExploreRecord } from '../record/explore-record.ts';
import type { Progress } from '../record/fields.ts';
import type { Target } from '../targets/target.ts';
import { EXIT, exitCodeFrom, type ExitCode } from './exit-code.ts';
import { exploreAPipeline, pipelineNamed, refuseServiceOptions } from './explore-pipeline.ts';
import { keepAtLimit, newRunId, publishRun, reporterOption, type PublishFlags } from './files/publish.ts';
import { writeFileWhole } from './files/whole-file.ts';
import { endNow, interruption } from './interruption.ts';
import {
  addTargetOption,
  findTarget,
  orClose,
  placeNamed,
  playedGiven,
  tellLost,
  type TargetFlags,
} from './options/open-target.ts';
import {
  allowFilesOption,
  callbackHostOption,
  someTime,
  type FilesFlags,
  filled,
  integer,
  jsonOption,
  keyOption,
  linkOption,
  positiveInteger,
} from './options/option-values.ts';
import { addOpenOption, openFeed, progressOf, type FeedFlags } from './remote/run-feed.ts';
import { liveLine } from './screen/live-line.ts';
import { tellLeftBehind } from './screen/left-behind.ts';
import { err, out } from './screen/terminal.ts';

interface ExploreFlags extends PublishFlags, FeedFlags, FilesFlags, Omit<TargetFlags, 'seed'> {
  readonly for?: string;
  readonly seeds?: number;
  readonly seed?: number;
  readonly processes?: number;
  readonly room?: string;
  readonly without?: readonly string[];
  readonly known?: string;
  readonly strict?: true;
  readonly out?: string;
}

/** Without a limit. */
const DEFAULT_LIMIT = '1m';

export function exploreCommand(program: Command, finish: (code: ExitCode) => void): void {
  const command = addTargetOption(program.command('explore'))
    .description(
      'make up days from seeds, and reduce each failure to the shortest scenario that shows it; of a pipeline (docs/pipelines.md), which --target names, as well',
    )
    .argument('[url]', 'address of the service (default: the reference service, one for each day)')
    .addOption(keyOption())
    .addOption(linkOption())
    .addOption(callbackHostOption())
    .option(
      '--for <duration>',
      `how long to keep starting new days (default: ${DEFAULT_LIMIT}, unless --seeds is given)`,
      someTime,
    )
    .option('--seeds <number>', 'how many days to play', positiveInteger)
    .option('--seed <number>', 'seed of the first day; each day has the next one (default: random)', integer)
    .option('--processes <number>', 'play in this number of processes (default: one per core)', positiveInteger)
    .option('--room <file>', 'use this room for every day, as YAML')
    .addOption(allowFilesOption())
    .option('--without <kinds>', 'kinds of moves to leave out, separated by commas', words)
    .option('--known <file>', 'known findings, one signature per line: they are counted and do not fail the run')
    .option('--strict', 'also judge what the specification only recommends')
    .addOption(reporterOption())
    .option('--out <folder>', 'folder for the report and the scenarios (default: reports/<run>)', filled)
    .addOption(jsonOption())
    .option('-q, --quiet', 'print only findings, and verdicts other than pass');
  addOpenOption(command).action(async (url: string | undefined, flags: ExploreFlags) => {
    const code = await explored(url, flags);
    // A day that was given up may hold connections, which would keep the process alive.
    if (placeNamed(url, flags) !== undefined) endNow(code);
    finish(code);
  });
}

async function explored(url: string | undefined, flags: ExploreFlags): Promise<ExitCode> {
  const pipeline = await pipelineNamed(flags.target);
  if (!pipeline) return runExploration(url, flags);
  refuseServiceOptions({ ...flags }, url);
  return exploreAPipeline(pipeline, flags, flags.known === undefined ? [] : await linesOf(flags.known));
}

function words(text: string): readonly string[] {
  const all = text.split(',').map((word) => word.trim());
  if (all.includes('')) throw new InvalidArgumentError('write kinds of moves, separated by commas');
  return all;
}

export async function runExploration(url: string | undefined, flags: ExploreFlags): Promise<ExitCode> {
  const { explore, playerOn } = await import('../explore/explore.ts');
  const { DayProcesses } = await import('../explore/day-processes.ts');
  const { textOf } = await import('../explore/play-day.ts');
  const { isStillThere } = await import('../scenario/play/run-scenarios.ts');
  const { embeddedStage } = await import('../explore/embedded-stage.ts');
  const { meetService } = await import('../explore/other-service.ts');
  const { buildExploreRecord, fileOf, renderCoverage } = await import('../explore/build-record.ts');
  ensureWritable(flags.out ?? 'reports');
  const known = flags.known === undefined ? [] : await linesOf(flags.known);
  const place = placeNamed(url, flags);
  if (place !== undefined && flags.processes !== undefined && flags.processes > 1) {
    throw usageError(`${place} is a single service: its days run in one process`, 'Omit --processes.');
  }
  const asked = await askedFor(place, flags);
  const interrupted = interruption();
  const target = place === undefined ? undefined : await openService(url, flags, interrupted);
  const met = target && (await orClose(target, meetService(target, interrupted)));
  for (const problem of met?.problems ?? []) err(problem);
  await using stage = met?.stage ?? embeddedStage();
  const draw = { ...asked, elsewhere: met?.elsewhere };
  using processes = target ? undefined : new DayProcesses({ count: flags.processes ?? availableParallelism(), draw });
  await using feed = await openFeed(flags);
  keepAtLimit(feed, flags);
  const screen = screenOf(flags);
  const runId = newRunId('explore', flags);
  const folder = flags.out ?? path.join('reports', runId);
  const startedAt = new Date(systemClock.now()).toISOString();
  const recordOf = (explored: Explored): ExploreRecord => {
    const { aborted: wasInterrupted } = interrupted;
    const { without } = draw;
    const of = { runId, startedAt, target, given: playedGiven(url, flags), folder, without, wasInterrupted };
    return buildExploreRecord(explored, of);
  };
  const keep = ({ signature, day }: Finding): string => {
    const file = path.join(folder, fileOf(signature));
    writeFileWhole(file, textOf(day));
    return file;
  };
  const limitMs =
    flags.for === undefined && flags.seeds !== undefined ? undefined : durationMs(flags.for ?? DEFAULT_LIMIT);
  const seed = flags.seed ?? seedByChance();
  screen.begin(seed);
  const explored = await explore({
    ...draw,
    seed,
    seeds: flags.seeds,
    limitMs,
    stage,
    players: processes?.players ?? Array.from({ length: met?.sideBySide ?? 1 }, () => playerOn(stage, draw)),
    known,
    isStillThere: target && (() => isStillThere(target)),
    onDay: (soFar) => {
      screen.onDay(soFar);
      feed.show(() => ({ ...recordOf(soFar), progress: howFar(soFar, flags.seeds, limitMs) }));
    },
    onMet: (finding) => {
      keep(finding);
      screen.onMet(finding);
    },
    onFinding: (finding) => screen.onFinding(finding, keep(finding)),
    signal: interrupted,
  });
  screen.end();
  const record = feed.whole(recordOf(explored));
  writeFileWhole(path.join(folder, 'explored.md'), renderCoverage(explored));
  const { renderRun } = await import('../report/terminal/run-terminal.ts');
  await publishRun(record, folder, flags, () => renderRun(record));
  if (target) tellLost(target);
  if (target && !target.isDisposable)
    tellLeftBehind(target.name, 'print jobs, tags, API keys and Child Accounts that the days made', flags);
  await feed.end(record);
  await target?.close();
  return interrupted.aborted ? EXIT.interrupted : exitCodeFrom(record.summary.exitCode);
}

function howFar(
  { days, durationMs: passedMs }: Explored,
  seeds: number | undefined,
  limitMs: number | undefined,
): Progress {
  const doing = `day ${days}`;
  if (seeds !== undefined) return progressOf(days, seeds, passedMs, doing);
  const limit = limitMs ?? 0;
  return progressOf(Math.min(passedMs, limit), limit, passedMs, doing);
}

/** What the flags say of days, before anything is asked of a service. */
async function askedFor(place: string | undefined, flags: ExploreFlags): Promise<DrawOptions> {
  const { MOVE_KINDS } = await import('../explore/draw/moves.ts');
  const { without = [] } = flags;
  const unknown = without.find((kind) => !MOVE_KINDS.includes(kind));
  if (unknown !== undefined) {
    throw usageError(
      `there is no kind of move '${unknown}'${meantHint(nearestName(unknown, MOVE_KINDS))}`,
      `There are ${MOVE_KINDS.join(', ')}.`,
    );
  }
  if (without.length === MOVE_KINDS.length) throw usageError('no kind of move is left', 'Leave out fewer of them.');
  return {
    without,
    ...(flags.room !== undefined && (await readRawRoom(flags.room, flags))),
    // The reference service is ours: it keeps what the specification only recommends as well.
    expect: place === undefined || flags.strict ? 'strict' : 'sound',
  };
}

/** With the folders from which its profiles are read. @throws ActionableError with every mistake in it */
async function readRawRoom(
  file: string,
  { allowFiles = [] }: FilesFlags,
): Promise<Pick<DrawOptions, 'room' | 'allowed'>> {
  const { loadRawRoom } = await import('../explore/draw/load-room.ts');
  const text = await readTextFile(file, 'Name a file with a room.');
  return { room: loadRawRoom(file, text, allowFiles), allowed: [path.dirname(file), ...allowFiles] };
}

/** The lines of a file that say something. */
async function linesOf(file: string): Promise<readonly string[]> {
  const lines = (await readTextFile(file, 'Name a file with a signature on each line.')).split('\n');
  return lines.map((line) => line.replace(/#.*/, '').trim()).filter((line) => line !== '');
}

async function openService(url: string | undefined, flags: ExploreFlags, signal: AbortSignal): Promise<Target> {
  const { unseenOn } = await import('../scenario/setup/sight.ts');
  const target = await findTarget(url, flags, signal);
  const unseen = unseenOn(target);
  if (unseen !== undefined) err(unseen);
  return target;
}

function seedByChance(): number {
  return createRandom(systemClock.now()).integer(1, LARGEST_SEED);
}

/** Leaves room for the seeds that follow. */
const LARGEST_SEED = 999_999;

/** Shows how far it has come. */
interface Screen {
  readonly begin: (seed: number) => void;
  readonly onDay: (explored: Explored) => void;
  readonly onMet: (finding: Finding) => void;
  readonly onFinding: (finding: Finding, file: string) => void;
  readonly end: () => void;
}

const SILENT: Screen = {
  begin: () => undefined,
  onDay: () => undefined,
  onMet: () => undefined,
  onFinding: () => undefined,
  end: () => undefined,
};
const SHOW_EVERY_MS = 200;

function tellMet({ signature, day, seed }: Finding): string {
  return `met ${signature} on day ${seed}, which has ${day.steps.length} steps; shortening it`;
}

function tell({ signature, day }: Finding, file: string): string {
  return `found ${signature} in ${countOf(day.steps.length, 'step')}: ${file}`;
}

function screenOf({ json, quiet }: ExploreFlags): Screen {
  if (json) return SILENT;
  const begin = (seed: number): void => (quiet ? undefined : out(`Exploring from seed ${seed}.`));
  const live = quiet ? undefined : liveLine();
  if (!live) {
    return {
      ...SILENT,
      begin,
      onMet: (finding) => (quiet ? undefined : out(tellMet(finding))),
      onFinding: (finding, file) => out(tell(finding, file)),
    };
  }
  let shownMs = 0;
  return {
    begin,
    onDay: (explored) => {
      if (explored.durationMs - shownMs < SHOW_EVERY_MS) return;
      shownMs = explored.durationMs;
      live.show(howFarInWords(explored));
    },
    onMet: (finding) => live.keep(tellMet(finding)),
    onFinding: (finding, file) => live.keep(tell(finding, file)),
    end: () => live.clear(),
  };
}

function howFarInWords({ days, events, elapsedMs, coverage, findings }: Explored): string {
  return (
    `${days} days, ${events} events, ${formatDuration(elapsedMs)} of the service's time, ` +
    `${coverage.size} pairs tried, ${findings.length} found`
  );
}
