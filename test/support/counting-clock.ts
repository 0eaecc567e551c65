/**
 * A virtual clock that knows how many timers wait on it, beats included.
 */

import type { Timer } from '../../src/common/clock.ts';
import { VirtualClock } from '../../src/common/virtual-clock.ts';

export class CountingClock extends VirtualClock {
  readonly #waiting = new Set<object>();

  get timers(): number {
    return this.#waiting.size;
  }

  override schedule(delayMs: number, task: () => void): Timer {
    const timer = super.schedule(delayMs, () => {
      this.#waiting.delete(timer);
      task();
    });
    return this.#counted(timer);
  }

  override beat(intervalMs: number, task: () => void): Timer {
    return this.#counted(super.beat(intervalMs, task));
  }

  #counted(timer: Timer): Timer {
    this.#waiting.add(timer);
    return {
      cancel: () => {
        this.#waiting.delete(timer);
        timer.cancel();
      },
    };
  }
}
