/**
 * Ramp: the rate goes evenly from one value to another over the whole stream.
 */

import type { PacerMaker } from './pacer.ts';
import { piecewise } from './piecewise.ts';

export const ramp: PacerMaker<'ramp'> = ({ from, to }, durationMs) => piecewise([{ from, to, durationMs }]);
