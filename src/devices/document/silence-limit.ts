/**
 * Silence limit: ends a request when nothing was heard of the other end for a time on the clock.
 */

import type { Clock, Timer } from '../../common/clock.ts';
import { formatDuration } from '../../common/duration.ts';

export class SilenceLimit {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #abort = new AbortController();
  #timer: Timer;

  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#timer = this.#arm();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  heard(): void {
    this.#timer.cancel();
    this.#timer = this.#arm();
  }

  end(): void {
    this.#timer.cancel();
  }

  #arm(): Timer {
    const reason = new Error(`timeout: nothing was heard for ${formatDuration(this.#limitMs)}`);
    return this.#clock.schedule(this.#limitMs, () => this.#abort.abort(reason));
  }
}
