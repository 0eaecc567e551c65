/**
 * Scale retention: how long a reading is kept. One rule for whoever reads and for whoever tidies up.
 */

import { LIMITS } from '../../spec/limits.ts';

export const SCALE_RETENTION_MS = LIMITS.scaleRetentionSeconds.value * 1_000;

/** Whether a reading that the service took at `createdMs` is still there at `nowMs`. */
export function isReadingRetained(createdMs: number, nowMs: number): boolean {
  return nowMs - createdMs < SCALE_RETENTION_MS;
}
