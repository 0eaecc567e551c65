/**
 * Spike: a base rate with one burst in it.
 */

import type { PacerMaker } from './pacer.ts';
import { piecewise } from './piecewise.ts';

export const spike: PacerMaker<'spike'> = ({ base, peak, atMs, forMs }, durationMs) => {
  const startMs = Math.min(atMs, durationMs);
  const endMs = Math.min(atMs + forMs, durationMs);
  const legs = [
    { from: base, to: base, durationMs: startMs },
    { from: peak, to: peak, durationMs: endMs - startMs },
    { from: base, to: base, durationMs: durationMs - endMs },
  ];
  return piecewise(legs.filter((leg) => leg.durationMs > 0));
};
