/**
 * Reports on disk: run.json and junit.xml in a folder, each whole or not at all.
 */

import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ActionableError } from '../common/actionable-error.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import type { RunRecord } from './run-record.ts';

const REPORTS: Readonly<Record<string, (record: RunRecord) => string>> = {
  'run.json': renderJson,
  'junit.xml': renderJunit,
};

/**
 * Writes the reports and returns their paths. The folder is made when it is missing.
 *
 * @throws ActionableError of kind usage when the folder cannot be written to
 */
export async function writeReports(record: RunRecord, folder: string): Promise<readonly string[]> {
  try {
    await mkdir(folder, { recursive: true });
    const paths: string[] = [];
    for (const [name, render] of Object.entries(REPORTS)) {
      paths.push(await writeWhole(join(folder, name), render(record)));
    }
    return paths;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ActionableError(
      'usage',
      `the reports cannot be written to ${folder}: ${reason}`,
      'Name a folder you may write to with --out DIR.',
      { cause: error },
    );
  }
}

async function writeWhole(path: string, text: string): Promise<string> {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(draft, text);
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  return path;
}
