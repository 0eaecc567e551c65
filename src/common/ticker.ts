/**
 * Ticker: real time in the smallest steps that timers have, for whoever has to be on time at an absolute
 * schedule. A tick says only "look at the clock": ticks are late or left out when the process is busy.
 */

import type { Timer } from './clock.ts';

/** Calls `tick` about once a millisecond until it is cancelled. */
export function everyMillisecond(tick: () => void): Timer {
  const handle = setInterval(tick, 1);
  return { cancel: () => clearInterval(handle) };
}
