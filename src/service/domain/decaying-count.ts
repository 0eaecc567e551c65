/**
 * Decaying counts: how often something happened, with the past fading.
 *
 *   value(t) = Σ e^(−(t − tᵢ) / scale)   over the times tᵢ at which it happened
 *
 * No history is kept: a value and its time suffice, since the whole sum fades at one rate.
 */

import { z } from 'zod';

import { keysOf } from '../../common/keys-of.ts';
import { STATISTIC_MEASURES } from '../../specification/fields.ts';

const UNIT_MS = { days: 86_400_000, day: 86_400_000, hour: 3_600_000, minutes: 60_000 } as const;

export type Measure = keyof typeof STATISTIC_MEASURES;

/** The five measures of one statistic, as they were at `atMs`. */
export interface DecayingCount {
  readonly atMs: number;
  readonly measures: Readonly<Record<Measure, number>>;
}

/** What a stored one has to have. */
export const STORED_COUNT: z.ZodType<DecayingCount> = z.object({
  atMs: z.number(),
  measures: z.record(z.enum(keysOf(STATISTIC_MEASURES)), z.number()),
});

/** Replaceable: the arithmetic of the statistics. */
export interface DecayingCounts {
  nothing(nowMs: number): DecayingCount;
  /** It happened once more, or several times at once. */
  add(count: DecayingCount, happenings: number, nowMs: number): DecayingCount;
  /** The measures as they are now. */
  read(count: DecayingCount, nowMs: number): Readonly<Record<Measure, number>>;
}

export const decayingCounts: DecayingCounts = {
  nothing: (nowMs) => ({ atMs: nowMs, measures: mapMeasures(() => 0) }),
  add: (count, happenings, nowMs) => {
    const faded = fade(count, nowMs);
    return { atMs: nowMs, measures: mapMeasures((measure) => faded[measure] + happenings) };
  },
  read: fade,
};

function fade({ atMs, measures }: DecayingCount, nowMs: number): Record<Measure, number> {
  return mapMeasures((measure) => {
    const { scale } = STATISTIC_MEASURES[measure];
    if (scale === null) return measures[measure];
    return measures[measure] * Math.exp((atMs - nowMs) / (scale.value * UNIT_MS[scale.unit]));
  });
}

function mapMeasures(valueOf: (measure: Measure) => number): Record<Measure, number> {
  return {
    counts: valueOf('counts'),
    exp7d: valueOf('exp7d'),
    exp1d: valueOf('exp1d'),
    exp1h: valueOf('exp1h'),
    exp5m: valueOf('exp5m'),
  };
}
