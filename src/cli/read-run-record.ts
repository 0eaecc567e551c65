/**
 * A run record that is named on the command line.
 */

import { ActionableError } from '../common/actionable-error.ts';
import type { RunRecord } from '../report/run-record.ts';
import { readTextFile } from './read-text-file.ts';

/** @throws ActionableError when the file is none */
export function readRunRecord(file: string): RunRecord {
  return parseRunRecord(readTextFile(file), file);
}

/** @param file - where the text stands, for the message */
export function parseRunRecord(text: string, file: string): RunRecord {
  try {
    const record = JSON.parse(text) as RunRecord;
    if (record.tool === 'platen' && record.recordVersion === 1 && record.kind === 'check') return record;
  } catch {
    // Said below: it is none.
  }
  throw new ActionableError(
    'usage',
    `${file} is no record of a check`,
    'Name the run.json of a run of platen check.',
  );
}
