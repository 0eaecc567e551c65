/**
 * platen replay: repeats the failures of a run with its seed, to see whether they still happen.
 */

import path from 'node:path';

import type { Command } from 'commander';

import { usageError } from '../common/actionable-error.ts';
import { ensureWritable } from '../common/folder.ts';
import { requestKind } from '../common/request-name.ts';
import { shellArgument } from '../common/shell-word.ts';
import {
  brokenClauses,
  foreignRequests,
  replayExitCode,
  replayMessage,
  replayWord,
} from '../conformance/verdict/replayed.ts';
import type { CheckRecord, CheckRunRecord } from '../record/check-record.ts';
import { placeOfRun, type StoredPlace } from '../record/flags-again.ts';
import { hasFailed } from '../report/view/check-view.ts';
import { table } from '../report/terminal/table.ts';
import { EXIT, exitCodeFrom, type ExitCode } from './exit-code.ts';
import { readRunRecord, recordFileOf } from './files/record-file.ts';
import { endNow, interruption } from './interruption.ts';
import { addTargetOptions, openTarget } from './options/open-target.ts';
import { filled } from './options/option-values.ts';
import { takeStoredPlace, type PlaceFlags } from './options/stored-place.ts';
import { err, out } from './screen/terminal.ts';

interface ReplayFlags extends PlaceFlags {
  readonly out?: string;
}

interface Repetition {
  readonly place: StoredPlace;
  readonly seed: number;
  readonly strict?: true | undefined;
  readonly failures: readonly Failure[];
}

/** A check that is repeated, and what was wrong with it in the run. */
interface Failure {
  readonly id: string;
  readonly hadFailed: boolean;
  readonly broken: readonly string[];
  readonly foreign: ReturnType<typeof foreignRequests>;
  /** What it followed from in the run, in words. */
  readonly cause?: string | undefined;
}

export function replayCommand(program: Command, finish: (code: ExitCode) => void): void {
  const command = program
    .command('replay')
    .description('run the failed checks of a stored run again; each is then FIXED, FAILED, FLAKY or NOT JUDGED AGAIN')
    .argument('<file>', 'folder or run.json of a run of platen check')
    .argument('[check]', 'id of one check of the run (default: all that failed)')
    .option('--url <url>', 'address of the service (default: that of the run, where it was on this machine)')
    .option('--out <folder>', 'folder for the reports (default: reports/<run>)', filled);
  addTargetOptions(command).action(async (file: string, id: string | undefined, flags: ReplayFlags) => {
    const code = await replay(await readRepetition(file, id), flags, callOf(file, id, flags));
    // Checks that were cut short may hold connections, which would keep the process alive.
    if (code === EXIT.interrupted) endNow(code);
    finish(code);
  });
}

/** The command line without the flags that say where, ready to paste. */
function callOf(file: string, id: string | undefined, { out: folder }: ReplayFlags): string {
  const words = [file, ...(id === undefined ? [] : [id]), ...(folder === undefined ? [] : ['--out', folder])];
  return ['platen replay', ...words.map(shellArgument)].join(' ');
}

async function replay(repetition: Repetition, flags: ReplayFlags, call: string): Promise<ExitCode> {
  const { failures, place, seed, strict } = repetition;
  if (failures.length === 0) {
    out('nothing failed in this run');
    return EXIT.good;
  }
  const { url, ...taken } = await takeStoredPlace(place, flags, call);
  ensureWritable(flags.out ?? 'reports');
  const { runConformance } = await import('../conformance/run/run-conformance.ts');
  const { buildRunRecord } = await import('../conformance/record/build-record.ts');
  const { renderExchangeLog } = await import('../conformance/record/exchange-log.ts');
  const { writeBeside, writeReports } = await import('../report/write-reports.ts');
  const interrupted = interruption();
  const target = await openTarget(url, { ...flags, ...taken, seed }, interrupted);
  try {
    const senders = failures.flatMap(({ foreign }) => foreign.flatMap(({ sender }) => sender ?? []));
    const ids = [...new Set([...failures.map(({ id }) => id), ...senders])];
    const result = await runConformance({ target, seed, ids, strict, signal: interrupted });
    const record = buildRunRecord(result);
    const kinds = new Set(result.exchanges.map(({ request }) => requestKind(request)));
    const told = failures.flatMap((failure) => {
      const check = record.checks.find(({ id }) => id === failure.id);
      if (!check) return [];
      const word = replayWord(failure, check, kinds);
      const message = replayMessage(word, failure.broken, check);
      return [{ word, line: [word, check.id, failure.cause === undefined ? message : `${message}; ${failure.cause}`] }];
    });
    out(table(told.map(({ line }) => line)));
    const folder = flags.out ?? path.join('reports', record.runId);
    await writeBeside(record, renderExchangeLog(result), folder);
    const files = await writeReports(record, folder);
    err([`seed ${seed}, ${target.name}`, `Reports: ${files.join(', ')}`]);
    return interrupted.aborted ? EXIT.interrupted : exitCodeFrom(replayExitCode(told.map(({ word }) => word)));
  } finally {
    await target.close();
  }
}

async function readRepetition(named: string, id: string | undefined): Promise<Repetition> {
  const record = await readRunRecord(recordFileOf(named));
  return {
    place: placeOfRun(record.target),
    seed: record.seed,
    strict: record.strict,
    failures: id === undefined ? record.checks.filter(hasFailed).map(failureOf) : [failureOf(knownCheck(record, id))],
  };
}

function failureOf(check: CheckRecord): Failure {
  const broken = brokenClauses(check);
  const { id, followsFrom } = check;
  return {
    id,
    hadFailed: hasFailed(check) || broken.length > 0,
    broken,
    foreign: foreignRequests(check),
    cause: followsFrom === undefined ? undefined : `in the run it followed from ${followsFrom}`,
  };
}

function knownCheck({ checks }: CheckRunRecord, id: string): CheckRecord {
  const check = checks.find((one) => one.id === id);
  if (check) return check;
  throw usageError(`the run has no check ${id}`, 'See run.json for its checks.');
}
