/**
 * CTRF: the Common Test Report Format, which dashboards, bots and chat integrations read.
 *
 * `runId` is that of the run; `rawStatus` is platen's verdict. What has no verdict is `other`, which no
 * reader takes for a pass.
 */

import { createHash } from 'node:crypto';

import type { RunRecord } from '../record/run-record.ts';
import { renderJson } from './json.ts';
import { type ResultView, type RunView, type Standing } from './view/run-view.ts';
import { storyOf } from './view/story.ts';
import { viewOf } from './view/view-of.ts';

const SPEC_VERSION = '0.0.0';

const STATUS_OF: Readonly<Record<Standing, 'passed' | 'failed' | 'skipped' | 'other'>> = {
  failed: 'failed',
  error: 'other',
  blocked: 'other',
  warned: 'passed',
  skipped: 'skipped',
  known: 'skipped',
  passed: 'passed',
};

export function renderCtrf(record: RunRecord): string {
  const run = viewOf(record);
  const startMs = Date.parse(run.startedAt);
  const document = {
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    reportId: uuidOf(renderJson(record)),
    runId: run.runId,
    timestamp: run.startedAt,
    generatedBy: `platen ${run.platenVersion}`,
    results: {
      tool: { name: 'platen', version: run.platenVersion },
      summary: {
        ...summaryOf(run),
        start: startMs,
        stop: startMs + Math.round(run.durationMs),
        duration: Math.round(run.durationMs),
        extra: { verdict: run.word, sentence: run.sentence, exitCode: run.exitCode, remarks: run.remarks },
      },
      tests: run.results.map(testOf),
      environment: { reportName: run.title, extra: { target: run.target, seed: run.seed } },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function summaryOf(run: RunView): Readonly<Record<string, number>> {
  const count = (status: string): number => run.results.filter(({ standing }) => STATUS_OF[standing] === status).length;
  return {
    tests: run.results.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    pending: 0,
    other: count('other'),
  };
}

function testOf(result: ResultView): object {
  const { id, title, group, standing, verdict, durationMs, message, clauses, source } = result;
  const isTold = standing !== 'passed' || message !== '';
  return {
    testId: id,
    name: title === '' ? id : `${id}: ${title}`,
    status: STATUS_OF[standing],
    duration: Math.round(durationMs),
    suite: [group === '' ? 'platen' : group],
    rawStatus: verdict,
    ...(clauses.length > 0 && { tags: [...clauses] }),
    ...(isTold && { message, trace: storyOf(result) }),
    ...(source && { filePath: source.file, line: source.line }),
    ...(verdict === 'flaky' && { flaky: true }),
  };
}

/** The same bytes have the same id: a version 8 UUID made of their digest. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
