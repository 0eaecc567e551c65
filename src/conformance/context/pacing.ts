/**
 * Pacing: a polite client. It stays below the request rate of a service, so that a check fails for what
 * it looks at and not because of a limit it ran into. On a virtual clock it lets that go by; where a hook moves the
 * clock, for several requests with one call.
 */

import type { Timekeeper } from '../../common/timekeeper.ts';

export interface Pace {
  /** Resolves when the next request may go out. */
  next(): Promise<void>;
}

/** No waiting: for a service without a request rate. */
export const UNLIMITED: Pace = { next: () => Promise.resolve() };

const MOVED_AT_ONCE_MS = 450;

/** Evenly spaced turns, with room for a short burst after a pause. */
export function createPace(timekeeper: Timekeeper, requestsPerSecond: number, burst: number): Pace {
  const leastMs = timekeeper.moved ? MOVED_AT_ONCE_MS : 0;
  // Whole milliseconds: nothing that reads the clock expects parts of one.
  const intervalMs = Math.ceil(1_000 / requestsPerSecond);
  let paidUntilMs = 0;
  return {
    async next() {
      const nowMs = timekeeper.now();
      const turnMs = Math.max(nowMs - burst * intervalMs, paidUntilMs);
      paidUntilMs = turnMs + intervalMs;
      if (turnMs > nowMs) await timekeeper.elapse(Math.max(turnMs - nowMs, leastMs));
    },
  };
}

/** A request that several budgets pay for: that of its source address, that of its account. */
export function allOf(paces: readonly Pace[]): Pace {
  return {
    async next() {
      await Promise.all(paces.map((pace) => pace.next()));
    },
  };
}
