/**
 * Lag watch: how late this process was to look at what had arrived, because it was busy, or because other programs had
 * the processor.
 */

import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 20;
const NS_A_MS = 1_000_000;

export class LagWatch implements Disposable {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor() {
    this.#delay.enable();
  }

  /** Of all since it began. */
  get longestMs(): number {
    return this.#delay.max / NS_A_MS;
  }

  [Symbol.dispose](): void {
    this.#delay.disable();
  }
}
