/**
 * Rate limit: a number of requests a second, and short bursts.
 *
 *   theoretical arrival ──┬── now ──────────────► time
 *   in the past: all tokens are there            each request moves it on by one interval;
 *   in the future: tokens are missing            further ahead than the burst allows: refused
 *
 * A token bucket kept as one number for each key, the theoretical arrival time. A refused request costs
 * nothing (gap/rate-limit-refused-cost): a caller in excess still gets ten a second through. Keys whose
 * bucket is full again are forgotten, so memory follows the recent callers.
 */

import { LIMITS } from '../../specification/limits.ts';

const INTERVAL_MS = 1_000 / LIMITS.requestsPerSecond.value;
const BURST_MS = LIMITS.requestBurst.value * INTERVAL_MS;

export interface RateLimit {
  /**
   * Counts a request of this key.
   *
   * @returns milliseconds to wait: 0 when the request is within the limit, else it is refused and not counted
   */
  take(key: string, nowMs: number): number;
}

export class TokenBuckets implements RateLimit {
  #recent = new Map<string, number>();
  #older = new Map<string, number>();
  #generationEndsMs = Number.NEGATIVE_INFINITY;

  /** Keys that are remembered. */
  get size(): number {
    return this.#recent.size + this.#older.size;
  }

  take(key: string, nowMs: number): number {
    this.#forgetFull(nowMs);
    const arrivalMs = Math.max(nowMs, this.#arrivalMs(key, nowMs));
    const waitMs = arrivalMs + INTERVAL_MS - (nowMs + BURST_MS);
    if (waitMs > 0) return waitMs;
    this.#older.delete(key);
    this.#recent.set(key, arrivalMs + INTERVAL_MS);
    return 0;
  }

  #arrivalMs(key: string, nowMs: number): number {
    const arrivalMs = this.#recent.get(key) ?? this.#older.get(key) ?? nowMs;
    // No bucket is emptier than empty: this one was filled before the clock was set back.
    return arrivalMs > nowMs + BURST_MS ? nowMs : arrivalMs;
  }

  /** A bucket that was not used for as long as filling takes is full, and need not be kept. */
  #forgetFull(nowMs: number): void {
    const leftMs = this.#generationEndsMs - nowMs;
    if (leftMs > 0 && leftMs <= BURST_MS) return;
    this.#older = leftMs > -BURST_MS ? this.#recent : new Map();
    this.#recent = new Map();
    this.#generationEndsMs = nowMs + BURST_MS;
  }
}
