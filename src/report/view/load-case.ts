/**
 * Case of a load run: one thing that was judged, as a result that every reporter shows.
 */

import type { Finding, ResultView, Standing } from './run-view.ts';

export interface Case {
  readonly group: string;
  readonly name: string;
  readonly title: string;
  readonly standing: Standing;
  /** What was measured, or why it did not pass. */
  readonly message: string;
  readonly finding?: Pick<Finding, 'expected' | 'actual' | 'at'>;
  readonly clauses?: readonly string[];
  readonly stories?: ResultView['stories'];
  readonly notes?: readonly string[];
  readonly durationMs?: number;
}

const VERDICT_OF: Readonly<Partial<Record<Standing, string>>> = {
  failed: 'fail',
  error: 'no verdict',
  warned: 'warn',
};

export function resultOf({
  group,
  name,
  title,
  standing,
  message,
  finding,
  clauses = [],
  stories = [],
  notes = [],
  durationMs = 0,
}: Case): ResultView {
  const nowhere = { clause: '', level: '', statement: '', exchange: undefined };
  return {
    // What follows the last slash of an id is its name.
    id: `${group}/${name.replaceAll('/', '-')}`,
    title,
    group,
    standing,
    verdict: VERDICT_OF[standing] ?? 'pass',
    durationMs,
    message,
    clauses,
    findings: finding && standing !== 'passed' ? [{ ...nowhere, ...finding }] : [],
    observed: [],
    exchanges: [],
    unanswered: [],
    notes,
    stack: '',
    log: [],
    elapsedMs: 0,
    stories,
    repeat: '',
  };
}

/** Something that must not have happened. @param actual - how often it did, in words */
export function noneOf(
  group: string,
  name: string,
  title: string,
  actual: string,
  count: number,
  more: Pick<Case, 'stories' | 'notes'> = {},
): ResultView {
  const finding = { at: `the account of ${group}`, expected: 'none', actual };
  return resultOf({
    group,
    name,
    title,
    standing: count === 0 ? 'passed' : 'failed',
    message: count === 0 ? '' : actual,
    finding,
    ...(count > 0 && more),
  });
}
