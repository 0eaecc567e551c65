/**
 * Driven clock: the clock of a workbench, as people and programs move it.
 *
 *   virtual: frozen (at the start) ── resume ──► running: each beat moves it by what has really passed
 *                                  ◄─ freeze ──
 */

import { ActionableError } from '../common/actionable-error.ts';
import { systemClock, type Clock, type Timer } from '../common/clock.ts';
import type { Duration } from '../common/duration.ts';
import { startStopwatch } from '../common/stopwatch.ts';
import { realTimekeeper, virtualTimekeeper, type Timekeeper } from '../common/timekeeper.ts';
import { VirtualClock } from '../common/virtual-clock.ts';
import type { ClockView } from '../record/control-types.ts';

const BEAT_MS = 50;

export class DrivenClock {
  readonly clock: Clock;
  readonly timekeeper: Timekeeper;
  #beat: Timer | undefined;
  #lastMove: Promise<void> = Promise.resolve();

  constructor(choice: 'real' | 'virtual' | VirtualClock) {
    const virtual = choice === 'virtual' ? new VirtualClock() : choice;
    this.clock = virtual === 'real' ? systemClock : virtual;
    this.timekeeper = virtual === 'real' ? realTimekeeper : virtualTimekeeper(virtual);
  }

  get isVirtual(): boolean {
    return this.timekeeper.isVirtual;
  }

  now(): number {
    return this.clock.now();
  }

  view(): ClockView {
    const nowMs = this.now();
    const { isVirtual } = this;
    const running = !isVirtual || this.#beat !== undefined;
    return { nowMs, now: new Date(nowMs).toISOString(), isVirtual, running };
  }

  /** Lets time pass: advances a virtual clock and settles, waits on a real one. */
  advance(duration: Duration): Promise<void> {
    return this.timekeeper.elapse(duration);
  }

  /** Lets a virtual clock run with real time. @returns false on a real one, which always does */
  resume(): boolean {
    if (!this.isVirtual || this.#beat) return this.isVirtual;
    let sinceMs = startStopwatch();
    this.#beat = systemClock.beat(BEAT_MS, () => {
      const passedMs = sinceMs();
      sinceMs = startStopwatch();
      this.#lastMove = this.timekeeper.elapse(Math.round(passedMs)).catch((error: unknown) => this.#end(error));
    });
    return true;
  }

  /** Stops a virtual clock; resolves when it stands still. @returns false on a real one, which cannot stop */
  async freeze(): Promise<boolean> {
    this.#stop();
    await this.#lastMove;
    return this.isVirtual;
  }

  #stop(): void {
    this.#beat?.cancel();
    this.#beat = undefined;
  }

  /** A clock that cannot go further stands still. */
  #end(error: unknown): void {
    if (!(error instanceof ActionableError)) throw error;
    this.#stop();
  }
}
