/**
 * JUnit of a load run: a case for each threshold and one for the verdict, so that a build shows what broke
 * and not only that something did.
 */

import type { LoadRecord, LoadVerdict } from '../load/load-record.ts';
import { xmlQuoted, xmlText } from './xml-text.ts';

interface Case {
  readonly group: 'verdict' | 'thresholds';
  readonly name: string;
  /** What is wrong; undefined when nothing is. */
  readonly problem?: { readonly element: 'failure' | 'error'; readonly message: string };
  readonly output: string;
}

/** An invalid or incomplete run says nothing about the service: that is an error of the build, not a failure. */
const ELEMENTS: Readonly<Record<Exclude<LoadVerdict, 'pass'>, 'failure' | 'error'>> = {
  fail: 'failure',
  aborted: 'failure',
  invalid: 'error',
  incomplete: 'error',
};

/** The record as a JUnit XML document. */
export function renderLoadJunit(record: LoadRecord): string {
  const cases = [verdictCase(record), ...thresholdCases(record)];
  const count = (element: 'failure' | 'error'): number =>
    cases.filter(({ problem }) => problem?.element === element).length;
  const totals =
    `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="0" ` +
    `time="${(record.durationMs / 1_000).toFixed(3)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="platen load" ${totals}>`,
    `  <testsuite name=${xmlQuoted(record.plan.title)} timestamp=${xmlQuoted(record.startedAt)} ${totals}>`,
    ...cases.map(renderCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function verdictCase({ verdict, reasons, ledger }: LoadRecord): Case {
  const classes = Object.entries(ledger.totals.classes).filter(([, count]) => count > 0);
  const output = `${ledger.totals.intents} jobs = ${classes.map(([name, count]) => `${count} ${name}`).join(' + ')}`;
  const head = { group: 'verdict', name: 'verdict', output } as const;
  if (verdict === 'pass') return head;
  return { ...head, problem: { element: ELEMENTS[verdict], message: `${verdict}: ${reasons.join('; ')}` } };
}

function thresholdCases({ thresholds }: LoadRecord): readonly Case[] {
  return thresholds.map(({ text, measured, kept }): Case => {
    const output = measured === null ? 'nothing was measured' : `measured ${measured}`;
    const head = { group: 'thresholds', name: text, output } as const;
    return kept ? head : { ...head, problem: { element: 'failure', message: output } };
  });
}

function renderCase({ group, name, problem, output }: Case): string {
  const opening = `    <testcase classname=${xmlQuoted(`platen.load.${group}`)} name=${xmlQuoted(name)}>`;
  const inner = problem
    ? `<${problem.element} type=${xmlQuoted(group)} message=${xmlQuoted(problem.message)}>${xmlText(output)}</${problem.element}>`
    : `<system-out>${xmlText(output)}</system-out>`;
  return `${opening}\n      ${inner}\n    </testcase>`;
}
