/**
 * Pacing: a polite client. It stays below the request rate of a live service, so that a check fails for
 * what it looks at and not because of a limit it ran into.
 */

import { sleep, type Clock } from '../common/clock.ts';

export interface Pace {
  /** Resolves when the next request may go out. */
  next(): Promise<void>;
}

/** No waiting: for a service without a request limit. */
export const UNLIMITED: Pace = { next: () => Promise.resolve() };

/** Evenly spaced turns, with room for a short burst after a pause. */
export function createPace(clock: Clock, requestsPerSecond: number, burst: number): Pace {
  const intervalMs = 1_000 / requestsPerSecond;
  let paidUntilMs = 0;
  return {
    async next() {
      const nowMs = clock.now();
      const turnMs = Math.max(nowMs - burst * intervalMs, paidUntilMs);
      paidUntilMs = turnMs + intervalMs;
      if (paidUntilMs > nowMs) await sleep(clock, paidUntilMs - nowMs);
    },
  };
}
