/**
 * Reports on disk: run.json, for checks junit.xml and what else a run gives cause for, each whole or not at all.
 */

import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { ActionableError } from '../common/actionable-error.ts';
import type { ConformanceResult } from '../conformance/run-conformance.ts';
import { renderEvidence } from './evidence.ts';
import { EXCHANGE_LOG, renderExchangeLog } from './exchange-log.ts';
import { renderGapAtlas } from './gap-atlas.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderKnownTemplate } from './known-template.ts';
import type { RunRecord } from './run-record.ts';
import type { ScenarioRunRecord } from './scenario-record.ts';

/**
 * Writes the reports and returns their paths; beside them a folder for each failure. The folder is made when it is missing.
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
    const evidence = record.kind === 'check' ? renderEvidence(record) : {};
    for (const [name, text] of Object.entries(evidence)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeWhole(join(folder, name), text);
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

/** Writes the exchanges of a run beside its reports, and returns the path. */
export async function writeExchangeLog(result: ConformanceResult, folder: string): Promise<string> {
  return writeWhole(join(folder, EXCHANGE_LOG), renderExchangeLog(result));
}

function reportsOf(record: RunRecord | ScenarioRunRecord): Readonly<Record<string, string>> {
  const json = { 'run.json': renderJson(record) };
  if (record.kind !== 'check') return json;
  const template = renderKnownTemplate(record);
  return {
    ...json,
    'junit.xml': renderJunit(record),
    'gap-atlas.md': renderGapAtlas([record]),
    ...(template !== undefined && { 'known-template.yaml': template }),
  };
}

async function writeWhole(path: string, text: string | Uint8Array): Promise<string> {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(draft, text);
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  return path;
}
