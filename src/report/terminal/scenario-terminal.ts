/**
 * Scenarios on a terminal: a line each, and everything about those that did not pass.
 *
 *   ok    A stale label does not print when the computer comes back          3h in 325ms
 *   FAIL  …
 *           at        step 3 (line 17): wait for label
 *           expected  state of label: expired
 *           got       new
 */

import { styleText } from 'node:util';

import { formatDuration } from '../../common/duration.ts';
import type { ScenarioRecord, ScenarioRunRecord } from '../../record/scenario-record.ts';
import type { ScenarioVerdict } from '../../record/words.ts';
import { printable, printableDeep } from './printable.ts';

type Style = Parameters<typeof styleText>[0];

const MARKS: Readonly<Record<ScenarioVerdict, readonly [mark: string, style: Style]>> = {
  pass: ['ok', 'green'],
  fail: ['FAIL', 'red'],
  inconclusive: ['open', 'yellow'],
  'harness-error': ['BUG', 'magenta'],
};

const WORDS: readonly (readonly [ScenarioVerdict, string])[] = [
  ['pass', 'passed'],
  ['fail', 'failed'],
  ['inconclusive', 'inconclusive'],
  ['harness-error', 'broken by the harness'],
];

const TITLE_COLUMNS = 76;
const MOST_BREAKS_SHOWN = 10;
const MOST_LINES_SHOWN = 40;

export interface PaintOptions {
  readonly color: boolean;
}

/** What is shown once a scenario has been played. */
export function renderScenario(made: ScenarioRecord, options: PaintOptions): string {
  const played = printableDeep(made);
  const { verdict, title, elapsedMs, durationMs } = played;
  const [mark, style] = MARKS[verdict];
  const time = `${formatDuration(elapsedMs)} in ${formatDuration(durationMs)}`;
  const line = `${paint(style, mark.padEnd(5), options)} ${title.padEnd(TITLE_COLUMNS)} ${paint('gray', time, options)}`;
  return verdict === 'pass' ? line : [line, ...detailsOf(played, options), ''].join('\n');
}

/** The last line: how many passed, and how long it took. */
export function renderScenarioHeadline(
  { scenarios, durationMs, target, summary }: ScenarioRunRecord,
  options: PaintOptions,
): string {
  const counts = WORDS.map(([verdict, word]) => ({
    word,
    number: summary.scenarios[verdict] ?? 0,
  }));
  const told = counts.filter(({ number }) => number > 0).map(({ word, number }) => `${number} ${word}`);
  const { exitCode, lostIn } = summary;
  const style: Style = exitCode === 0 ? 'green' : exitCode === 2 ? 'yellow' : 'red';
  const headline = `${scenarios.length} ${scenarios.length === 1 ? 'scenario' : 'scenarios'}: ${told.join(', ')}`;
  const lines = [paint(['bold', style], headline, options)];
  if (lostIn !== null)
    lines.push(printable(`${target.name} stopped answering in ${lostIn}; what follows was not played`));
  return [...lines, `${printable(target.name)}, ${formatDuration(durationMs)}`].join('\n');
}

function detailsOf(
  { id: file, at, message, breaks, stories, why }: ScenarioRecord,
  options: PaintOptions,
): readonly string[] {
  const row = (label: string, text: string): string =>
    `        ${paint('gray', label.padEnd(9), options)} ${text}`;
  return [
    row('file', file),
    ...(at === null ? [] : [row('at', at)]),
    ...(breaks.length === 0 ? [row('because', message)] : []),
    ...breaks
      .slice(0, MOST_BREAKS_SHOWN)
      .flatMap((one) => [
        row('expected', `${one.at}: ${paint('green', one.expected, options)}`),
        row('got', paint('red', one.actual, options)),
      ]),
    ...(breaks.length > MOST_BREAKS_SHOWN ? [row('', `and ${breaks.length - MOST_BREAKS_SHOWN} more`)] : []),
    ...stories.flatMap(({ name, id, timeline, files }) => [
      row(name, `job ${id}${timeline.length === 0 ? ': nothing is known of it' : ''}`),
      ...timeline.slice(0, MOST_LINES_SHOWN).map((line) => row('', line)),
      ...files.map((each) => row('sheets', each)),
    ]),
    row('why', why.trim().replaceAll(/\s+/g, ' ')),
  ];
}

function paint(style: Style, text: string, { color }: PaintOptions): string {
  return color ? styleText(style, text, { validateStream: false }) : text;
}
