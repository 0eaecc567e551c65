/**
 * Paper path: from the operating system's print queue to the output tray.
 *
 *   spooler ─(done: the queue took it)─► paper path ─► output tray
 *
 * The lower of two layers: what happens here no longer changes the state of a job. Sheets come out as
 * soon as they are submitted.
 */

import type { Clock } from '../common/clock.ts';
import type { OutputTray } from './output-tray.ts';
import type { Press } from './press.ts';
import { printoutOf, type Impression, type PrintoutFacts } from './printout.ts';

export class PaperPath {
  readonly #clock: Clock;
  readonly #press: Press;
  readonly #tray: OutputTray;

  constructor(clock: Clock, press: Press, tray: OutputTray) {
    this.#clock = clock;
    this.#press = press;
    this.#tray = tray;
  }

  /** Takes one submission from the queue. */
  submit(facts: PrintoutFacts, impression: Impression): void {
    this.#tray.take(printoutOf(facts, impression, this.#press, this.#clock.now()));
  }
}
