/**
 * Expiry watch: one timer for the next job that expires, however many there are.
 */

import type { Clock, Timer } from '../../common/clock.ts';

export interface Expiring {
  /** When the next one is due, in milliseconds since the epoch; undefined when none is. */
  nextExpiryMs(): number | undefined;
  /** Lets everything expire that is due. */
  expire(): void;
}

export class ExpiryWatch {
  readonly #clock: Clock;
  readonly #expiring: Expiring;
  #timer: Timer | undefined;
  #armedForMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, expiring: Expiring) {
    this.#clock = clock;
    this.#expiring = expiring;
    const nextMs = expiring.nextExpiryMs();
    if (nextMs !== undefined) this.mind(nextMs);
  }

  /** Something new is due at `dueMs`. */
  mind(dueMs: number): void {
    if (dueMs >= this.#armedForMs) return;
    this.#timer?.cancel();
    this.#armedForMs = dueMs;
    this.#timer = this.#clock.schedule(dueMs - this.#clock.now(), () => this.#fire());
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #fire(): void {
    this.#armedForMs = Number.POSITIVE_INFINITY;
    this.#expiring.expire();
    const nextMs = this.#expiring.nextExpiryMs();
    if (nextMs !== undefined) this.mind(nextMs);
  }
}
