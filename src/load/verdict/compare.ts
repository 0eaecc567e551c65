/**
 * Compares a run with an earlier one, stream by stream: what became slower, and is it more than chance?
 *
 *   range of the ratio, in 95 of 100 cases │ change
 *   wholly beyond 2 % to one side          │ better, worse
 *   about 1, and narrow                    │ same
 *   about 1, and wide; or too few values   │ not enough to tell
 *
 * Seconds of a run depend on each other, so they are resampled whole (bootstrap). A percentile of a stream lies between
 * the two values whose ranks chance would make of its own; counts spread as their square roots do.
 */

import { createRandom, type Random } from '../../common/random.ts';
import { keysOf } from '../../common/keys-of.ts';
import { sumOf } from '../../common/sums.ts';
import type {
  ComparedLine,
  DurationRecord,
  LoadComparison,
  LoadRecord,
  SecondRecord,
} from '../../record/load-record.ts';
import { Durations } from '../measure/histogram.ts';

type Range = readonly [low: number, high: number];

const RESAMPLES = 500;
/** Standard deviations to either side that hold 95 of 100 cases. */
const DEVIATIONS = 1.96;
/** A difference of no more than this share is not a change. */
const TOLERANCE = 0.02;
/** The two ends of a range about 1 that says that nothing changed. */
const WIDEST_SAME = 1.5;
/** Resampling fewer seconds than this gives their spread no chance to show. */
const LEAST_SECONDS = 10;
const PERCENTILES = { p50: 50, p99: 99 } as const;

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
        return keysOf(PERCENTILES).map((name) => overRequests(stream.name, name, before.response, stream.response));
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
  const middle: Range = [sorted[Math.floor(RESAMPLES * 0.025)] ?? 1, sorted[Math.ceil(RESAMPLES * 0.975) - 1] ?? 1];
  const isEnough = Math.min(before.length, after.length) >= LEAST_SECONDS;
  return [lineOf(`${metric} of a second`, meanOf(before), meanOf(after), isEnough ? middle : null, 'less')];
}

function overRequests(
  stream: string,
  name: keyof typeof PERCENTILES,
  before: DurationRecord,
  after: DurationRecord,
): ComparedLine {
  const [earlier, later] = [rangeOf(before, PERCENTILES[name]), rangeOf(after, PERCENTILES[name])];
  const range: Range | null = earlier && later ? [later[0] / earlier[1], later[1] / earlier[0]] : null;
  return lineOf(`${stream}.response.${name}`, before[`${name}Us`], after[`${name}Us`], range, 'less');
}

/** Where a percentile lies by its neighbours in rank; undefined when it takes more values to tell. */
function rangeOf({ count, histogram }: DurationRecord, percent: number): Range | undefined {
  const share = percent / 100;
  const ranks = DEVIATIONS * Math.sqrt(count * share * (1 - share));
  const [low, high] = [count * share - ranks, count * share + ranks];
  if (low < 1 || high > count) return undefined;
  const durations = Durations.fromBase64(histogram);
  const at = (rank: number): number => Math.max(1, durations.percentile((rank / count) * 100));
  return [at(low), at(high)];
}

function counted(metric: string, baseline: number, now: number, good: 'more' | 'less'): ComparedLine {
  if (now === baseline) return lineOf(metric, baseline, now, [1, 1], good);
  // Half a count more on either side (Haldane and Anscombe), so that none can be compared as well.
  const [before, after] = [baseline + 0.5, now + 0.5];
  const spread = Math.exp(DEVIATIONS * Math.sqrt(1 / before + 1 / after));
  return lineOf(metric, baseline, now, [after / before / spread, (after / before) * spread], good);
}

function lineOf(
  metric: string,
  baseline: number,
  now: number,
  range: Range | null,
  good: 'more' | 'less',
): ComparedLine {
  const ratio = baseline === 0 ? null : now / baseline;
  return { metric, baseline, now, ratio, range, change: changeOf(range, good) };
}

function changeOf(range: Range | null, good: 'more' | 'less'): ComparedLine['change'] {
  if (!range) return 'not-enough';
  const [low, high] = range;
  if (low > 1 + TOLERANCE) return good === 'more' ? 'better' : 'worse';
  if (high < 1 - TOLERANCE) return good === 'more' ? 'worse' : 'better';
  return high / low <= WIDEST_SAME ? 'same' : 'not-enough';
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
