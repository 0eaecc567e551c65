/**
 * Scale: where a value stands between the bottom of a chart and its top, and which values are written beside it.
 */

export interface Scale {
  /** Ascending. */
  readonly ticks: readonly number[];
  readonly isLogarithmic: boolean;
  /** From 0 at the bottom to 1 at the top. */
  readonly shareOf: (value: number) => number;
}

const TICKS = 4;
const LARGEST = 1e15;

/** From zero to a round number above all values. */
export function countScale(values: readonly number[]): Scale {
  const most = Math.min(
    LARGEST,
    values.reduce((sum, value) => Math.max(sum, value), 1),
  );
  const step = roundStep(most / TICKS);
  const steps = Math.ceil(most / step);
  const top = steps * step;
  return {
    ticks: Array.from({ length: steps + 1 }, (_, index) => index * step),
    isLogarithmic: false,
    shareOf: (value) => clamp(value / top),
  };
}

/** Steps that people count in: 1, 2, 5, 10, 20, 50 … */
function roundStep(least: number): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return size * ([1, 2, 5, 10].find((factor) => factor * size >= least) ?? 10);
}

/** Whole powers of ten around all values, in microseconds. */
export function durationScale(values: readonly number[]): Scale {
  const all = values.filter((value) => value > 0).map((value) => Math.log10(Math.min(LARGEST, value)));
  const least = Math.floor(all.reduce((sum, value) => Math.min(sum, value), all[0] ?? 3));
  const most = Math.max(least + 1, Math.ceil(all.reduce((sum, value) => Math.max(sum, value), least)));
  return {
    ticks: Array.from({ length: most - least + 1 }, (_, index) => 10 ** (least + index)),
    isLogarithmic: true,
    shareOf: (value) => (value <= 0 ? 0 : clamp((Math.log10(value) - least) / (most - least))),
  };
}

const STEPS_SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200];
const A_DAY_SECONDS = 86_400;
const MOST_TIMES = 8;

/** Round times within a length, as clocks have them, from 0. */
export function timeTicks(lengthSeconds: number): readonly number[] {
  const days = A_DAY_SECONDS * Math.ceil(lengthSeconds / A_DAY_SECONDS / MOST_TIMES);
  const step = STEPS_SECONDS.find((seconds) => lengthSeconds / seconds <= MOST_TIMES) ?? days;
  return Array.from({ length: Math.floor(Math.max(0, lengthSeconds) / step) + 1 }, (_, index) => index * step);
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
