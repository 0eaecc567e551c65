/**
 * platen report, for load runs: shards of one plan become the run they were, with the ledgers that lie beside
 * their records; one record alone is shown.
 */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { ActionableError } from '../common/actionable-error.ts';
import type { LoadRecord } from '../load/load-record.ts';
import { exitCodeFrom, type ExitCode } from './exit-code.ts';
import { guarded } from './github-log.ts';
import type { PublishFlags } from './publish.ts';
import { readTextFile } from './read-text-file.ts';
import { err, out, outJson } from './terminal.ts';
import { writeFileWhole } from './whole-file.ts';

interface LoadFile {
  readonly file: string;
  readonly record: LoadRecord;
}

/** The load records of these files; undefined when they are of other kinds. @throws ActionableError on a mixture */
export function readLoadRecords(files: readonly string[]): readonly LoadFile[] | undefined {
  const loads = files.flatMap((file) => {
    const record = loadRecordIn(readTextFile(file));
    return record === undefined ? [] : [{ file, record }];
  });
  if (loads.length === 0) return undefined;
  if (loads.length === files.length) return loads;
  throw new ActionableError(
    'usage',
    'some of these are load runs, and some are not',
    'Report on load runs by themselves.',
  );
}

function loadRecordIn(text: string): LoadRecord | undefined {
  try {
    const record = JSON.parse(text) as Partial<LoadRecord>;
    const isLoad = record.tool === 'platen' && record.recordVersion === 1 && record.kind === 'load';
    return isLoad ? (record as LoadRecord) : undefined;
  } catch {
    return undefined;
  }
}

/** @throws ActionableError when they are not shards of one run */
export async function reportLoads(
  files: readonly LoadFile[],
  flags: PublishFlags & { readonly out?: string },
): Promise<ExitCode> {
  const { mergeLoadRecords } = await import('../load/merge.ts');
  const { exitCodeOfLoad } = await import('../load/judge-load.ts');
  const { renderLoad } = await import('../report/load-terminal.ts');
  const { usesColor } = await import('../report/terminal.ts');
  const record = mergeLoadRecords(files.map(withLedger));
  if (flags.out !== undefined) {
    const written = path.join(flags.out, 'run.json');
    writeFileWhole(written, `${JSON.stringify(record)}\n`);
    if (flags.reporter?.includes('junit')) await writeJunit(record, flags.out);
    if (!flags.quiet && !flags.json) err(`Report: ${written}`);
  }
  if (flags.json) outJson(record);
  else if (!flags.quiet) out(guarded(renderLoad(record, { color: usesColor(process.stdout) })));
  if (record.missingShards.length > 0) {
    err(`INCOMPLETE: missing of ${record.plan.shards} shards: ${record.missingShards.join(', ')}`);
  }
  return exitCodeFrom(exitCodeOfLoad(record));
}

async function writeJunit(record: LoadRecord, folder: string): Promise<void> {
  const { renderLoadJunit } = await import('../report/load-junit.ts');
  writeFileWhole(path.join(folder, 'junit.xml'), renderLoadJunit(record));
}

/** The ledger shows job ids that two shards were given; without it everything else adds up all the same. */
function withLedger({ file, record }: LoadFile): { record: LoadRecord; ledger?: Uint8Array } {
  const ledger = path.join(path.dirname(file), 'ledger.bin');
  return existsSync(ledger) ? { record, ledger: readFileSync(ledger) } : { record };
}
