/**
 * JSON: the record as one document; and for grep, jq and log collectors as lines: one for the run, one for each result,
 * one for the sum.
 */

import type { RunRecord } from '../record/run-record.ts';
import { STANDINGS, withStandings, type ResultView, type RunView } from './view/run-view.ts';
import { viewOf } from './view/view-of.ts';

export function renderJson(record: RunRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

export function renderNdjson(records: readonly RunRecord[]): string {
  const lines = records
    .map(viewOf)
    .flatMap((run) => [startOf(run), ...run.results.map((result) => resultOf(result, run)), endOf(run)]);
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function startOf({ runId, kind, target, seed, startedAt, platenVersion }: RunView): object {
  return { type: 'run', runId, kind, target, seed, startedAt, platenVersion };
}

function resultOf(result: ResultView, { runId }: RunView): object {
  const { id, title, verdict, standing, durationMs, message, clauses, findings, repeat, followsFrom } = result;
  return {
    type: 'result',
    runId,
    id,
    title,
    verdict,
    standing,
    durationMs,
    message,
    clauses,
    findings,
    repeat,
    ...(followsFrom !== '' && { followsFrom }),
  };
}

function endOf(run: RunView): object {
  const { runId, word, sentence, exitCode, durationMs, remarks } = run;
  const counts = Object.fromEntries(STANDINGS.map((standing) => [standing, withStandings(run, [standing]).length]));
  return { type: 'summary', runId, word, sentence, exitCode, durationMs, counts, remarks };
}
