/**
 * platen report: finished runs in any form; shards of one run joined.
 */

import { existsSync } from 'node:fs';
import path from 'node:path';

import type { Command } from 'commander';

import { usageError } from '../common/actionable-error.ts';
import { readRegularFile } from '../common/regular-file.ts';
import type { LoadRecord } from '../record/load-record.ts';
import type { RunRecord } from '../record/run-record.ts';
import { missingInWords, worstExitCode } from '../report/read/shards.ts';
import type { ReporterName } from '../report/reporter-names.ts';
import { exitCodeFrom, type ExitCode } from './exit-code.ts';
import { filled, jsonOption } from './options/option-values.ts';
import { publishOnGithub, reporterOption, withGithub, type PublishFlags } from './files/publish.ts';
import { err, out, outJson } from './screen/terminal.ts';

interface ReportFlags extends PublishFlags {
  readonly out?: string;
}

const DEFAULT: readonly ReporterName[] = ['terminal'];

export function reportCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('report')
    .description('show finished runs side by side; join the shards of one run')
    .argument('<runs...>', 'folder or run.json of a run; with `merge` before them, the shards of one run')
    .addOption(reporterOption())
    .option('--out <folder>', 'folder for the reports (default: reports/<run>)', filled)
    .addOption(jsonOption())
    .option('-q, --quiet', 'print nothing but errors')
    .action(async (files: readonly string[], flags: ReportFlags) => {
      finish(await report(files, flags));
    });
}

async function report(named: readonly string[], flags: ReportFlags): Promise<ExitCode> {
  const records = await readAll(named);
  const reporters = withGithub(flags.reporter, DEFAULT) ?? DEFAULT;
  await write(records, reporters, flags);
  await show(records, reporters, flags);
  await publishOnGithub(records, flags);
  for (const record of records) warnOfMissing(record);
  return exitCodeFrom(worstExitCode(records.map(({ summary }) => summary.exitCode)));
}

/** Also with --quiet: part of a run must not pass for the whole. */
function warnOfMissing(record: RunRecord): void {
  if (record.kind === 'load' && record.missingShards.length > 0) {
    err(`INCOMPLETE: missing of ${record.plan.shards} shards: ${record.missingShards.join(', ')}`);
  }
  if (record.kind === 'check' && record.selection.shards) {
    err(`INCOMPLETE: shard ${missingInWords(record.selection)} is missing`);
  }
}

/** `platen report merge a b` says that they are one run; without the word their records say so. */
async function readAll(named: readonly string[]): Promise<readonly RunRecord[]> {
  const isOneRun = named[0] === MERGE && named.length > 1;
  const { readRecordFile, recordFileOf } = await import('./files/record-file.ts');
  const { combine } = await import('../report/read/combine.ts');
  const files = named.slice(isOneRun ? 1 : 0).map(recordFileOf);
  const read = await Promise.all(files.map(async (file) => ({ file, record: await readRecordFile(file) })));
  const combined = combine(read.filter(({ record }) => record.kind !== 'load'));
  const loads = read.flatMap(({ file, record }) => (record.kind === 'load' ? [{ file, record }] : []));
  if (combined.ok) return [...combined.value, ...(await joinLoads(loads, isOneRun))];
  throw usageError(
    combined.error,
    'Give the shards of one run, which have the same seed, or report on these runs one by one.',
  );
}

const MERGE = 'merge';

async function write(
  records: readonly RunRecord[],
  reporters: readonly ReporterName[],
  flags: ReportFlags,
): Promise<void> {
  const { reportFiles } = await import('../report/reporters.ts');
  const { writeFiles } = await import('../report/write-reports.ts');
  const folder = flags.out ?? path.join('reports', records[0]?.runId ?? '');
  // The joined record of a load is kept if a folder is named.
  const isKept = flags.out !== undefined && records.some(({ kind }) => kind === 'load');
  const names = new Set<ReporterName>([...(isKept ? ['json' as const] : []), ...reporters]);
  const written = await writeFiles(await reportFiles(records, [...names]), folder);
  if (written.length > 0 && !flags.quiet && !flags.json) err(`Reports: ${written.join(', ')}`);
}

async function show(
  records: readonly RunRecord[],
  reporters: readonly ReporterName[],
  { json, quiet }: ReportFlags,
): Promise<void> {
  if (json) outJson(records.length === 1 ? records[0] : records);
  else if (reporters.includes('terminal') && !quiet) {
    const { renderRun } = await import('../report/terminal/run-terminal.ts');
    for (const record of records) out(renderRun(record));
  }
}

interface LoadFile {
  readonly file: string;
  readonly record: LoadRecord;
}

/**
 * Load runs that are named on the command line: joins the shards of one plan, with the ledgers beside their records;
 * leaves complete runs as they are.
 *
 * @param isOneRun - the command line says so, whatever the records say
 * @throws ActionableError when they are not shards of one run
 */
async function joinLoads(files: readonly LoadFile[], isOneRun: boolean): Promise<readonly LoadRecord[]> {
  if (files.length < 2) return files.map(({ record }) => record);
  if (!isOneRun && files.every(({ record }) => record.missingShards.length === 0)) {
    return files.map(({ record }) => record);
  }
  const { mergeLoadRecords } = await import('../load/merge.ts');
  const parts = files.map(withLedger);
  try {
    return [mergeLoadRecords(parts)];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(
      `cannot join what is in these records, or in a ${LEDGER} beside them: ${error.message}`,
      'Name the records as platen wrote them.',
    );
  }
}

const LEDGER = 'ledger.bin';
/** Some twenty million jobs. */
const MOST_LEDGER_BYTES = 1024 ** 3;

/** The ledger shows job ids that two shards were given; all else can be joined without it. */
function withLedger({ file, record }: LoadFile): { record: LoadRecord; ledger?: Uint8Array } {
  const ledger = path.join(path.dirname(file), LEDGER);
  if (!existsSync(ledger)) return { record };
  const read = readRegularFile(ledger, { most: MOST_LEDGER_BYTES });
  if (!read.ok) throw usageError(`cannot read ${ledger}: ${read.error}`, 'Remove it to join the records alone.');
  return { record, ledger: read.value };
}
