/**
 * Timekeeper: lets time pass, real or virtual.
 *
 * A Clock is what takes part in time; a Timekeeper makes it go by: on the system clock by waiting, on
 * a virtual clock by advancing it. Checks, waits and scenarios are written against this.
 */

import { sleep, systemClock } from './clock.ts';
import { durationMs, type Duration } from './duration.ts';
import type { VirtualClock } from './virtual-clock.ts';

export interface Timekeeper {
  readonly isVirtual: boolean;
  /** Milliseconds since the epoch, on the clock that is kept. */
  now(): number;
  /**
   * Resolves when the duration has gone by and what came due has settled.
   *
   * @param signal - ends a wait in real time early: it rejects with the reason of the signal
   */
  elapse(duration: Duration, signal?: AbortSignal): Promise<void>;
}

export const realTimekeeper: Timekeeper = {
  isVirtual: false,
  now: () => systemClock.now(),
  elapse: (duration, signal) => sleep(systemClock, durationMs(duration), signal),
};

export function virtualTimekeeper(clock: VirtualClock): Timekeeper {
  return { isVirtual: true, now: () => clock.now(), elapse: (duration) => clock.advance(duration) };
}
