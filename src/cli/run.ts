/**
 * platen run: plays scenarios. Without an address each one plays on a service of its own, on a virtual clock.
 */

import path from 'node:path';

import { Option, type Command } from 'commander';

import { usageError } from '../common/actionable-error.ts';
import { systemClock } from '../common/clock.ts';
import { ensureWritable } from '../common/folder.ts';
import { createRandom } from '../common/random.ts';
import { startStopwatch } from '../common/stopwatch.ts';
import type { ScenarioRunRecord } from '../record/scenario-record.ts';
import type { ScenarioFile } from '../scenario/format/find-scenarios.ts';
import type { ClockChoice, PlayedScenario, Venue } from '../scenario/play/run-scenarios.ts';
import type { GivenDialect } from '../targets/dialect.ts';
import type { Target } from '../targets/target.ts';
import { shippedPlace } from '../workbench/runs/shipped-scenarios.ts';
import { EXIT, exitCodeFrom, type ExitCode } from './exit-code.ts';
import { explain } from './explain.ts';
import { pipelineNamed, refuseServiceOptions } from './explore-pipeline.ts';
import { writeFileWhole } from './files/whole-file.ts';
import { interruption } from './interruption.ts';
import { addTargetOption, findTarget, orClose, placeNamed, playedGiven, tellLost } from './options/open-target.ts';
import {
  allowFilesOption,
  callbackHostOption,
  type FilesFlags,
  filled,
  jsonOption,
  keyOption,
  linkOption,
  seedValue,
} from './options/option-values.ts';
import { listScenarios, namedScenarios } from './files/named-scenarios.ts';
import { keepAtLimit, newRunId, publishRun, reporterOption, type PublishFlags } from './files/publish.ts';
import { addOpenOption, openFeed, progressOf } from './remote/run-feed.ts';
import { addLoadOptions, refuseLoadFlags, runLoads, type LoadFlags } from './run-load.ts';
import { runOnPipeline } from './run-pipeline.ts';
import { tellLeftBehind } from './screen/left-behind.ts';
import { err, out } from './screen/terminal.ts';

interface RunFlags extends PublishFlags, LoadFlags, FilesFlags {
  readonly key: string;
  readonly link?: string;
  readonly seed?: number | string;
  readonly clock?: ClockChoice;
  readonly list?: true;
  readonly watch?: true;
  readonly out?: string;
}

export function runCommand(program: Command, finish: (code: ExitCode) => void): void {
  const command = addTargetOption(program.command('run'))
    .description('play a scenario, or all scenarios of a folder')
    .argument('[scenario]', 'a scenario file, a folder of them, or a name of --list: jam-on-page-three, edge-cases')
    .argument('[url]', 'address of the service (default: the reference service, one for each scenario)')
    .option('--list', 'list the scenarios that ship with platen, or those of a folder, instead of playing them')
    .option('-w, --watch', 'play again whenever a file or one of its documents changes')
    .addOption(allowFilesOption())
    .addOption(keyOption())
    .addOption(linkOption())
    .addOption(callbackHostOption())
    .option('--seed <seed>', 'use this seed instead of those of the scenarios', seedValue)
    .addOption(
      new Option(
        '--clock <clock>',
        'clock of the reference service, instead of the one that each scenario names',
      ).choices(['virtual', 'real']),
    )
    .addOption(reporterOption())
    .option('--out <folder>', 'folder for the reports and the sheets of failures (default: reports/<run>)', filled)
    .addOption(jsonOption())
    .option('-q, --quiet', 'print only failures, and verdicts other than pass');
  addLoadOptions(addOpenOption(command)).action(
    async (scenario: string | undefined, url: string | undefined, flags: RunFlags) => {
      finish(await run(scenario, url, flags));
    },
  );
}

async function run(named: string | undefined, url: string | undefined, flags: RunFlags): Promise<ExitCode> {
  if (flags.list) {
    await listScenarios(named, flags.json === true, flags.allowFiles);
    return EXIT.good;
  }
  refuseSecondScenario(url);
  const pipeline = await pipelineNamed(flags.target);
  if (pipeline) {
    refuseServiceOptions({ ...flags }, url);
    return runOnPipeline(pipeline, named ?? '', flags);
  }
  const read = (): Promise<readonly ScenarioFile[]> => namedScenarios(named, flags.allowFiles);
  if (!flags.watch) return playFiles(await read(), named ?? '', url, flags, interruption());
  const interrupted = interruption();
  const { watchScenarios } = await import('./watch-scenarios.ts');
  return watchScenarios({
    read,
    play: (files) => playFiles(files, named ?? '', url, flags, interrupted),
    explain,
    named: named === undefined ? [] : [named],
    stopped: interrupted,
  });
}

/** @throws ActionableError where the address is one more scenario */
function refuseSecondScenario(url: string | undefined): void {
  if (url === undefined || !(/\.ya?ml$/.test(url) || shippedPlace(url) !== undefined)) return;
  throw usageError(
    `${url} is a second scenario, and platen run plays one at a time`,
    'Put them in a folder, and name that: all scenarios of a folder are played.',
  );
}

export async function playFiles(
  files: readonly ScenarioFile[],
  named: string,
  url: string | undefined,
  flags: RunFlags,
  interrupted: AbortSignal,
): Promise<ExitCode> {
  const { buildScenarioRunRecord, runScenarios } = await import('../scenario/play/run-scenarios.ts');
  if (!flags.plan) ensureWritable(flags.out ?? 'reports');
  const loads = files.flatMap(({ file, load }) => (load === null ? [] : [{ file, load }]));
  if (loads.length > 0 && flags.watch) {
    throw usageError(`${named} has traffic, and --watch plays only scenarios without it`, 'Omit --watch.');
  }
  const place = placeNamed(url, flags);
  if (place !== undefined && flags.clock !== undefined) {
    throw usageError(`${place} has its own clock`, 'Omit --clock.');
  }
  if (place === undefined && flags.link !== undefined) {
    throw usageError(
      'the reference service always uses its own link',
      'Omit --link, or give the address of the service that it connects to.',
    );
  }
  if (loads.length > 0 && loads.length === files.length) return runLoads(loads, url, flags);
  if (loads.length === 0) refuseLoadFlags(named, flags);
  const runId = newRunId('run', flags);
  const folder = flags.out ?? path.join('reports', runId);
  await using feed = await openFeed(flags);
  keepAtLimit(feed, flags);
  const venue = await openVenue(url, flags, files, interrupted);
  const print = await progressPrinter(venue, flags);
  const elapsedMs = startStopwatch();
  try {
    const result = await runScenarios(files, {
      venue,
      seed: flags.seed,
      clock: flags.clock,
      keep: (name, bytes) => keepIn(folder, name, bytes),
      onPlayed: (played, soFar) => {
        print(played);
        feed.show(() => {
          const state = soFar();
          const { length } = state.played;
          const progress = progressOf(length, files.length, elapsedMs(), played.title);
          return { ...buildScenarioRunRecord(state, runId), progress };
        });
      },
      signal: interrupted,
    });
    const record = feed.whole(buildScenarioRunRecord(result, runId));
    await report(record, folder, flags);
    if (venue.kind === 'shared') {
      tellLost(venue.target);
      if (result.lostIn === null) tellWhatStays(files, venue.target, flags);
      else tellLeftBehind(venue.target.name, 'what the scenarios had there when it stopped answering', flags);
    }
    await feed.end(record);
    return interrupted.aborted ? EXIT.interrupted : exitCodeFrom(result.exitCode);
  } finally {
    if (venue.kind === 'shared') await venue.target.close();
  }
}

async function openVenue(
  url: string | undefined,
  flags: RunFlags,
  files: readonly ScenarioFile[],
  signal: AbortSignal,
): Promise<Venue> {
  const { unseenOn } = await import('../scenario/setup/sight.ts');
  if (placeNamed(url, flags) === undefined) {
    const { embeddedTarget } = await import('../targets/embedded.ts');
    return { kind: 'own', open: embeddedTarget };
  }
  const target = await findTarget(url, flags, signal);
  const dialect = await orClose(target, meet(target, files));
  // On platen's own link a scenario can make messages go wrong: it opens that itself.
  const opened = { ...target, dialect, ...(target.linkName === 'websocket' && { link: undefined }) };
  const unseen = unseenOn(opened);
  if (unseen !== undefined) err(unseen);
  return { kind: 'shared', target: opened, given: playedGiven(url, flags) };
}

const WEBHOOK_QUESTIONS = ['message-types', 'statistics-nesting'] as const;

/**
 * A clock that a hook moves need not show the time of this machine; on one that stands still nothing comes due.
 *
 * @returns how the service does what the scenarios need and the specification leaves open
 */
async function meet(target: Target, files: readonly ScenarioFile[]): Promise<GivenDialect> {
  const { refuseStoppedClock } = await import('../conformance/run/stopped-clock.ts');
  const runTag = createRandom(systemClock.now()).hex(8);
  await refuseStoppedClock(target, runTag);
  const hasWebhooks = files.some(({ scenario }) => scenario.steps.some(({ kind }) => kind === 'add-webhook'));
  if (!target.timekeeper.moved && !hasWebhooks) return target.dialect ?? {};
  const { acquaint } = await import('../conformance/run/acquaintance.ts');
  const { dialect, problems } = await acquaint(target, hasWebhooks ? WEBHOOK_QUESTIONS : [], runTag);
  for (const problem of problems) err(problem);
  return { ...target.dialect, ...dialect };
}

/** Child Accounts are deleted with all that is in them; nothing deletes a print job. */
function tellWhatStays(
  files: readonly ScenarioFile[],
  { name, isIntegrator, isDisposable }: Target,
  flags: RunFlags,
): void {
  if (isDisposable) return;
  const own = files.filter(
    ({ scenario: { account } }) => account === 'own' || (isIntegrator !== true && account !== 'child'),
  );
  if (own.length === 0) return;
  const whose = own.length === 1 ? 'of one scenario' : `of ${own.length} scenarios`;
  tellLeftBehind(name, `the print jobs ${whose}; webhooks and computers were deleted`, flags);
}

function keepIn(folder: string, name: string, bytes: Uint8Array): string {
  const file = path.join(folder, name);
  writeFileWhole(file, bytes);
  return file;
}

async function progressPrinter(venue: Venue, { json, quiet }: RunFlags): Promise<(played: PlayedScenario) => void> {
  if (json) return () => undefined;
  const { renderScenario } = await import('../report/terminal/run-terminal.ts');
  const { buildScenarioRecord, playedTargetOf } = await import('../scenario/play/run-scenarios.ts');
  const target = playedTargetOf(venue);
  return (played) => {
    if (!quiet || played.verdict !== 'pass') out(renderScenario(buildScenarioRecord(played), target));
  };
}

async function report(record: ScenarioRunRecord, folder: string, flags: RunFlags): Promise<void> {
  const { renderHeadline } = await import('../report/terminal/run-terminal.ts');
  await publishRun(record, folder, flags, () => ['', ...renderHeadline(record)]);
}
