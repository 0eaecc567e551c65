/**
 * Reports on disk: run.json, and for checks junit.xml, in a folder; each whole or not at all.
 */

import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ActionableError } from '../common/actionable-error.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import type { RunRecord } from './run-record.ts';
import type { ScenarioRunRecord } from './scenario-record.ts';

/**
 * Writes the reports and returns their paths. The folder is made when it is missing.
 *
 * @throws ActionableError of kind usage when the folder cannot be written to
 */
export async function writeReports(
  record: RunRecord | ScenarioRunRecord,
  folder: string,
): Promise<readonly string[]> {
  try {
    await mkdir(folder, { recursive: true });
    const paths: string[] = [];
    for (const [name, text] of Object.entries(reportsOf(record))) {
      paths.push(await writeWhole(join(folder, name), text));
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

function reportsOf(record: RunRecord | ScenarioRunRecord): Readonly<Record<string, string>> {
  const json = { 'run.json': renderJson(record) };
  return record.kind === 'check' ? { ...json, 'junit.xml': renderJunit(record) } : json;
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
