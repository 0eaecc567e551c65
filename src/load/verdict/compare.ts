/**
 * Compares a run with an earlier one, stream by stream: what became slower, and is it more than chance?
 *
 * The seconds of each run are resampled many times (bootstrap); the middle 95 % of the ratios are the range of the
 * change. A range that includes 1 is not a change.
 */

import { createRandom, type Random } from '../../common/random.ts';
import { sumOf } from '../../common/sums.ts';
import type { ComparedLine, LoadComparison, LoadRecord, SecondRecord } from '../../record/load-record.ts';

const RESAMPLES = 500;
/** A count that differs by no more than this share has not changed. */
const COUNT_TOLERANCE = 0.02;

export function compareLoad(baseline: LoadRecord, now: LoadRecord): LoadComparison {
  const random = createRandom(now.plan.seed).stream('compare');
  return {
    isSamePlan: baseline.plan.hash === now.plan.hash,
    lines: [
      ...overSeconds('response.p50', baseline, now, ({ response }) => response.p50Us, random),
      ...overSeconds('response.p99', baseline, now, ({ response }) => response.p99Us, random),
      ...now.streams.flatMap((stream) => {
        const before = baseline.streams.find(({ name }) => name === stream.name);
        if (!before) return [];
        return (['p50', 'p99'] as const).map((name) => {
          const [earlier, later] = [before.response[`${name}Us`], stream.response[`${name}Us`]];
          return counted(`${stream.name}.response.${name}`, earlier, later, 'less');
        });
      }),
      counted('requests answered well', servedBy(baseline), servedBy(now), 'more'),
      counted('errors', errorsOf(baseline), errorsOf(now), 'less'),
    ],
  };
}

function overSeconds(
  metric: string,
  baseline: LoadRecord,
  now: LoadRecord,
  of: (second: SecondRecord) => number,
  random: Random,
): readonly ComparedLine[] {
  const before = valuesOf(baseline, of);
  const after = valuesOf(now, of);
  if (before.length === 0 || after.length === 0) return [];
  const ratios = Array.from({ length: RESAMPLES }, () => meanOf(drawn(after, random)) / meanOf(drawn(before, random)));
  const sorted = ratios.toSorted((a, b) => a - b);
  const range: readonly [number, number] = [
    sorted[Math.floor(RESAMPLES * 0.025)] ?? 1,
    sorted[Math.ceil(RESAMPLES * 0.975) - 1] ?? 1,
  ];
  const [earlier, later] = [meanOf(before), meanOf(after)];
  const line = { metric: `${metric} of a second`, baseline: earlier, now: later, ratio: later / earlier };
  return [{ ...line, range, change: changeOf(range) }];
}

function changeOf([low, high]: readonly [number, number]): ComparedLine['change'] {
  if (low > 1) return 'worse';
  return high < 1 ? 'better' : 'same';
}

/** Compares one number of each whole run. */
function counted(metric: string, baseline: number, now: number, good: 'more' | 'less'): ComparedLine {
  const ratio = baseline === 0 ? null : now / baseline;
  const isSame = Math.abs(now - baseline) <= baseline * COUNT_TOLERANCE;
  const isBetter = good === 'more' ? now > baseline : now < baseline;
  const change = isSame ? 'same' : isBetter ? 'better' : 'worse';
  return { metric, baseline, now, ratio, range: null, change };
}

function valuesOf({ series }: LoadRecord, of: (second: SecondRecord) => number): readonly number[] {
  return series.filter(({ ended }) => ended > 0).map((second) => Math.max(1, of(second)));
}

function drawn(values: readonly number[], random: Random): readonly number[] {
  return values.map(() => random.pick(values));
}

function meanOf(values: readonly number[]): number {
  return sumOf(values, (value) => value) / values.length;
}

function servedBy({ streams }: LoadRecord): number {
  return sumOf(streams, ({ counts }) => counts.ok);
}

function errorsOf({ streams }: LoadRecord): number {
  return sumOf(streams, ({ counts }) => sumOf(Object.values(counts), (count) => count) - counts.ok);
}
