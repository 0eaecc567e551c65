/**
 * Poisson: arrivals that know nothing of each other, as those of many callers. The gaps are drawn from the
 * seed; their number differs from seed to seed, around rate × duration.
 */

import type { PacerMaker } from './pacer.ts';

export const poisson: PacerMaker<'poisson'> = ({ rate }, durationMs) => ({
  expectedArrivals: Math.round((rate * durationMs) / 1_000),
  peakRate: rate,
  *times(random) {
    if (rate <= 0) return;
    const meanGapMs = 1_000 / rate;
    let atMs = -Math.log(1 - random.fraction()) * meanGapMs;
    while (atMs < durationMs) {
      yield atMs;
      atMs += -Math.log(1 - random.fraction()) * meanGapMs;
    }
  },
});
