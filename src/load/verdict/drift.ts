/**
 * Drift: what grows over a soak, although the load stays the same.
 *
 *   seconds ─► without the first tenth ─► forty blocks, the median of each ─► slope between every two blocks
 *                                                                         └─► their median, and how sure it is
 *
 * The slope is that of Theil and Sen with the interval of Sen, at 99 %: a few odd blocks move neither. Blocks that
 * resemble their neighbours count for less, as in a machine that is busy for a while. A growth counts when the
 * interval lies wholly above what is of no consequence.
 */

import { sumOf } from '../../common/sums.ts';
import type { DriftRecord, LoadFacts, TrendRecord } from '../../record/load-record.ts';
import type { DriftMeasure } from '../../record/words.ts';

/** Shorter runs say too little: programs warm up for minutes. */
const SHORTEST_S = 600;
const WARM_UP_SHARE = 0.1;
const BLOCKS = 40;
const LEAST_BLOCKS = 20;
const CONFIDENCE = 0.99;
/** Standard deviations to either side that hold 99 of 100 cases. */
const DEVIATIONS = 2.576;
/** Blocks that resemble each other more than this are one block. */
const MOST_CORRELATION = 0.9;
const SECONDS_PER_HOUR = 3_600;
/** What the ledger and the account of webhooks keep of each job to the end of the run. */
const KEPT_BYTES_A_JOB = 100;
const MEGABYTE = 1e6;

/** What is of no consequence: per hour, and over the whole run. */
const TOLERANCES: Readonly<Record<DriftMeasure, { readonly perHour: number; readonly inRun: number }>> = {
  response: { perHour: 0.01, inRun: 0.01 },
  'service-memory': { perHour: 15 * MEGABYTE, inRun: 5 * MEGABYTE },
  'generator-memory': { perHour: 15 * MEGABYTE, inRun: 5 * MEGABYTE },
};
/** The load stays the same when its rate changes by no more than this share. */
const STEADY_RATE = 0.05;

interface Sample {
  readonly second: number;
  readonly value: number;
}

interface Slope extends Trend {
  /** What it is measured over. */
  readonly seconds: number;
}

export interface Point {
  readonly at: number;
  readonly value: number;
}

/** By how much values grow from one place to the next, and between which limits that is sure. */
export interface Trend {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/** Undefined for a run that is too short, or in which something was done to the service on purpose. */
export function driftOf({ series, serviceMemory = [], disasters }: LoadFacts): DriftRecord | undefined {
  const busy = series.filter(({ arrivals, ended }) => arrivals > 0 && ended > 0);
  const endS = busy.at(-1)?.second ?? 0;
  if (endS < SHORTEST_S || disasters.length > 0) return undefined;
  const rate = slopeOf(busy.map(({ second, arrivals }) => ({ second, value: Math.log(arrivals) })));
  const trends = [
    ...(isSteady(rate)
      ? [trendOf('response', busy, ({ response }) => Math.log(Math.max(1, response.p50Us)), Math.expm1)]
      : []),
    trendOf(
      'service-memory',
      serviceMemory.map((rssBytes, second) => ({ second, rssBytes })).filter(({ second }) => second <= endS),
      ({ rssBytes }) => rssBytes,
    ),
    trendOf('generator-memory', busy, ({ self, jobs }) => self.rssBytes - jobs.intended * KEPT_BYTES_A_JOB),
  ];
  return { confidence: CONFIDENCE, trends: trends.flatMap((trend) => trend ?? []) };
}

function isSteady(rate: Slope | undefined): boolean {
  return rate !== undefined && Math.abs(rate.estimate) * rate.seconds <= STEADY_RATE;
}

/** @param read - what a change of the value means: the identity, or a share where values are logarithms */
function trendOf<Second extends { readonly second: number }>(
  what: DriftMeasure,
  seconds: readonly Second[],
  valueOf: (second: Second) => number,
  read: (change: number) => number = (change) => change,
): TrendRecord | undefined {
  const slope = slopeOf(seconds.map((one) => ({ second: one.second, value: valueOf(one) })));
  if (!slope) return undefined;
  const perHour = (perSecond: number): number => read(perSecond * SECONDS_PER_HOUR);
  const low = perHour(slope.low);
  const tolerance = TOLERANCES[what];
  const isDrift = low > tolerance.perHour && read(slope.low * slope.seconds) > tolerance.inRun;
  return { what, perHour: perHour(slope.estimate), low, high: perHour(slope.high), isDrift };
}

function slopeOf(samples: readonly Sample[]): Slope | undefined {
  const blocks = blocksOf(samples);
  const [first, last] = [blocks.at(0), blocks.at(-1)];
  if (!first || !last || blocks.length < LEAST_BLOCKS) return undefined;
  return { ...trendThrough(blocks), seconds: last.at - first.at };
}

/** @param points - in their order, at least two */
export function trendThrough(points: readonly Point[]): Trend {
  const slopes = points
    .flatMap((one, place) => points.slice(place + 1).map((other) => (other.value - one.value) / (other.at - one.at)))
    .toSorted((a, b) => a - b);
  const estimate = medianOf(slopes);
  const count = points.length;
  const spread = Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18) * DEVIATIONS;
  const ranks = spread * Math.sqrt(likenessOf(points.map(({ at, value }) => value - estimate * at)));
  const ranked = (rank: number): number =>
    slopes[Math.min(slopes.length - 1, Math.max(0, Math.round(rank)))] ?? estimate;
  return { estimate, low: ranked((slopes.length - ranks) / 2 - 1), high: ranked((slopes.length + ranks) / 2) };
}

/** Each with its middle second; one in which nothing was measured is left out. */
function blocksOf(samples: readonly Sample[]): readonly Point[] {
  const end = (samples.at(-1)?.second ?? 0) + 1;
  const start = end * WARM_UP_SHARE;
  const width = (end - start) / BLOCKS;
  const warm = samples.filter(({ second }) => second >= start);
  return [...Map.groupBy(warm, ({ second }) => Math.floor((second - start) / width))].map(([block, all]) => ({
    at: start + (block + 0.5) * width,
    value: medianOf(all.map(({ value }) => value).toSorted((a, b) => a - b)),
  }));
}

/** By how much the variance grows because a block resembles the one before it: 1 where they have nothing in common. */
function likenessOf(residuals: readonly number[]): number {
  const mean = sumOf(residuals, (one) => one) / residuals.length;
  const off = residuals.map((one) => one - mean);
  const variance = sumOf(off, (one) => one * one);
  if (variance === 0) return 1;
  const shared = off.slice(1).reduce((sum, one, place) => sum + one * (off[place] ?? 0), 0);
  const correlation = Math.min(MOST_CORRELATION, Math.max(0, shared / variance));
  return (1 + correlation) / (1 - correlation);
}

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
