/**
 * Arrival loop: hands out every arrival at its intended time, or as soon after as the process can.
 *
 *   schedule   │ │  │ │││ │    │        absolute: times since the start of the run
 *   ticks      ·  ·  ·  ·  ·  ·  ·      about one per millisecond, and one whenever an answer arrives
 *   handed out  ││  │ ││││     │        at each tick, all that are due
 *
 * No arrival is timed from the one before it, so the loop cannot drift: one late arrival delays no other. None
 * is skipped: whatever was due while the process was busy is handed out late, and its lateness is recorded.
 */

import { everyMillisecond, type Ticker } from '../../common/ticker.ts';

/** All that the loop knows of an arrival. */
export interface Scheduled {
  /** Milliseconds since the start of the run, in ascending order. */
  readonly intendedMs: number;
}

export interface ArrivalLoopOptions<Arrival extends Scheduled> {
  readonly arrivals: Iterable<Arrival>;
  /** Microseconds since the start of the run; negative before it. */
  readonly sinceStartUs: () => number;
  /** Takes an arrival that is due; must not wait. It may cause a tick, which then hands out nothing. */
  readonly take: (arrival: Arrival) => void;
  readonly ticker?: Ticker;
}

/**
 * Hands out all arrivals.
 *
 * @param signal - ends it before the next arrival
 * @returns how many were handed out
 */
export function runArrivals<Arrival extends Scheduled>(
  { arrivals, sinceStartUs, take, ticker = everyMillisecond }: ArrivalLoopOptions<Arrival>,
  signal?: AbortSignal,
): Promise<number> {
  const iterator = arrivals[Symbol.iterator]();
  let next = iterator.next();
  let taken = 0;
  let isDraining = false;
  const drain = (): void => {
    isDraining = true;
    while (!next.done && next.value.intendedMs * 1_000 <= sinceStartUs()) {
      take(next.value);
      taken++;
      next = iterator.next();
    }
    isDraining = false;
  };
  return new Promise((resolve, reject) => {
    const end = (): void => {
      timer.cancel();
      iterator.return?.();
      resolve(taken);
    };
    const timer = ticker(() => {
      if (isDraining) return;
      if (signal?.aborted) return end();
      try {
        drain();
      } catch (error) {
        timer.cancel();
        reject(error);
        return;
      }
      if (next.done) end();
    });
  });
}
