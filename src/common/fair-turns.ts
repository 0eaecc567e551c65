/**
 * Fair turns: what peers send is handled a little in each turn of the event loop, so that a peer that sends much
 * lets everybody else in between.
 *
 *   has time? ─► handle it now
 *      └─ no ──► add ─► in one of the next turns, in the order in which it was added
 */

import { startStopwatch } from './stopwatch.ts';

/** In real time: what others wait for is the process. */
const TURN_MS = 25;

class FairTurns {
  readonly #waiting: (() => void)[] = [];
  /** Since the first question in this turn. */
  #elapsedMs: (() => number) | undefined;

  /** Whether something more may be handled in this turn. */
  get hasTime(): boolean {
    return this.#ofThisTurn()() < TURN_MS;
  }

  add(task: () => void): void {
    this.#waiting.push(task);
    this.#ofThisTurn();
  }

  #ofThisTurn(): () => number {
    if (this.#elapsedMs === undefined) setImmediate(() => this.#beginNext());
    return (this.#elapsedMs ??= startStopwatch());
  }

  #beginNext(): void {
    this.#elapsedMs = undefined;
    while (this.#waiting.length > 0 && this.hasTime) this.#waiting.shift()?.();
  }
}

/** A process has one event loop. */
export const turnsOfLoop = new FairTurns();
