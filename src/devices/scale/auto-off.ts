/**
 * Auto-off: switches off the scales that are not touched, with one timer for all of a room.
 *
 *   idle scales ─► timer for the one that is due first ─► off, and so are all others due by then
 *
 * A scale that is touched leaves at once or moves its time; the timer then finds nothing due and
 * is set again. So an idle scale costs a place in a set, and goes off to the millisecond.
 */

import type { Clock, Timer } from '../../common/clock.ts';

/** Something that switches itself off when it is left alone. */
export interface SelfOff {
  /** When, on the clock, as it stands now. */
  readonly offAtMs: number;
  switchOff(): void;
}

export class AutoOff {
  readonly #clock: Clock;
  readonly #idle = new Set<SelfOff>();
  #timer: Timer | undefined;
  #timerDueMs = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(device: SelfOff): void {
    this.#idle.add(device);
    if (device.offAtMs < this.#timerDueMs) this.#arm(device.offAtMs);
  }

  remove(device: SelfOff): void {
    this.#idle.delete(device);
    if (this.#idle.size === 0) this.#disarm();
  }

  #arm(dueMs: number): void {
    this.#disarm();
    this.#timerDueMs = dueMs;
    this.#timer = this.#clock.schedule(dueMs - this.#clock.now(), () => this.#look());
  }

  #disarm(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#timerDueMs = Infinity;
  }

  #look(): void {
    this.#disarm();
    const nowMs = this.#clock.now();
    const due = [...this.#idle].filter((device) => device.offAtMs <= nowMs);
    for (const device of due) {
      this.#idle.delete(device);
      device.switchOff();
    }
    let nextMs = Infinity;
    for (const device of this.#idle) nextMs = Math.min(nextMs, device.offAtMs);
    if (nextMs < Infinity) this.#arm(nextMs);
  }
}
