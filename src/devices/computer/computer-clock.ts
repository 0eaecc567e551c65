/**
 * Computer clock: what a computer believes the time is. Its reports carry this time; nothing waits by it.
 */

import { ActionableError } from '../../common/actionable-error.ts';
import type { Clock } from '../../common/clock.ts';

/** A century: clocks are this wrong at most, and a time beyond the year 9999 is no timestamp of the link. */
const WORST_SKEW_MS = 100 * 365.25 * 86_400_000;

export class ComputerClock {
  readonly #clock: Clock;
  #skewMs = 0;

  /** @throws ActionableError when the skew is more than a clock can be wrong */
  constructor(clock: Clock, skewMs: number) {
    this.#clock = clock;
    this.skew(skewMs);
  }

  now(): number {
    return this.#clock.now() + this.#skewMs;
  }

  /** Sets it ahead by so much, or back. @throws ActionableError as the constructor does */
  skew(byMs: number): void {
    const skewMs = this.#skewMs + byMs;
    if (!(Math.abs(skewMs) <= WORST_SKEW_MS)) {
      const message = `a computer's clock cannot be ${skewMs} ms wrong`;
      throw new ActionableError('usage', message, 'Give clockSkewMs of a century at most.');
    }
    this.#skewMs = skewMs;
  }
}
