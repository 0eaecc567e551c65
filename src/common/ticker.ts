/**
 * Ticker: real time in the smallest steps that timers have, for work on an absolute schedule. A tick only says "look
 * at the clock": ticks are late or missing when the process is busy.
 */

import type { Timer } from './clock.ts';

/** Begins to call `tick`, until it is cancelled. */
export type Ticker = (tick: () => void) => Timer;

/** Calls `tick` about once a millisecond until it is cancelled. */
export function everyMillisecond(tick: () => void): Timer {
  const handle = setInterval(tick, 1);
  return { cancel: () => clearInterval(handle) };
}

/** Ticks about once a millisecond, and whenever it is nudged in between. */
export class NudgedTicker {
  #tick: () => void = () => undefined;

  readonly begin: Ticker = (tick) => {
    this.#tick = tick;
    return everyMillisecond(tick);
  };

  nudge(): void {
    this.#tick();
  }
}
