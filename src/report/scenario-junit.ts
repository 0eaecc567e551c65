/**
 * JUnit: a run of scenarios for continuous integration. A case a scenario; the text of a failure is what broke.
 *
 *   fail → failure    harness-error → error    inconclusive → skipped
 */

import type { ScenarioRecord, ScenarioRunRecord } from './scenario-record.ts';
import { xmlQuoted, xmlText } from './xml-text.ts';

type Element = 'failure' | 'error' | 'skipped';

const ELEMENT_OF: Readonly<Partial<Record<ScenarioRecord['verdict'], Element>>> = {
  fail: 'failure',
  'harness-error': 'error',
  inconclusive: 'skipped',
};

/** The record as a JUnit XML document. */
export function renderScenarioJunit(record: ScenarioRunRecord): string {
  const totals = totalsOf(record.scenarios);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="platen run" ${totals}>`,
    `  <testsuite name=${xmlQuoted(record.target.name)} timestamp=${xmlQuoted(record.startedAt)} ${totals}>`,
    ...record.scenarios.map(renderCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function totalsOf(scenarios: readonly ScenarioRecord[]): string {
  const count = (element: Element): number =>
    scenarios.filter(({ verdict }) => ELEMENT_OF[verdict] === element).length;
  const durationMs = scenarios.reduce((sum, one) => sum + one.durationMs, 0);
  return (
    `tests="${scenarios.length}" failures="${count('failure')}" errors="${count('error')}" ` +
    `skipped="${count('skipped')}" time="${seconds(durationMs)}"`
  );
}

function renderCase(scenario: ScenarioRecord): string {
  const { id, title, verdict, message, durationMs } = scenario;
  const opening = `    <testcase classname=${xmlQuoted(id)} name=${xmlQuoted(title)} time="${seconds(durationMs)}"`;
  const element = ELEMENT_OF[verdict];
  if (!element) return `${opening}/>`;
  const story = xmlText(storyOf(scenario));
  const inner = `<${element} type=${xmlQuoted(verdict)} message=${xmlQuoted(message)}>${story}</${element}>`;
  return `${opening}>\n      ${inner}\n    </testcase>`;
}

function storyOf({ at, message, breaks, stories, seed, why }: ScenarioRecord): string {
  return [
    ...(at === null ? [] : [at]),
    ...(breaks.length === 0 ? [message] : []),
    ...breaks.map((one) => `${one.at}: expected ${one.expected}, got ${one.actual}`),
    ...stories.flatMap(({ name, id, timeline, files }) => [
      `${name} (job ${id}):`,
      ...timeline.map((line) => `  ${line}`),
      ...files.map((file) => `  sheets: ${file}`),
    ]),
    `why: ${why.trim().replaceAll(/\s+/g, ' ')}`,
    `seed: ${seed}`,
  ].join('\n');
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}
