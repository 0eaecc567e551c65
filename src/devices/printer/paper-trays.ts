/**
 * Paper trays: how many sheets each has left. A tray without a count never runs empty.
 *
 * A sheet that names a tray comes from it. One that names none comes from the first counted tray that
 * has paper, in the profile's order.
 */

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
