/**
 * Workbench clock: the time of a workbench, for programs.
 */

import { passingMs, type Duration } from '../../common/duration.ts';
import { realTimekeeper } from '../../common/timekeeper.ts';
import type { ClockView } from '../../record/control-types.ts';
import type { ControlClient } from '../control/control-client.ts';

/** The time of a workbench. */
export class WorkbenchClock {
  readonly isVirtual: boolean;
  readonly #control: ControlClient;

  constructor(control: ControlClient, isVirtual: boolean) {
    this.#control = control;
    this.isVirtual = isVirtual;
  }

  /** Milliseconds since 1970. */
  async now(): Promise<number> {
    return (await this.#control.get<ClockView>('/clock')).nowMs;
  }

  /**
   * Advances a virtual clock; resolves when all that came due has settled.
   *
   * @param by - with a unit, as `'45s'` or `'14d'`
   * @throws ActionableError on real time
   */
  async advance(by: string): Promise<void> {
    // Refused here, so that the stack of the error names the caller's line; a bare number as on the command line.
    const given: unknown = by;
    passingMs(String(given));
    await this.#advance(by);
  }

  /** Lets time pass: advances a virtual clock, waits on a real one. */
  async pass(duration: Duration): Promise<void> {
    if (this.isVirtual) await this.#advance(duration);
    else await realTimekeeper.elapse(duration);
  }

  /** Makes a virtual clock stand still, as it does at the start. */
  async freeze(): Promise<void> {
    await this.#control.post('/clock/freeze');
  }

  /** Lets a virtual clock run with real time. */
  async resume(): Promise<void> {
    await this.#control.post('/clock/resume');
  }

  async #advance(by: Duration): Promise<void> {
    await this.#control.post('/clock/advance', { by });
  }
}
