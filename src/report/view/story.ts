/**
 * Story: everything that is wrong with a result as plain text, for formats that have one place for it.
 */

import type { Finding, ResultView } from './run-view.ts';

export function storyOf(result: ResultView): string {
  const { title, message, findings, notes, stories, stack, repeat } = result;
  return [
    title,
    message,
    ...findings.flatMap(findingLines),
    ...stories.flatMap((story) => [story.title, ...story.lines.map((line) => `  ${line}`)]),
    ...notes,
    ...curlOf(result).map((curl) => `request: ${curl}`),
    stack,
    ...(repeat === '' ? [] : [`again: ${repeat}`]),
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

/** The request that shows it best: that of the first finding, or the last one that was kept. */
export function curlOf({ findings, exchanges, unanswered }: ResultView): readonly string[] {
  const position = findings[0]?.exchange;
  const shown = exchanges.find((one) => one.position === position) ?? exchanges.at(-1) ?? unanswered.at(-1);
  return shown ? [shown.curl] : [];
}
