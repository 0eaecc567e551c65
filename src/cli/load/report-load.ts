/**
 * Reports of a load: files, the terminal, and the comparison with an earlier run.
 */

import path from 'node:path';

import { usageError } from '../../common/actionable-error.ts';
import { messageOf } from '../../common/error-message.ts';
import type { LoadResult } from '../../load/run-load.ts';
import type { LoadRecord } from '../../record/load-record.ts';
import { exitCodeFrom, type ExitCode } from '../exit-code.ts';
import { publishOnGithub, withGithub, type PublishFlags } from '../files/publish.ts';
import { writeFileWhole } from '../files/whole-file.ts';
import { err, out, outJson } from '../screen/terminal.ts';

export interface OutputFlags extends PublishFlags {
  /** Folder of the reports. */
  readonly out?: string;
  /** The run.json of an earlier run. */
  readonly baseline?: string;
  /** What it holds, read before the run: a wrong name must not cost one. */
  readonly baselineRecord?: LoadRecord | undefined;
}

/** As publishRun does: what came out is shown before it is written. */
export async function reportLoad(result: LoadResult, runId: string, flags: OutputFlags): Promise<ExitCode> {
  const { record } = result;
  const { compareLoad } = await import('../../load/verdict/compare.ts');
  const comparison = flags.baselineRecord && compareLoad(flags.baselineRecord, record);
  const isShown = !flags.json && (!flags.quiet || record.verdict !== 'pass');
  if (flags.json) outJson(comparison ? { ...record, comparison } : record);
  else {
    const { renderComparison } = await import('../../report/terminal/load-terminal.ts');
    const { renderRun } = await import('../../report/terminal/run-terminal.ts');
    if (isShown) out(renderRun(record));
    if (comparison) out(renderComparison(comparison));
  }
  const files = await keepResult(result, runId, flags);
  if (isShown) err(`Reports: ${files.join(', ')}`);
  await publishOnGithub([record], flags);
  return exitCodeFrom(record.summary.exitCode);
}

/** Writes the reports, and the ledger beside them, which merging the shards of several machines needs. */
export async function keepResult(
  { record, parts }: LoadResult,
  runId: string,
  flags: OutputFlags,
): Promise<readonly string[]> {
  const { Ledger } = await import('../../oracle/ledger.ts');
  const { writeReports } = await import('../../report/write-reports.ts');
  const folder = flags.out ?? path.join('reports', runId);
  const reports = await writeReports(record, folder, withGithub(flags.reporter));
  const ledgerFile = path.join(folder, 'ledger.bin');
  writeFileWhole(ledgerFile, Ledger.fromBytes(parts.map(({ ledger }) => ledger)).toBytes());
  return [...reports, ledgerFile];
}

const NAME_RUN = 'Name the run.json of a run with traffic.';

/** The record of an earlier load. @throws ActionableError when the file is not one */
export async function readBaseline(file: string): Promise<LoadRecord> {
  const { readRecordFile } = await import('../files/record-file.ts');
  const baseline = await readRecordFile(file);
  if (baseline.kind !== 'load') throw usageError(`${file} is not a record of a load`, NAME_RUN);
  const { compareLoad } = await import('../../load/verdict/compare.ts');
  try {
    // What no run can be compared with is found before one is played.
    compareLoad(baseline, baseline);
  } catch (error) {
    throw usageError(`${file} cannot be compared with: ${messageOf(error)}`, NAME_RUN, { cause: error });
  }
  return baseline;
}
