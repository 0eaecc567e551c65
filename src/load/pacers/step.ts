/**
 * Step: one level after the other. The last one lasts to the end of the stream; what lies beyond the end
 * does not happen.
 */

import type { PacerMaker } from './pacer.ts';
import { piecewise, type RateLeg } from './piecewise.ts';

export const step: PacerMaker<'step'> = ({ levels }, durationMs) => {
  let leftMs = durationMs;
  const legs = levels.map(({ rate, forMs }, index): RateLeg => {
    const isLast = index === levels.length - 1;
    const lastsMs = isLast ? leftMs : Math.min(leftMs, forMs);
    leftMs -= lastsMs;
    return { from: rate, to: rate, durationMs: lastsMs };
  });
  return piecewise(legs.filter((leg) => leg.durationMs > 0));
};
