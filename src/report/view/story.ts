/**
 * Story: everything that is wrong with a result as plain text, for formats that have one place for it.
 */

import type { ExchangeRecord } from '../../record/check-record.ts';
import type { Finding, ResultView } from './run-view.ts';

export function storyOf(result: ResultView): string {
  const { title, message, findings, notes, stories, stack, repeat, traffic, followsFrom } = result;
  if (followsFrom !== '') return [title, message, `follows from ${followsFrom}`].filter(Boolean).join('\n');
  return [
    title,
    message,
    ...findings.flatMap(findingLines),
    ...stories.flatMap((story) => [story.title, ...story.lines.map((line) => `  ${line}`)]),
    ...notes,
    ...traffic.map((line) => clip(line, LINE_MOST)),
    ...curlOf(result).map((curl) => `request: ${curl}`),
    stack,
    ...(repeat === '' ? [] : [`again: ${repeat}`]),
    ...followerLines(result),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function findingLines({ clause, level, statement, at, expected, actual }: Finding): readonly string[] {
  return [
    ...(clause === '' ? [] : [`clause ${clause} (${level}): ${statement}`]),
    `  at ${at}`,
    `  expected ${expected}`,
    `  actual ${actual}`,
  ];
}

/** What follows from a result, below a line that says so; nothing where nothing does. */
export function followerLines({ followers }: Pick<ResultView, 'followers'>): readonly string[] {
  if (followers.length === 0) return [];
  return [
    `the same defect shows in ${followers.length} more:`,
    ...followers.map(({ id, verdict, message }) => clip(`  ${verdict} ${id}: ${message}`, FOLLOWER_MOST)),
  ];
}

const FOLLOWER_MOST = 160;
const LINE_MOST = 1_000;

function clip(line: string, most: number): string {
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

/** The exchange that shows the first finding that one shows, or the last one that was kept. */
export function shownExchange({ findings, exchanges }: ResultView): ExchangeRecord | undefined {
  for (const { exchange } of findings) {
    const shown = exchanges.find(({ position }) => position === exchange);
    if (shown) return shown;
  }
  return exchanges.at(-1);
}

/** The request that shows it best. */
export function curlOf(result: ResultView): readonly string[] {
  const shown = shownExchange(result) ?? result.unanswered.at(-1);
  return shown ? [shown.curl] : [];
}
