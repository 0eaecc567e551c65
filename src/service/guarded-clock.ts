/**
 * Guarded clock: a fault in what a service does by itself, at its time, goes to the guard and does not end the process.
 */

import { ForwardingClock, type Clock, type Timer } from '../common/clock.ts';

/** Runs a task, and tells its fault. */
type Guard = (task: () => void) => void;

export class GuardedClock extends ForwardingClock {
  readonly #guard: Guard;

  constructor(clock: Clock, guard: Guard) {
    super(() => clock);
    this.#guard = guard;
  }

  override schedule(delayMs: number, task: () => void): Timer {
    return super.schedule(delayMs, () => this.#guard(task));
  }

  override beat(intervalMs: number, task: () => void): Timer {
    return super.beat(intervalMs, () => this.#guard(task));
  }
}
