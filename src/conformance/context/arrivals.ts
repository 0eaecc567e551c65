/**
 * Arrivals: waits in real time for what comes over a socket. They look again when something has come, not at intervals.
 */

import { systemClock } from '../../common/clock.ts';

export class Arrivals {
  #count = 0;
  readonly #looks = new Set<() => void>();

  /** So far. */
  get count(): number {
    return this.#count;
  }

  /** Something has come. */
  add(): void {
    this.#count++;
    for (const look of this.#looks) look();
  }

  /** What the probe finds, as soon as it does, or undefined at the limit. */
  async waitFor<Value>(probe: () => Value | undefined, limitMs: number): Promise<Value | undefined> {
    const { promise, resolve } = Promise.withResolvers<Value | undefined>();
    const look = (): void => {
      const found = probe();
      if (found !== undefined) resolve(found);
    };
    const timer = systemClock.schedule(limitMs, () => resolve(undefined));
    this.#looks.add(look);
    look();
    try {
      return await promise;
    } finally {
      timer.cancel();
      this.#looks.delete(look);
    }
  }
}
