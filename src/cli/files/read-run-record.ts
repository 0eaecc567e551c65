/**
 * The record of a check that is named on the command line.
 */

import { ActionableError } from '../../common/actionable-error.ts';
import type { CheckRunRecord } from '../../record/check-record.ts';
import { readRecordFile } from './record-file.ts';

/** @throws ActionableError when the file holds no record, or that of another kind of run */
export function readRunRecord(file: string): CheckRunRecord {
  const record = readRecordFile(file);
  if (record.kind === 'check') return record;
  throw new ActionableError(
    'usage',
    `${file} is no record of a check, but of platen ${record.kind}`,
    'Name the run.json of a run of platen check.',
  );
}
