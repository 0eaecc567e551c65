/**
 * Run report: a record as a document to read or to hand on. The command line makes it, as it does elsewhere: a report
 * of a thousand failures takes its time, and nothing else waits for it.
 */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { PROGRAM } from './run-command.ts';

export type ReportForm = 'html' | 'pdf';

/** @param record - the text of a run record */
export async function reportOf(record: string, form: ReportForm): Promise<Uint8Array> {
  const folder = await mkdtemp(path.join(tmpdir(), 'platen-report-'));
  try {
    const file = path.join(folder, 'run.json');
    await writeFile(file, record);
    const making = promisify(execFile)(process.execPath, [PROGRAM, 'report', file, '-r', form, '--out', folder]);
    // Its exit code is that of the run.
    const { stderr } = await making.catch((error: unknown) => error as { readonly stderr: string });
    return await readFile(path.join(folder, `report.${form}`)).catch(() => {
      throw new Error(`no report could be made of this run: ${stderr}`);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
