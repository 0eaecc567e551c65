/**
 * platen replay: repeats the failures of a run with its seed, or one sequence of moves, to see whether they still
 * happen.
 */

import path from 'node:path';

import type { Command } from 'commander';
import { z } from 'zod';

import { ActionableError } from '../common/actionable-error.ts';
import { ensureWritable } from '../common/folder.ts';
import { readTextFile } from '../common/unreadable-file.ts';
import type { ConformanceOptions } from '../conformance/run/run-conformance.ts';
import type { CheckRecord, CheckRunRecord } from '../record/check-record.ts';
import type { SequenceFile } from '../report/check/evidence.ts';
import { EXIT, exitCodeFrom, type ExitCode } from './exit-code.ts';
import { readRunRecord } from './files/record-file.ts';
import { interruption } from './interruption.ts';
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
}

/** What to repeat. */
interface Repetition extends FailedPlace {
  readonly seed: number;
  readonly ids: readonly string[];
  /** Whether a check was not in order in the run. */
  readonly hadFailed: (id: string) => boolean;
  readonly sequences?: ConformanceOptions['sequences'];
}

export function replayCommand(program: Command, finish: (code: ExitCode) => void): void {
  const command = program
    .command('replay')
    .description('repeat the failures of a stored run with its seed: FIXED, FAILED or FLAKY')
    .argument('<file>', 'run.json of a run of platen check, or the sequence.json of one of its failures')
    .argument('[check]', 'id of one check of the run (default: all that failed)')
    .option('--url <url>', 'address of the service (default: the address or image of the run)')
    .option('--out <folder>', 'where the reports go (default: reports/<run>)');
  addTargetOptions(command).action(async (file: string, id: string | undefined, flags: ReplayFlags) => {
    const code = await replay(readRepetition(file, id), flags);
    // Checks that were cut short may hold connections, which would keep the process alive.
    if (code === EXIT.interrupted) process.exit(code);
    finish(code);
  });
}

async function replay({ ids, seed, hadFailed, ...repetition }: Repetition, flags: ReplayFlags): Promise<ExitCode> {
  if (ids.length === 0) {
    out('nothing failed in this run');
    return EXIT.good;
  }
  ensureWritable(flags.out ?? 'reports');
  const { runConformance } = await import('../conformance/run/run-conformance.ts');
  const { buildRunRecord } = await import('../conformance/record/build-record.ts');
  const { renderExchangeLog } = await import('../conformance/record/exchange-log.ts');
  const { writeBeside, writeReports } = await import('../report/write-reports.ts');
  const interrupted = interruption();
  const { url, image } = placeOf(flags, repetition);
  // A descriptor names its link itself.
  const link = flags.link ?? (flags.target === undefined ? repetition.link : undefined);
  const target = await openTarget(url, { ...flags, image, link, seed }, interrupted);
  try {
    const { sequences } = repetition;
    const result = await runConformance({ target, seed, ids, sequences, signal: interrupted });
    const record = buildRunRecord(result);
    out(table(record.checks.map((check) => [wordFor(check, hadFailed(check.id)), check.id, check.message])));
    const folder = flags.out ?? path.join('reports', record.runId);
    await writeBeside(record, renderExchangeLog(result), folder);
    const files = await writeReports(record, folder);
    err(`seed ${seed}, ${target.name}\nReports: ${files.join(', ')}`);
    return interrupted.aborted ? EXIT.interrupted : exitCodeFrom(result.exitCode);
  } finally {
    await target.close();
  }
}

/** The place that the command line names, or else where it failed. */
function placeOf(flags: ReplayFlags, failed: FailedPlace): FailedPlace {
  const isNamed = (flags.url ?? flags.target ?? flags.image) !== undefined;
  return isNamed ? flags : failed;
}

function readRepetition(file: string, id: string | undefined): Repetition {
  const text = readTextFile(file, 'Name an existing file.');
  const sequence = parseSequence(text);
  if (sequence) {
    const { check, seed, url, image, link, steps } = sequence;
    return { seed, url, image, link, ids: [check], hadFailed: () => true, sequences: { [check]: steps } };
  }
  const record = readRunRecord(file);
  const { kind, baseUrl, name, link } = record.target;
  const failed = failedIn(record);
  return {
    seed: record.seed,
    url: kind === 'remote' ? baseUrl : undefined,
    image: kind === 'container' ? name : undefined,
    link,
    ids: id === undefined ? failed : [knownId(record, id)],
    hadFailed: (one) => failed.includes(one),
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

function failedIn({ checks }: CheckRunRecord): readonly string[] {
  return checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'flaky').map(({ id }) => id);
}

function knownId({ checks }: CheckRunRecord, id: string): string {
  if (checks.some((check) => check.id === id)) return id;
  throw new ActionableError('usage', `the run has no check ${id}`, 'See run.json for its checks.');
}

function wordFor({ verdict }: CheckRecord, hadFailed: boolean): string {
  if (verdict === 'fail') return 'FAILED';
  if (verdict === 'flaky') return 'FLAKY';
  if (!['pass', 'observed', 'warn'].includes(verdict)) return 'NOT JUDGED';
  return hadFailed ? 'FIXED' : 'PASSED';
}
