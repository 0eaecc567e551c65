/**
 * Story: everything that is wrong with a result as plain text, for formats that have one place for it.
 */

import { clip } from '../../common/markdown.ts';
import type { ExchangeRecord } from '../../record/check-record.ts';
import type { Finding, ResultView } from './run-view.ts';

export function storyOf(result: ResultView): string {
  const { title, message, findings, notes, stories, stack, repeat, traffic, followsFrom } = result;
  if (followsFrom !== '') return [title, message, `follows from ${followsFrom}`].filter(Boolean).join('\n');
  return [
    title,
    message,
    ...rulesOf(findings).flatMap(ruleLines),
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

function ruleLines({ clause, remark, statement, source, broken }: BrokenRule): readonly string[] {
  return [
    ...(clause === '' ? [] : [`clause ${clause}${remark}: ${statement}${source && ` (${source})`}`]),
    ...broken.flatMap(({ at, expected, actual }) => [`  at ${at}`, `  expected ${expected}`, `  actual ${actual}`]),
  ];
}

/** A clause, and where it is broken. */
export interface BrokenRule extends Pick<Finding, 'clause' | 'statement' | 'source'> {
  /** Its level and how often it is broken, in parentheses, where there is something to say. */
  readonly remark: string;
  readonly broken: readonly Finding[];
}

/** Findings by their clauses: each is named once. */
export function rulesOf(findings: readonly Finding[]): readonly BrokenRule[] {
  return [...Map.groupBy(findings, ({ clause }) => clause)].map(([clause, broken]) => {
    const { level = '', statement = '', source = '' } = broken[0] ?? {};
    const remarks = [level, broken.length > 1 ? `${broken.length} times` : ''].filter(Boolean).join(', ');
    return { clause, statement, source, remark: remarks && ` (${remarks})`, broken };
  });
}

/** Above what follows from a result. */
export function followersTitle({ followers, verdict }: Pick<ResultView, 'followers' | 'verdict'>): string {
  const count = followers.length;
  if (verdict === 'flaky')
    return `${count} more failed within these seconds and passed alone, as if something had stalled:`;
  return `The same defect shows in ${count} more:`;
}

/** What follows from a result, below a line that says so; nothing where nothing does. */
export function followerLines(result: Pick<ResultView, 'followers' | 'verdict'>): readonly string[] {
  const { followers } = result;
  if (followers.length === 0) return [];
  return [
    followersTitle(result),
    ...followers.map(({ id, verdict, message }) => clip(`  ${verdict} ${id}: ${message}`, FOLLOWER_MOST)),
  ];
}

const FOLLOWER_MOST = 160;
const LINE_MOST = 1_000;

/** The exchange that shows the first finding that one shows, or the last one that was kept, if all were answered. */
export function shownExchange({ findings, exchanges, unanswered }: ResultView): ExchangeRecord | undefined {
  for (const { exchange } of findings) {
    const shown = exchanges.find(({ position }) => position === exchange);
    if (shown) return shown;
  }
  return unanswered.length > 0 ? undefined : exchanges.at(-1);
}

/** The request that shows it best. */
export function curlOf(result: ResultView): readonly string[] {
  const shown = shownExchange(result) ?? result.unanswered.at(-1);
  return shown ? [shown.curl] : [];
}
