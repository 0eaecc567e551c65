/**
 * Job index: job id → row of the ledger, by open addressing in one typed array. A Map would take as much
 * memory as the rows themselves.
 *
 * The ids are not kept here: the ledger has them, and is asked for them.
 */

const SMALLEST = 1_023;
/** Rows for each cell at most; beyond it the search grows long. */
const FULLEST = 0.75;
const GROWTH = 1.5;
const EMPTY = -1;

export class JobIndex {
  readonly #jobIdOf: (row: number) => number;
  #cells = new Int32Array(SMALLEST).fill(EMPTY);
  #count = 0;

  constructor(jobIdOf: (row: number) => number) {
    this.#jobIdOf = jobIdOf;
  }

  get bytes(): number {
    return this.#cells.byteLength;
  }

  rowOf(jobId: number): number | undefined {
    const row = this.#cells[this.#cellFor(jobId)];
    return row === EMPTY ? undefined : row;
  }

  /** The last row that an id is given to keeps it. */
  put(jobId: number, row: number): void {
    if (this.#count >= this.#cells.length * FULLEST) this.#grow();
    const cell = this.#cellFor(jobId);
    if (this.#cells[cell] === EMPTY) this.#count++;
    this.#cells[cell] = row;
  }

  /** Where the id is, or would go. */
  #cellFor(jobId: number): number {
    const { length } = this.#cells;
    // Services count their jobs: as they are, ids one after the other fall into cells one after the other.
    let cell = jobId % length;
    for (;;) {
      const row = this.#cells[cell] ?? EMPTY;
      if (row === EMPTY || this.#jobIdOf(row) === jobId) return cell;
      cell = (cell + 1) % length;
    }
  }

  #grow(): void {
    const before = this.#cells;
    this.#cells = new Int32Array(grownLength(before.length)).fill(EMPTY);
    for (const row of before) {
      if (row !== EMPTY) this.#cells[this.#cellFor(this.#jobIdOf(row))] = row;
    }
  }
}

/** Odd, so that ids in steps of a power of two spread as well. */
function grownLength(length: number): number {
  return (length * GROWTH) | 1;
}
