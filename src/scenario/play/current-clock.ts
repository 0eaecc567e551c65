/**
 * Current clock: forwards to the clock of the scenario that plays now. It is for things that outlive a scenario, as
 * they are costly (the press), so that they hold the right clock.
 */

import { systemClock, type Clock } from '../../common/clock.ts';

export class CurrentClock implements Clock {
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
