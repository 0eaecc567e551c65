/**
 * A run with failures, as a reports folder holds it: some checks on a service that answers wrongly.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { buildRunRecord } from '../../../src/conformance/record/build-record.ts';
import { runConformance } from '../../../src/conformance/run/run-conformance.ts';
import { startMeddlingProxy } from '../../mutants/meddling-proxy.ts';
import { status } from '../../mutants/mutant-tools.ts';
import { startEmbeddedTarget } from '../../support/embedded-target.ts';

/** What the service does wrong: a job that was accepted is answered with 200 instead of 201. */
const WRONG = status(/^POST \/printjobs$/, 200, ({ status: code }) => code === 201);

const CONSTANT = {
  runId: 'check-20260102T080000Z-0001',
  startedAt: '2026-01-02T08:00:00.000Z',
  durationMs: 3_480,
} as const;

/** Writes `run.json` of such a run below `reportsFolder`; returns its id. */
export async function writeFailingRun(reportsFolder: string, grep: string): Promise<string> {
  const target = await startEmbeddedTarget();
  const proxy = await startMeddlingProxy(target.baseUrl, { meddle: WRONG });
  try {
    const result = await runConformance({ target: { ...target, baseUrl: proxy.url }, seed: 1, grep });
    // What differs from day to day is made the same: pictures of it are compared.
    const record = { ...buildRunRecord(result), ...CONSTANT };
    const folder = path.join(reportsFolder, record.runId);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'run.json'), JSON.stringify(record, undefined, 2));
    return record.runId;
  } finally {
    await proxy.close();
    await target.close();
  }
}
