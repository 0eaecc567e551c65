/**
 * Busy: how many times longer things take on a machine that has more to do than it has cores, as in CI, where other
 * tests run beside the attacks.
 */

import { availableParallelism, loadavg } from 'node:os';

export function busyFactor(): number {
  const [lastMinute = 0] = loadavg();
  return Math.max(1, lastMinute / availableParallelism());
}
