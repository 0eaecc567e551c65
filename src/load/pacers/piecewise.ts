/**
 * Piecewise linear rates: the arithmetic that constant, ramp, step and spike share.
 *
 *   λ │      ╱──────         a leg from rate a to rate b in T seconds: Λ(t) = a·t + (b − a)·t² / 2T
 *     │   ╱ │      │──       arrival k of it: t = 2k / (a + √(a² + 2k·(b − a) / T))
 *     └──────────────────
 *
 * Each due time comes from the inverse of the integral alone, never from the one before it: rounding does
 * not add up, and an hour of traffic ends on the same microsecond as a second of it.
 */

import type { Pacer } from './pacer.ts';

/** A stretch of time in which the rate goes evenly from one value to another. */
export interface RateLeg {
  readonly from: number;
  readonly to: number;
  readonly durationMs: number;
}

/** A sum that is this near to a whole number is meant to be it: 0.1 + 0.2 is 0.3. */
const ROUNDING = 1e-6;

export function piecewise(legs: readonly RateLeg[]): Pacer {
  const total = legs.reduce((sum, leg) => sum + arrivalsOf(leg), 0);
  return {
    expectedArrivals: countBelow(total),
    peakRate: Math.max(0, ...legs.flatMap(({ from, to }) => [from, to])),
    times: () => timesOf(legs),
  };
}

function* timesOf(legs: readonly RateLeg[]): Iterable<number> {
  let startMs = 0;
  let before = 0;
  let index = 0;
  for (const leg of legs) {
    const after = before + arrivalsOf(leg);
    const endIndex = countBelow(after);
    for (; index < endIndex; index++) yield startMs + timeWithin(leg, index - before);
    before = after;
    startMs += leg.durationMs;
  }
}

/** Whole numbers from 0 that are less than this. */
function countBelow(limit: number): number {
  return Math.ceil(limit - ROUNDING);
}

function arrivalsOf({ from, to, durationMs }: RateLeg): number {
  return ((from + to) / 2) * (durationMs / 1_000);
}

/** When a leg has brought so many arrivals, in milliseconds from its start. */
function timeWithin({ from, to, durationMs }: RateLeg, arrivals: number): number {
  const count = Math.max(0, arrivals);
  if (count === 0) return 0;
  const slope = (to - from) / (durationMs / 1_000);
  const root = Math.sqrt(Math.max(0, from * from + 2 * slope * count));
  return Math.min(durationMs, ((2 * count) / (from + root)) * 1_000);
}
