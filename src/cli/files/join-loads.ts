/**
 * Load runs that are named on the command line: shards of one plan become the run they were, with the ledgers that
 * lie beside their records; runs that are whole stand side by side.
 */

import { existsSync, readFileSync } from 'node:fs';

import type { LoadRecord } from '../../record/load-record.ts';
import path from 'node:path';

interface LoadFile {
  readonly file: string;
  readonly record: LoadRecord;
}

/**
 * @param isOneRun - somebody said that they are, whatever they look like
 * @throws ActionableError when they are not shards of one run
 */
export async function joinLoads(
  files: readonly LoadFile[],
  isOneRun: boolean,
): Promise<readonly LoadRecord[]> {
  if (files.length < 2) return files.map(({ record }) => record);
  if (!isOneRun && files.every(({ record }) => record.missingShards.length === 0)) {
    return files.map(({ record }) => record);
  }
  const { mergeLoadRecords } = await import('../../load/merge.ts');
  return [mergeLoadRecords(files.map(withLedger))];
}

/** The ledger shows job ids that two shards were given; without it everything else adds up all the same. */
function withLedger({ file, record }: LoadFile): { record: LoadRecord; ledger?: Uint8Array } {
  const ledger = path.join(path.dirname(file), 'ledger.bin');
  return existsSync(ledger) ? { record, ledger: readFileSync(ledger) } : { record };
}
