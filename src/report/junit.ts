/**
 * JUnit: a run for continuous integration. A suite a family of results, a case a result.
 *
 *   failed → failure    blocked, without a verdict → error    could not be tried, or known to fail → skipped
 *
 * Warnings and observations are passes here, with their text in the output of the case. Skipped cases
 * do not make a run green: the command then exits with 2.
 */

import type { RunRecord } from '../record/run-record.ts';
import { byGroup, type ResultView, type RunView, type Standing } from './view/run-view.ts';
import { storyOf } from './view/story.ts';
import { viewOf } from './view/view-of.ts';
import { xmlQuoted, xmlText } from './xml-text.ts';

type Element = 'failure' | 'error' | 'skipped';

/** A known failure does not fail a build: its baseline says so. */
const ELEMENT_OF: Readonly<Partial<Record<Standing, Element>>> = {
  failed: 'failure',
  error: 'error',
  blocked: 'error',
  skipped: 'skipped',
  known: 'skipped',
};

export function renderJunit(record: RunRecord): string {
  const run = viewOf(record);
  const suites = [...byGroup(run.results)].map(([family, results]) => renderSuite(family, results, run));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="platen ${run.kind}" ${totals(run.results)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function renderSuite(family: string, results: readonly ResultView[], run: RunView): string {
  return [
    `  <testsuite name=${xmlQuoted(family || 'platen')} timestamp=${xmlQuoted(run.startedAt)} ${totals(results)}>`,
    '    <properties>',
    `      <property name="target" value=${xmlQuoted(run.target)}/>`,
    `      <property name="seed" value=${xmlQuoted(run.seed)}/>`,
    '    </properties>',
    ...results.map((result) => renderCase(result, run)),
    '  </testsuite>',
  ].join('\n');
}

function totals(results: readonly ResultView[]): string {
  const count = (element: Element): number => results.filter(({ standing }) => ELEMENT_OF[standing] === element).length;
  const durationMs = results.reduce((sum, result) => sum + result.durationMs, 0);
  return (
    `tests="${results.length}" failures="${count('failure')}" errors="${count('error')}" ` +
    `skipped="${count('skipped')}" time="${seconds(durationMs)}"`
  );
}

function renderCase(result: ResultView, run: RunView): string {
  const { id, group, durationMs, standing, verdict, message } = result;
  const className = xmlQuoted(`platen.${group || run.kind}`);
  const opening = `    <testcase classname=${className} name=${xmlQuoted(id)} time="${seconds(durationMs)}"`;
  const element = ELEMENT_OF[standing];
  if (!element && message === '') return `${opening}/>`;
  const story = xmlText(`${storyOf(result)}\nseed: ${run.seed}`);
  const inner = element
    ? `<${element} type=${xmlQuoted(verdict)} message=${xmlQuoted(message)}>${story}</${element}>`
    : `<system-out>${story}</system-out>`;
  return `${opening}>\n      ${inner}\n    </testcase>`;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}
