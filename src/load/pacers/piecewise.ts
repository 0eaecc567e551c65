/**
 * Piecewise linear rates: the arithmetic of constant, ramp, step and spike.
 *
 *   λ │      ╱──────         a segment from rate a to rate b in T seconds: Λ(t) = a·t + (b − a)·t² / 2T
 *     │   ╱ │      │──       arrival k of it: t = 2k / (a + √(a² + 2k·(b − a) / T))
 *     └──────────────────
 *
 * Each due time comes from the inverse of the integral, never from the time before it: rounding errors do not add
 * up over a long stream.
 */

import type { Pacer } from './pacer.ts';

/** A stretch of time in which the rate changes linearly from one value to another. */
export interface RateSegment {
  readonly from: number;
  readonly to: number;
  readonly durationMs: number;
}

/** A sum this close to an integer is meant to be that integer: 0.1 + 0.2 is 0.3. */
const ROUNDING = 1e-6;

export function piecewise(given: readonly RateSegment[]): Pacer {
  const segments = given.filter(({ durationMs }) => durationMs > 0);
  const total = segments.reduce((sum, one) => sum + arrivalsOf(one), 0);
  return {
    expectedArrivals: countBelow(total),
    peakRate: Math.max(0, ...segments.flatMap(({ from, to }) => [from, to])),
    times: () => timesOf(segments),
  };
}

function* timesOf(segments: readonly RateSegment[]): Iterable<number> {
  let startMs = 0;
  let before = 0;
  let index = 0;
  for (const segment of segments) {
    const after = before + arrivalsOf(segment);
    const endIndex = countBelow(after);
    for (; index < endIndex; index++) yield startMs + timeWithin(segment, index - before);
    before = after;
    startMs += segment.durationMs;
  }
}

/** How many integers from 0 are less than this. */
function countBelow(limit: number): number {
  return Math.ceil(limit - ROUNDING);
}

function arrivalsOf({ from, to, durationMs }: RateSegment): number {
  return ((from + to) / 2) * (durationMs / 1_000);
}

/** When a segment has had this many arrivals, in milliseconds from its start. */
function timeWithin({ from, to, durationMs }: RateSegment, arrivals: number): number {
  const count = Math.max(0, arrivals);
  if (count === 0) return 0;
  const slope = (to - from) / (durationMs / 1_000);
  const root = Math.sqrt(Math.max(0, from * from + 2 * slope * count));
  return Math.min(durationMs, ((2 * count) / (from + root)) * 1_000);
}
