/**
 * A run.json that is named on the command line: it may come from anywhere, and may be anything.
 */

import path from 'node:path';

import { usageError } from '../../common/actionable-error.ts';
import { readTextFile } from '../../common/given-file.ts';
import { foundAt } from '../../common/named-place.ts';
import { formatProblem } from '../../common/problem.ts';
import type { CheckRunRecord } from '../../record/check-record.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { readRecord } from '../../report/read/read-record.ts';
import { leaveSignalsToSystem } from '../interruption.ts';

/** The run.json of the folder of a run; a file as it is named. */
export function recordFileOf(named: string): string {
  return foundAt(named)?.isDirectory() ? path.join(named, 'run.json') : named;
}

/** @throws ActionableError naming every problem at its line and column */
export async function readRecordFile(file: string): Promise<RunRecord> {
  const text = await readTextFile(file, 'Name the run.json that a command of platen wrote, or its folder.');
  // A large one takes a while to judge and to draw.
  leaveSignalsToSystem();
  const read = readRecord(text);
  if (read.ok) return read.value;
  throw usageError(
    read.error.map((problem) => formatProblem(file, problem)),
    'Name the run.json that a command of platen wrote, or its folder; docs/reports.md describes it.',
  );
}

/** @throws ActionableError when the file holds no record, or that of another kind of run */
export async function readRunRecord(file: string): Promise<CheckRunRecord> {
  const record = await readRecordFile(file);
  if (record.kind === 'check') return record;
  throw usageError(
    `${file} is not a record of platen check, but of platen ${record.kind}`,
    'Name the run.json of a run of platen check.',
  );
}
