/**
 * Case of a load run: one thing that was judged, as a result that every reporter shows.
 */

import { NO_EVIDENCE, type Finding, type ResultView, type Standing } from './run-view.ts';

export interface Case
  extends
    Pick<ResultView, 'group' | 'title' | 'standing' | 'message'>,
    Partial<Pick<ResultView, 'clauses' | 'stories' | 'notes' | 'durationMs'>> {
  readonly name: string;
  readonly finding?: Pick<Finding, 'expected' | 'actual' | 'at'>;
}

const VERDICT_OF: Readonly<Partial<Record<Standing, string>>> = {
  failed: 'fail',
  error: 'no verdict',
  warned: 'warn',
};

export function resultOf({ name, finding, ...given }: Case): ResultView {
  const { group, standing } = given;
  const nowhere = { clause: '', level: '', statement: '', exchange: undefined };
  return {
    ...NO_EVIDENCE,
    durationMs: 0,
    ...given,
    // What follows the last slash of an id is its name.
    id: `${group}/${name.replaceAll('/', '-')}`,
    verdict: VERDICT_OF[standing] ?? 'pass',
    findings: finding && standing !== 'passed' ? [{ ...nowhere, ...finding }] : [],
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
