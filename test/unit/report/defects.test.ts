import { expect, it } from 'vitest';

import type { CheckRunRecord } from '../../../src/record/check-record.ts';
import { renderCtrf } from '../../../src/report/ctrf.ts';
import { annotationsOf, renderGithubSummary } from '../../../src/report/github.ts';
import { renderHtml } from '../../../src/report/html/page.ts';
import { renderJunit } from '../../../src/report/junit.ts';
import { renderRun } from '../../../src/report/terminal/run-terminal.ts';
import { writtenAnnotation } from '../../../src/report/terminal/written.ts';
import { madeUpRun } from '../../support/run-records.ts';
import { onTerminal } from '../../support/on-terminal.ts';

const plain = madeUpRun({ failures: 4 });
const [first = '', second = '', third = '', other = ''] = plain.checks.map(({ id }) => id);
const record: CheckRunRecord = {
  ...plain,
  checks: plain.checks.map((check) =>
    check.id === second || check.id === third ? { ...check, followsFrom: first } : check,
  ),
};

const count = (text: string, part: string): number => text.split(part).length - 1;

it.each([
  ['terminal', (run: CheckRunRecord) => onTerminal(renderRun(run))],
  ['summary of a step', (run: CheckRunRecord) => renderGithubSummary([run])],
] as const)('shows a defect once on the %s, with what follows from it below, a line each', (_, render) => {
  const [told, apart] = [render(record), render(plain)];
  expect(told).toContain('The same defect shows in 2 more:'.slice(1));
  expect(count(told, 'platen replay run.json')).toBe(count(apart, 'platen replay run.json') - 2);
  for (const id of [first, second, third, other]) expect(told).toContain(id);
  expect(told.lastIndexOf(other)).toBeGreaterThan(told.lastIndexOf(third));
});

it('annotates a defect once', () => {
  expect(count(annotationsOf([record]).map(writtenAnnotation).join(''), '::error title=')).toBe(
    count(annotationsOf([plain]).map(writtenAnnotation).join(''), '::error title=') - 2,
  );
});

it('keeps a case for each check in JUnit and CTRF, which says what it follows from', () => {
  for (const render of [renderJunit, renderCtrf]) {
    expect(count(render(record), `follows from ${first}`)).toBe(2);
    expect(render(record)).toContain(third);
  }
});

it('shows what follows from a defect below it on the page', () => {
  const page = renderHtml([record]);
  const begins = page.indexOf('The same defect shows in 2 more');
  expect(begins).toBeGreaterThan(page.indexOf(`<strong>${first}</strong>`));
  expect(page.indexOf(`<strong>${second}</strong>`)).toBeGreaterThan(begins);
  expect(page.indexOf(`<strong>${other}</strong>`)).toBeGreaterThan(page.indexOf(`<strong>${third}</strong>`));
});

it('tells flaky checks of one stall once, the others in a line each', () => {
  const flaky: CheckRunRecord = {
    ...record,
    checks: record.checks.map((check) => (check.verdict === 'fail' ? { ...check, verdict: 'flaky' } : check)),
  };
  const told = onTerminal(renderRun(flaky));
  expect(told).toContain('2 more failed within these seconds and passed alone, as if something had stalled:');
  expect(count(told, 'platen replay run.json')).toBe(2);
  for (const id of [second, third]) expect(told).toContain(`flaky ${id}: `);
});
