/**
 * A run.json that is named on the command line: it may come from anywhere, and may be anything.
 */

import { closeSync, openSync, readSync } from 'node:fs';

import { ActionableError, usageError } from '../../common/actionable-error.ts';
import { formatProblem } from '../../common/problem.ts';
import { unreadableFile } from '../../common/unreadable-file.ts';
import type { CheckRunRecord } from '../../record/check-record.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { readRecord } from '../../report/read/read-record.ts';
import { printable } from '../../report/terminal/printable.ts';

/** Ten times a run of a thousand failed checks with all their evidence. */
const MOST_BYTES = 128 * 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;

/** @throws ActionableError naming every problem at its line and column */
export function readRecordFile(file: string): RunRecord {
  const read = readRecord(textOf(file));
  if (read.ok) return read.value;
  throw usageError(
    read.error.map((problem) => printable(formatProblem(file, problem))).join('\n'),
    'Name the run.json that platen check or platen run wrote; docs/reports.md describes it.',
  );
}

/** @throws ActionableError when the file holds no record, or that of another kind of run */
export function readRunRecord(file: string): CheckRunRecord {
  const record = readRecordFile(file);
  if (record.kind === 'check') return record;
  throw usageError(
    `${file} is not a record of platen check, but of platen ${record.kind}`,
    'Name the run.json of a run of platen check.',
  );
}

function textOf(file: string): string {
  try {
    return boundedText(file);
  } catch (error) {
    if (error instanceof ActionableError) throw error;
    throw unreadableFile(file, error, 'Name an existing file.');
  }
}

/** Some files have no end, and no size that tells. */
function boundedText(file: string): string {
  const handle = openSync(file, 'r');
  try {
    const pieces: Buffer[] = [];
    let length = 0;
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const count = readSync(handle, piece);
      if (count === 0) return Buffer.concat(pieces).toString('utf8');
      pieces.push(piece.subarray(0, count));
      length += count;
      if (length > MOST_BYTES) {
        throw usageError(
          `${file} is longer than ${MOST_BYTES} bytes`,
          'No run is that long: name the run.json that platen check or platen run wrote.',
        );
      }
    }
  } finally {
    closeSync(handle);
  }
}
