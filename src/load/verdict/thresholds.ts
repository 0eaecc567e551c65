/**
 * Thresholds: what must hold of a run, as lines that people write.
 *
 *   invoices.response.p99 <= 200ms        threshold
 *   invoices.failed > 20% after 10s       abort rule: ends the run once true, from ten seconds after the start on
 *   └──── metric ───┘ └┘ └─┘ └──────┘
 *
 * Every mistake in a line is reported with its position and what was probably meant.
 */

import { formatMicroseconds, parseDuration } from '../../common/duration.ts';
import { meantOrAll } from '../../common/nearest-name.ts';
import { failure, success, type Outcome } from '../../common/outcome.ts';
import type { ThresholdResult } from '../../record/load-record.ts';
import type { Measures } from '../measure/measures.ts';
import { metricTree, type Metric, type MetricNode, type Unit } from '../measure/metric.ts';

const COMPARISONS = {
  '<=': (measured: number, limit: number): boolean => measured <= limit,
  '>=': (measured: number, limit: number): boolean => measured >= limit,
  '==': (measured: number, limit: number): boolean => measured === limit,
  '!=': (measured: number, limit: number): boolean => measured !== limit,
  '<': (measured: number, limit: number): boolean => measured < limit,
  '>': (measured: number, limit: number): boolean => measured > limit,
} as const;

type Comparison = keyof typeof COMPARISONS;

export interface Threshold {
  readonly text: string;
  readonly metric: Metric;
  readonly comparison: Comparison;
  /** In the unit of the metric; a share (0 … 1) where `isShare`. */
  readonly limit: number;
  /** The limit is a percentage: of the metric's whole, or of one. */
  readonly isShare: boolean;
  /** Not judged before; 0 unless the line has `after`. */
  readonly afterMs: number;
}

export interface ThresholdProblem {
  /** Where in the line the mistake is, from 0. */
  readonly offset: number;
  readonly message: string;
}

const LINE = /^(\s*)(\S+?)(\s*)(<=|>=|==|!=|<|>)(\s*)(\S+)(?:(\s+)(\S+)(?:(\s+)(\S+))?)?\s*$/;
const EXAMPLE = 'write for example invoices.response.p99 <= 200ms';

/** Reads a line. @param streams - the names of the scenario's streams */
export function parseThreshold(text: string, streams: readonly string[]): Outcome<Threshold, ThresholdProblem> {
  const match = LINE.exec(text);
  if (!match) return failure(formProblem(text));
  const [, lead = '', name = '', gap = '', sign = '', gap2 = '', value = '', gap3 = '', word, gap4 = '', wait] = match;
  const metricAt = lead.length;
  const valueAt = metricAt + name.length + gap.length + sign.length + gap2.length;
  const wordAt = valueAt + value.length + gap3.length;
  const metric = findMetric(name, metricTree(streams), metricAt);
  if (!metric.ok) return metric;
  const limit = limitOf(value, metric.value, valueAt);
  if (!limit.ok) return limit;
  if (sign === '<' && limit.value.limit === 0)
    return failure({ offset: valueAt, message: 'nothing is below 0: write == 0' });
  const after = afterOf(word, wait, wordAt, wordAt + (word ?? '').length + gap4.length);
  if (!after.ok) return after;
  return success({
    text,
    metric: metric.value,
    comparison: sign as Comparison,
    ...limit.value,
    afterMs: after.value,
  });
}

/** What was measured, and whether the line holds; it does not when there was nothing to measure. */
export function judgeThreshold(threshold: Threshold, measures: Measures): ThresholdResult {
  const { text, metric, comparison, limit, isShare } = threshold;
  const value = metric.measure(measures);
  const measured = isShare ? shareOf(value, metric, measures) : value;
  if (measured === null) return { text, measured: null, kept: false };
  return {
    text,
    measured: isShare ? `${trimmed(measured * 100)}%` : formatMeasured(measured, metric.unit),
    kept: COMPARISONS[comparison](measured, limit),
  };
}

/** Abort rules of a scenario, whose reader has checked them. */
export function parseRules(lines: readonly string[], streams: readonly string[]): readonly Threshold[] {
  return lines.flatMap((text) => {
    const parsed = parseThreshold(text, streams);
    return parsed.ok ? [parsed.value] : [];
  });
}

/** The abort rule that applies, with what was measured; undefined while none does. */
export function abortCause(rules: readonly Threshold[], measures: Measures): string | undefined {
  for (const rule of rules) {
    if (measures.elapsedMs < rule.afterMs) continue;
    const { kept, measured } = judgeThreshold(rule, measures);
    if (kept) return `${rule.text} (measured ${measured})`;
  }
  return undefined;
}

function shareOf(value: number | null, metric: Metric, measures: Measures): number | null {
  if (value === null || !metric.whole) return value;
  const whole = metric.whole(measures);
  return whole === null || whole === 0 ? null : value / whole;
}

/** A value of a metric as people write it. */
export function formatMeasured(value: number, unit: Unit): string {
  if (unit === 'duration') return formatMicroseconds(value);
  if (unit === 'bytes') return `${trimmed(value / 1e6)}MB`;
  return trimmed(value);
}

function trimmed(value: number): string {
  return String(Number(value.toFixed(3)));
}

function formProblem(text: string): ThresholdProblem {
  const single = text.search(/[^<>=!]=[^=]/);
  if (single >= 0) return { offset: single + 1, message: "'=' is not a comparison: write <=, >=, ==, !=, < or >" };
  const hasSign = /[<>=!]/.test(text);
  return {
    offset: 0,
    message: hasSign
      ? `is a metric, a comparison and a value; ${EXAMPLE}`
      : `has no comparison (<=, >=, ==, !=, <, >); ${EXAMPLE}`,
  };
}

function findMetric(name: string, root: MetricNode, startAt: number): Outcome<Metric, ThresholdProblem> {
  let here: Metric | MetricNode = root;
  let offset = startAt;
  let rest = name;
  while ('find' in here) {
    // A percentile may contain a dot, so the rest is tried as a whole first.
    const word: string = here.find(rest) ? rest : (rest.split('.')[0] ?? '');
    const next: Metric | MetricNode | undefined = here.find(word);
    if (!next) return failure({ offset, message: unknownWord(word, here) });
    offset += word.length + 1;
    rest = rest.slice(word.length + 1);
    if ('find' in next && rest === '') {
      return failure({ offset: offset - 1, message: `'${name}' goes on: .${next.words.join(', .')}` });
    }
    here = next;
  }
  if (rest !== '') return failure({ offset: offset - 1, message: `'${name}' ends before '.${rest}'` });
  return success(here);
}

function unknownWord(word: string, { what, words }: MetricNode): string {
  return `there is no ${what} '${word}'; ${meantOrAll(word, words)}`;
}

type Limit = Pick<Threshold, 'limit' | 'isShare'>;

function limitOf(value: string, metric: Metric, offset: number): Outcome<Limit, ThresholdProblem> {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(value)?.[1];
  if (percent !== undefined) {
    if (metric.whole && Number(percent) > 100)
      return failure({ offset, message: `'${value}' is more than there can be: write at most 100%` });
    if (metric.unit === 'ratio' || metric.whole) return success({ limit: Number(percent) / 100, isShare: true });
    return failure({
      offset,
      message: `'${value}' would be a percentage of nothing: this metric has no total`,
    });
  }
  const limit = READERS[metric.unit](value);
  if (limit === undefined) return failure({ offset, message: `'${value}' is not ${UNIT_WORDS[metric.unit]}` });
  return success({ limit, isShare: false });
}

const UNIT_WORDS: Readonly<Record<Unit, string>> = {
  duration: 'a duration; write for example 200ms, 1.5s or 300us',
  count: 'a number, nor a percentage such as 0.1%',
  ratio: 'a number, nor a percentage such as 95%',
  rate: 'a number (of requests per second)',
  bytes: 'an amount of memory; write for example 220MB',
};

const READERS: Readonly<Record<Unit, (text: string) => number | undefined>> = {
  duration: microsecondsOf,
  count: numberOf,
  ratio: numberOf,
  rate: numberOf,
  bytes: bytesOf,
};

function numberOf(text: string): number | undefined {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function microsecondsOf(text: string): number | undefined {
  const us = /^(\d+(?:\.\d+)?)(?:us|µs)$/.exec(text)?.[1];
  if (us !== undefined) return Number(us);
  const ms = parseDuration(text);
  return ms === undefined ? undefined : ms * 1_000;
}

const BYTES: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9 };

function bytesOf(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(KB|MB|GB)$/.exec(text);
  return match ? Number(match[1]) * (BYTES[match[2] ?? ''] ?? 1) : undefined;
}

function afterOf(
  word: string | undefined,
  wait: string | undefined,
  wordAt: number,
  waitAt: number,
): Outcome<number, ThresholdProblem> {
  if (word === undefined) return success(0);
  if (word !== 'after') return failure({ offset: wordAt, message: `only 'after' may follow, not '${word}'` });
  const afterMs = wait === undefined ? undefined : parseDuration(wait);
  if (afterMs !== undefined) return success(afterMs);
  return failure({ offset: waitAt, message: "'after' takes a duration such as 10s" });
}
