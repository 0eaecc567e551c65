/**
 * Paper trays: how many sheets each has left. A tray without a count never runs empty.
 *
 * A sheet that names a tray comes from it. One that names none comes from the first counted tray that
 * has paper, in the profile's order.
 */

import type { Printout } from './printout.ts';

export class PaperTrays {
  readonly #sheets: Map<string, number>;

  constructor(sheets: Readonly<Record<string, number>>) {
    this.#sheets = new Map(Object.entries(sheets));
  }

  /** Takes a sheet; false when the tray it has to come from is empty. */
  take(tray: string | null): boolean {
    const from = tray ?? this.#firstWithPaper();
    const left = from === undefined ? 0 : this.#sheets.get(from);
    if (left === undefined) return true;
    if (left === 0 || from === undefined) return false;
    this.#sheets.set(from, left - 1);
    return true;
  }

  /** Adds sheets. A tray that had no count holds just these from now on. */
  load(tray: string, sheets: number): void {
    this.#sheets.set(tray, (this.#sheets.get(tray) ?? 0) + sheets);
  }

  /** Makes a tray hold just these. */
  set(tray: string, sheets: number): void {
    this.#sheets.set(tray, sheets);
  }

  /** Sheets left, by tray; only those that are counted. */
  get left(): ReadonlyMap<string, number> {
    return this.#sheets;
  }

  /** Any name where nothing is counted. */
  #firstWithPaper(): string | undefined {
    if (this.#sheets.size === 0) return '';
    return [...this.#sheets.keys()].find((tray) => this.#sheets.get(tray) !== 0);
  }
}

/**
 * The printouts of one printer, newest last. It holds a given number of them; the oldest
 * go when it is full.
 */
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
