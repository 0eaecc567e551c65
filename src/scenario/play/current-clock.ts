/**
 * Current clock: stands for the clock of the scenario that plays at the moment. What is costly and lives
 * longer than one scenario (the press) is given this, and so holds up the right time.
 */

import { systemClock, type Clock } from '../../common/clock.ts';

export class CurrentClock implements Clock {
  /** The clock that is meant. */
  current: Clock = systemClock;

  get isVirtual(): boolean {
    return this.current.isVirtual;
  }

  now(): number {
    return this.current.now();
  }

  schedule(delayMs: number, task: () => void): ReturnType<Clock['schedule']> {
    return this.current.schedule(delayMs, task);
  }

  beat(intervalMs: number, task: () => void): ReturnType<Clock['beat']> {
    return this.current.beat(intervalMs, task);
  }

  hold(what: string, patienceMs?: number): ReturnType<Clock['hold']> {
    return this.current.hold(what, patienceMs);
  }
}
