/**
 * Timekeeper: lets time pass, real or virtual.
 *
 * A Clock is what takes part in time; a Timekeeper makes it go by: on the system clock by waiting, on
 * a virtual clock by advancing it. Checks, waits and scenarios are written against this.
 */

import { sleep, systemClock } from './clock.ts';
import { durationMs, type Duration } from './duration.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** Two times of one clock, the first not later than the second; what lies between them is not known better. */
export interface TimeInterval {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a service does by itself when it is due, by timers that may not follow a clock moved from outside. */
export type TimedRule = 'expiry' | 'retries';

/** A clock elsewhere that is moved from here. */
export interface MovedTime {
  /** How far `now` may be from the time there. */
  errorMs: number;
  /** What the request limits there count on: `none` where none was met. */
  limits: 'moved' | 'real' | 'none';
  /** The time there need not be asked for. */
  readonly isKnown: boolean;
  /** Real time that the service may need to notice a move. */
  lagMs: number;
  /** What was tried and does not follow. */
  readonly unfollowed: Set<TimedRule>;
  /** Real time that what is under way takes to arrive, as far as the last moves tell. */
  readonly momentMs: number;
  /** When something happened there that was seen here at this instant, on the scale of monotonicMs. */
  placeOf(instantMs: number): TimeInterval;
  /** From now on this is the present time there. */
  setTo(ms: number): void;
  /** From now on real time counts too: the clock there does not stand still between two moves. */
  runFreely(): void;
}

export interface Timekeeper {
  readonly isVirtual: boolean;
  readonly moved?: MovedTime | undefined;
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

/** The present, as far as it is known. */
export function presentOf({ now, moved }: Pick<Timekeeper, 'now' | 'moved'>): TimeInterval {
  const [nowMs, errorMs] = [now(), moved?.errorMs ?? 0];
  return { fromMs: nowMs - errorMs, toMs: nowMs + errorMs };
}

export function virtualTimekeeper(clock: VirtualClock): Timekeeper {
  return { isVirtual: true, now: () => clock.now(), elapse: (duration) => clock.advance(duration) };
}
