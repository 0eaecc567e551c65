/**
 * Load runs that are named on the command line: joins the shards of one plan, with the ledgers beside their records;
 * leaves complete runs as they are.
 */

import { existsSync, readFileSync } from 'node:fs';

import type { LoadRecord } from '../../record/load-record.ts';
import path from 'node:path';

interface LoadFile {
  readonly file: string;
  readonly record: LoadRecord;
}

/**
 * @param isOneRun - the command line says so, whatever the records say
 * @throws ActionableError when they are not shards of one run
 */
export async function joinLoads(files: readonly LoadFile[], isOneRun: boolean): Promise<readonly LoadRecord[]> {
  if (files.length < 2) return files.map(({ record }) => record);
  if (!isOneRun && files.every(({ record }) => record.missingShards.length === 0)) {
    return files.map(({ record }) => record);
  }
  const { mergeLoadRecords } = await import('../../load/merge.ts');
  return [mergeLoadRecords(files.map(withLedger))];
}

/** The ledger shows job ids that two shards were given; all else can be joined without it. */
function withLedger({ file, record }: LoadFile): { record: LoadRecord; ledger?: Uint8Array } {
  const ledger = path.join(path.dirname(file), 'ledger.bin');
  return existsSync(ledger) ? { record, ledger: readFileSync(ledger) } : { record };
}
