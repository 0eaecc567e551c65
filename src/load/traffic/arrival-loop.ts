/**
 * Arrival loop: hands out every arrival at its intended time, or as soon after it as the process comes to it.
 *
 *   schedule   │ │  │ │││ │    │        absolute: times since the start of the run
 *   ticks      ·  ·  ·  ·  ·  ·  ·      about one a millisecond, and one whenever an answer has come
 *   handed out  ││  │ ││││     │        at each tick all that are due
 *
 * The next arrival is never timed from the last one, so being late once makes no later one late: the loop
 * cannot drift. None is left out: what was due while the process stood still comes at once, late, and its
 * lateness is measured by whoever takes it.
 */

import { everyMillisecond, type Ticker } from '../../common/ticker.ts';

/** What the loop needs to know of an arrival. */
export interface Scheduled {
  /** Milliseconds since the start of the run, ascending from one arrival to the next. */
  readonly intendedMs: number;
}

export interface ArrivalLoopParts<Arrival extends Scheduled> {
  readonly arrivals: Iterable<Arrival>;
  /** Microseconds since the start of the run; negative before it. */
  readonly sinceStartUs: () => number;
  /** Takes an arrival that is due; must not wait. It may tick: nothing is handed out within it. */
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
  { arrivals, sinceStartUs, take, ticker = everyMillisecond }: ArrivalLoopParts<Arrival>,
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
