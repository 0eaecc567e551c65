/**
 * Workbench time: the clock of a workbench, as people and programs move it.
 */

import { systemClock, type Clock } from '../common/clock.ts';
import type { Duration } from '../common/duration.ts';
import { realTimekeeper, virtualTimekeeper, type Timekeeper } from '../common/timekeeper.ts';
import { VirtualClock } from '../common/virtual-clock.ts';
import type { ClockView } from '../record/control-types.ts';
import { Pacemaker } from './pacemaker.ts';

export class WorkbenchTime {
  readonly clock: Clock;
  readonly timekeeper: Timekeeper;
  readonly #pacemaker: Pacemaker | undefined;

  constructor(choice: 'real' | 'virtual' | VirtualClock) {
    const virtual = choice === 'virtual' ? new VirtualClock() : choice;
    this.clock = virtual === 'real' ? systemClock : virtual;
    this.timekeeper = virtual === 'real' ? realTimekeeper : virtualTimekeeper(virtual);
    this.#pacemaker = virtual === 'real' ? undefined : new Pacemaker(this.timekeeper);
  }

  now(): number {
    return this.clock.now();
  }

  view(): ClockView {
    const nowMs = this.now();
    const { isVirtual } = this.timekeeper;
    const running = this.#pacemaker?.running ?? true;
    return { nowMs, now: new Date(nowMs).toISOString(), isVirtual, running };
  }

  /** Lets time pass: moves a virtual clock on and settles, waits on a real one. */
  advance(duration: Duration): Promise<void> {
    return this.timekeeper.elapse(duration);
  }

  /** Lets a virtual clock run with real time. @returns false on a real one, which always does */
  resume(): boolean {
    this.#pacemaker?.resume();
    return this.#pacemaker !== undefined;
  }

  /** Makes a virtual clock stand still. @returns false on a real one, which cannot */
  async freeze(): Promise<boolean> {
    await this.#pacemaker?.freeze();
    return this.#pacemaker !== undefined;
  }
}
