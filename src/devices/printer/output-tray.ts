/**
 * Output tray: the printouts of one printer, newest last. It holds a given number of them; the oldest
 * go when it is full.
 */

import type { Printout } from './printout.ts';

export class OutputTray {
  readonly #capacity: number;
  readonly #printouts: Printout[] = [];
  /** Made for the first listener: most printers have none. */
  #listeners: Set<(printout: Printout) => void> | undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The printouts still there, oldest first; those of one job where its id is given. */
  printouts(jobId?: number): Printout[] {
    return this.#printouts.filter((printout) => jobId === undefined || printout.jobId === jobId);
  }

  get newest(): Printout | undefined {
    return this.#printouts.at(-1);
  }

  /** Calls `listener` for each printout that comes out from now on. Returns the way to stop it. */
  onPrintout(listener: (printout: Printout) => void): () => void {
    const listeners = (this.#listeners ??= new Set());
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Lays a printout on top. */
  take(printout: Printout): void {
    this.#printouts.push(printout);
    if (this.#printouts.length > this.#capacity) this.#printouts.shift();
    for (const listener of this.#listeners ?? []) listener(printout);
  }
}
