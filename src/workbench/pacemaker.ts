/**
 * Pacemaker: lets a virtual clock run along with real time, until it is frozen again.
 *
 *   frozen (at the start) ── resume ──► running: each beat moves the clock by what has really passed
 *                         ◄─ freeze ──
 */

import { systemClock, type Timer } from '../common/clock.ts';
import { startStopwatch } from '../common/stopwatch.ts';
import type { Timekeeper } from '../common/timekeeper.ts';

const BEAT_MS = 50;

export class Pacemaker {
  readonly #timekeeper: Timekeeper;
  #beat: Timer | undefined;
  #lastMove: Promise<void> = Promise.resolve();

  constructor(timekeeper: Timekeeper) {
    this.#timekeeper = timekeeper;
  }

  get running(): boolean {
    return this.#beat !== undefined;
  }

  resume(): void {
    if (this.#beat) return;
    let sinceMs = startStopwatch();
    this.#beat = systemClock.beat(BEAT_MS, () => {
      const passedMs = sinceMs();
      sinceMs = startStopwatch();
      this.#lastMove = this.#timekeeper.elapse(Math.round(passedMs));
    });
  }

  /** Resolves when the clock stands still. */
  async freeze(): Promise<void> {
    this.#beat?.cancel();
    this.#beat = undefined;
    await this.#lastMove;
  }
}
