/**
 * JUnit: a run for continuous integration. A suite a family of checks, a case a check.
 *
 *   fail → failure    harness-error, blocked, flaky → error    untestable, inconclusive → skipped
 *
 * Warnings and observations are passes here, with their text in the output of the case. Skipped cases
 * are no green run: the exit code of the command is 2 then.
 */

import { groupBy } from '../common/group-by.ts';

import type { Verdict } from '../conformance/verdict.ts';
import type { CheckRecord, JudgementRecord, RunRecord } from './run-record.ts';

type Element = 'failure' | 'error' | 'skipped';

const ELEMENT_OF: Readonly<Partial<Record<Verdict, Element>>> = {
  fail: 'failure',
  'harness-error': 'error',
  blocked: 'error',
  flaky: 'error',
  untestable: 'skipped',
  inconclusive: 'skipped',
  'not-applicable': 'skipped',
};

/** A known failure is no reason for a red build: its baseline says so. */
function elementOf({ verdict, known }: CheckRecord): Element | undefined {
  return known ? 'skipped' : ELEMENT_OF[verdict];
}

/** The record as a JUnit XML document. */
export function renderJunit(record: RunRecord): string {
  const families = groupBy(record.checks, (check) => check.id.split('/')[0] ?? '');
  const suites = [...families].map(([family, checks]) => renderSuite(family, checks, record));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="platen check" ${totals(record.checks)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function renderSuite(family: string, checks: readonly CheckRecord[], record: RunRecord): string {
  return [
    `  <testsuite name=${quote(family)} timestamp=${quote(record.startedAt)} ${totals(checks)}>`,
    ...checks.map((check) => renderCase(family, check, record)),
    '  </testsuite>',
  ].join('\n');
}

function totals(checks: readonly CheckRecord[]): string {
  const count = (element: Element): number => checks.filter((check) => elementOf(check) === element).length;
  const durationMs = checks.reduce((sum, check) => sum + check.durationMs, 0);
  return (
    `tests="${checks.length}" failures="${count('failure')}" errors="${count('error')}" ` +
    `skipped="${count('skipped')}" time="${seconds(durationMs)}"`
  );
}

function renderCase(family: string, check: CheckRecord, record: RunRecord): string {
  const opening = `    <testcase classname=${quote(`platen.${family}`)} name=${quote(check.id)} time="${seconds(check.durationMs)}"`;
  const element = elementOf(check);
  if (!element && check.message === '') return `${opening}/>`;
  const story = escape(storyOf(check, record));
  const inner = element
    ? `<${element} type=${quote(check.verdict)} message=${quote(check.message)}>${story}</${element}>`
    : `<system-out>${story}</system-out>`;
  return `${opening}>\n      ${inner}\n    </testcase>`;
}

function storyOf(check: CheckRecord, record: RunRecord): string {
  const { judgements, exchanges, unanswered } = check.evidence;
  return [
    check.title,
    check.message,
    ...judgements.flatMap((judgement) => mismatchLines(judgement, record)),
    ...[...exchanges, ...unanswered].slice(-1).map(({ curl }) => `repeat: ${curl}`),
    `seed: ${record.seed}`,
  ].join('\n');
}

function mismatchLines({ clause, mismatch }: JudgementRecord, record: RunRecord): readonly string[] {
  if (!mismatch) return [];
  return [
    `clause: ${clause}: ${record.clauses[clause]?.statement ?? ''}`,
    `  expected ${mismatch.expected}, got ${mismatch.actual}`,
    `  at ${mismatch.at}`,
  ];
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** What XML 1.0 allows in no form: control characters, halves of surrogate pairs, two noncharacters. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu;
const ALLOWED_CONTROLS = '\t\n\r';

function escape(text: string): string {
  return text
    .replaceAll(FORBIDDEN, (found) => (ALLOWED_CONTROLS.includes(found) ? found : '\uFFFD'))
    .replaceAll(/[&<>"]/g, (found) => ENTITIES[found] ?? found);
}

function quote(text: string): string {
  return `"${escape(text).replaceAll('\n', '&#10;')}"`;
}
