/**
 * platen replay: repeats the failures of a run with its seed, or one sequence of moves, to see whether they still
 * happen.
 */

import { existsSync } from 'node:fs';
import path from 'node:path';

import type { Command } from 'commander';
import { z } from 'zod';

import { usageError } from '../common/actionable-error.ts';
import { ensureWritable } from '../common/folder.ts';
import { readTextFile } from '../common/given-file.ts';
import type { ConformanceOptions } from '../conformance/run/run-conformance.ts';
import {
  brokenClauses,
  foreignRequests,
  replayExitCode,
  replayMessage,
  replayWord,
  requestKind,
} from '../conformance/verdict/replayed.ts';
import { givenRecord, type CheckRecord, type CheckRunRecord, type GivenRecord } from '../record/check-record.ts';
import type { SequenceFile } from '../report/check/evidence.ts';
import { hasFailed } from '../report/view/check-view.ts';
import type { Target } from '../target/target.ts';
import { EXIT, exitCodeFrom, type ExitCode } from './exit-code.ts';
import { readRunRecord, recordFileOf } from './files/record-file.ts';
import { endNow, interruption } from './interruption.ts';
import { addTargetOptions, openTarget, type TargetFlags } from './options/open-target.ts';
import { err, out, table } from './screen/terminal.ts';

interface ReplayFlags extends TargetFlags {
  readonly url?: string;
  readonly out?: string;
}

/** Where something failed; no field is set for the reference service. */
interface FailedPlace {
  readonly url?: string | undefined;
  readonly image?: string | undefined;
  readonly link?: string | undefined;
  readonly given?: GivenRecord | undefined;
}

interface Repetition extends FailedPlace {
  readonly seed: number;
  readonly strict?: true | undefined;
  readonly failures: readonly Failure[];
  readonly sequences?: ConformanceOptions['sequences'];
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
    .argument('<file>', 'folder or run.json of a run of platen check, or the sequence.json of one of its failures')
    .argument('[check]', 'id of one check of the run (default: all that failed)')
    .option('--url <url>', 'address of the service (default: the address or image of the run)')
    .option('--out <folder>', 'folder for the reports (default: reports/<run>)');
  addTargetOptions(command).action(async (file: string, id: string | undefined, flags: ReplayFlags) => {
    const code = await replay(await readRepetition(file, id), flags);
    // Checks that were cut short may hold connections, which would keep the process alive.
    if (code === EXIT.interrupted) endNow(code);
    finish(code);
  });
}

async function replay({ failures, ...repetition }: Repetition, flags: ReplayFlags): Promise<ExitCode> {
  if (failures.length === 0) {
    out('nothing failed in this run');
    return EXIT.good;
  }
  ensureWritable(flags.out ?? 'reports');
  const { runConformance } = await import('../conformance/run/run-conformance.ts');
  const { buildRunRecord } = await import('../conformance/record/build-record.ts');
  const { renderExchangeLog } = await import('../conformance/record/exchange-log.ts');
  const { writeBeside, writeReports } = await import('../report/write-reports.ts');
  const interrupted = interruption();
  const { seed, sequences, strict } = repetition;
  const target = await openAgain(repetition, flags, interrupted);
  try {
    const senders = failures.flatMap(({ foreign }) => foreign.flatMap(({ sender }) => sender ?? []));
    const ids = [...new Set([...failures.map(({ id }) => id), ...senders])];
    const result = await runConformance({ target, seed, ids, sequences, strict, signal: interrupted });
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
    err(`seed ${seed}, ${target.name}\nReports: ${files.join(', ')}`);
    return interrupted.aborted ? EXIT.interrupted : exitCodeFrom(replayExitCode(told.map(({ word }) => word)));
  } finally {
    await target.close();
  }
}

/** The target of the run, opened as it was then; what the command line says wins. */
function openAgain(failed: FailedPlace & { seed: number }, flags: ReplayFlags, signal: AbortSignal): Promise<Target> {
  const isNamed = (flags.url ?? flags.target ?? flags.image) !== undefined;
  const { given, seed } = failed;
  const { url, image } = isNamed ? flags : failed;
  const target = flags.target ?? (isNamed ? undefined : descriptorOf(given));
  // A descriptor names its keys, its link and its receiver itself.
  if (target !== undefined) {
    if (!isNamed) refuseMissingKeys(given, flags);
    // An address that the run had on the command line is in the record; the descriptor may name another one.
    return openTarget(url, { ...(isNamed ? {} : given), ...flags, target, image, link: flags.link, seed }, signal);
  }
  if (url !== undefined || image !== undefined) refuseMissingKeys(given, flags);
  return openTarget(
    url,
    {
      ...(!isNamed && given?.allowWrites && { allowWrites: true }),
      ...(!isNamed && given?.imagePort !== undefined && { imagePort: given.imagePort }),
      ...(given?.callbackHost !== undefined && { callbackHost: given.callbackHost }),
      ...flags,
      image,
      link: flags.link ?? failed.link,
      seed,
    },
    signal,
  );
}

function descriptorOf(given: GivenRecord | undefined): string | undefined {
  const file = given?.descriptor;
  if (file === undefined || existsSync(file)) return file;
  throw usageError(`the run used the descriptor ${file}, which is not here`, 'Name it: --target FILE.');
}

const KEY_FLAGS = {
  second: ['secondKey', '--second-key', 'PLATEN_SECOND_API_KEY'],
  integrator: ['integratorKey', '--integrator-key', 'PLATEN_INTEGRATOR_API_KEY'],
} as const;

/** A record holds no keys: those that the run had must be given again, or its checks would be untestable. */
function refuseMissingKeys(given: GivenRecord | undefined, flags: ReplayFlags): void {
  for (const name of given?.keys ?? []) {
    const [flag, option, variable] = KEY_FLAGS[name];
    const isGiven = given?.descriptor === undefined ? flags[flag] !== undefined : flags.keysGiven?.[name] !== undefined;
    if (isGiven) continue;
    const place = given?.descriptor === undefined ? `, there or in ${variable}` : '';
    throw usageError(`the run had a key given with ${option}`, `Give it again${place}.`);
  }
}

async function readRepetition(named: string, id: string | undefined): Promise<Repetition> {
  const file = recordFileOf(named);
  const text = await readTextFile(file, 'Name an existing file.');
  const sequence = parseSequence(text);
  if (sequence) {
    const { check, seed, url, image, link, given, steps, clauses = [] } = sequence;
    const failures = [{ id: check, hadFailed: true, broken: clauses, foreign: [] }];
    return { seed, url, image, link, given, failures, sequences: { [check]: steps } };
  }
  const record = await readRunRecord(file);
  const { kind, baseUrl, name, link, given } = record.target;
  return {
    seed: record.seed,
    strict: record.strict,
    url: kind === 'remote' ? baseUrl : undefined,
    image: kind === 'container' ? name : undefined,
    link,
    given,
    failures: id === undefined ? record.checks.filter(hasFailed).map(failureOf) : [failureOf(knownCheck(record, id))],
  };
}

const sequenceSchema = z.object({
  tool: z.literal('platen'),
  kind: z.literal('sequence'),
  check: z.string(),
  seed: z.number(),
  url: z.string().optional(),
  image: z.string().optional(),
  link: z.string().optional(),
  given: givenRecord.optional(),
  clauses: z.array(z.string()).exactOptional(),
  steps: z.array(
    z.object({
      move: z.string(),
      with: z.record(z.string(), z.union([z.number(), z.array(z.number())])),
    }),
  ),
});

type ReadSequence = Omit<SequenceFile, keyof FailedPlace> & FailedPlace;

/** The sequence in a file; undefined if it holds something else. */
function parseSequence(text: string): ReadSequence | undefined {
  try {
    return sequenceSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
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
