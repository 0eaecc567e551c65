/**
 * Constant: the same rate from beginning to end.
 */

import type { PacerMaker } from './pacer.ts';
import { piecewise } from './piecewise.ts';

export const constant: PacerMaker<'constant'> = ({ rate }, durationMs) =>
  piecewise([{ from: rate, to: rate, durationMs }]);
