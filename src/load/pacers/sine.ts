/**
 * Sine: a rate that swings around a mean, as a day does.
 *
 *   λ(t) = mean + amplitude · sin(2πt / period)
 *   Λ(t) = mean · t + amplitude · period / 2π · (1 − cos(2πt / period))
 *
 * The amplitude is at most the mean, so Λ never falls and bisection finds its inverse.
 */

import type { Pacer } from './pacer.ts';

/** Bisections of an interval of at most twice the amplitude's area: precise to far below a microsecond. */
const HALVINGS = 60;
const ROUNDING = 1e-6;

export interface SineSettings {
  readonly mean: number;
  readonly amplitude: number;
  readonly periodMs: number;
}

export function sine({ mean, amplitude, periodMs }: SineSettings, durationMs: number): Pacer {
  const swing = Math.min(amplitude, mean);
  const areaOfSwing = (swing * (periodMs / 1_000)) / (2 * Math.PI);
  const integral = (atMs: number): number =>
    mean * (atMs / 1_000) + areaOfSwing * (1 - Math.cos((2 * Math.PI * atMs) / periodMs));
  const count = Math.ceil(integral(durationMs) - ROUNDING);
  return {
    expectedArrivals: count,
    peakRate: mean + swing,
    times: () => timesOf(count, durationMs, integral),
  };
}

function* timesOf(count: number, durationMs: number, integral: (atMs: number) => number): Iterable<number> {
  let lastMs = 0;
  for (let index = 0; index < count; index++) {
    lastMs = index === 0 ? 0 : timeOf(index, lastMs, durationMs, integral);
    yield lastMs;
  }
}

/** When the integral reaches this many arrivals, which is at or after `fromMs`. */
function timeOf(arrivals: number, fromMs: number, toMs: number, integral: (atMs: number) => number): number {
  let lowMs = fromMs;
  let highMs = toMs;
  for (let halving = 0; halving < HALVINGS && highMs - lowMs > 1e-4; halving++) {
    const middleMs = (lowMs + highMs) / 2;
    if (integral(middleMs) < arrivals) lowMs = middleMs;
    else highMs = middleMs;
  }
  return highMs < toMs ? highMs : lowMs;
}
