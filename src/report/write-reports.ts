/**
 * Reports on disk: run.json and what else is wanted of a run, each file whole or not at all. Beside them what failures
 * of checks give cause for: a folder for each, and a template for the list of known ones.
 */

import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { makeFolder, unwritableFolder } from '../common/folder.ts';
import type { CheckRunRecord } from '../record/check-record.ts';
import type { RunRecord } from '../record/run-record.ts';
import { EXCHANGE_LOG } from '../record/words.ts';
import { renderEvidence } from './check/evidence.ts';
import { renderGapAtlas } from './view/gap-atlas.ts';
import { DEFAULT_REPORTERS, type ReporterName } from './reporter-names.ts';
import { reportFiles } from './reporters.ts';

/**
 * Writes what a run leaves and returns the paths of the reports. run.json is always among them: all others can be made
 * of it.
 *
 * @throws ActionableError of kind usage when the folder cannot be written to
 */
export async function writeReports(
  record: RunRecord,
  folder: string,
  reporters: readonly ReporterName[] = DEFAULT_REPORTERS,
): Promise<readonly string[]> {
  const files = new Map(await reportFiles([record], [...new Set<ReporterName>(['json', ...reporters])]));
  const template = record.kind === 'check' ? renderKnownTemplate(record) : undefined;
  if (template !== undefined) files.set('known-template.yaml', template);
  const paths = await writeFiles(files, folder);
  if (record.kind === 'check') await writeFiles(new Map(Object.entries(renderEvidence(record))), folder);
  return paths;
}

/**
 * Writes files below a folder, which is made when it is missing, and returns their paths.
 *
 * @throws ActionableError of kind usage when the folder cannot be written to
 */
export async function writeFiles(
  files: ReadonlyMap<string, string | Uint8Array>,
  folder: string,
): Promise<readonly string[]> {
  try {
    const paths: string[] = [];
    for (const [name, content] of files) {
      const path = join(folder, name);
      makeFolder(dirname(path));
      await writeWhole(path, content);
      paths.push(path);
    }
    return paths;
  } catch (error) {
    throw unwritableFolder(folder, error);
  }
}

/** Writes what stands beside the reports of a run of checks: all its exchanges, and its gap atlas. */
export async function writeBeside(record: CheckRunRecord, exchangeLog: Uint8Array, folder: string): Promise<void> {
  const files = { [EXCHANGE_LOG]: exchangeLog, 'gap-atlas.md': renderGapAtlas([record]) };
  await writeFiles(new Map(Object.entries(files)), folder);
}

async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(draft, content);
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * An entry for each failure that is not known, to be filled in: until it is, `--known` refuses it. Undefined without
 * such a failure.
 */
function renderKnownTemplate({ checks }: CheckRunRecord): string | undefined {
  const entries = checks.flatMap(({ id, signature, known }) =>
    signature === undefined || known
      ? []
      : [
          `  - check: ${id}`,
          `    signature: ${JSON.stringify(signature)}`,
          '    reason: CHANGE ME',
          '    owner: CHANGE ME',
          '    expires: CHANGE ME',
        ],
  );
  return entries.length === 0 ? undefined : `${['known:', ...entries].join('\n')}\n`;
}
