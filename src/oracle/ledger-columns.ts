/**
 * Columns of the ledger: a job as a row over typed arrays, in chunks that are added as it grows.
 *
 *   chunk 0          chunk 1
 *   ┌─────────────┐  ┌─────────────┐   row = chunk × 16384 + place
 *   │ intendedLow │  │ intendedLow │   each column one array
 *   │ account …   │  │ account …   │   53 bytes a row
 *   └─────────────┘  └─────────────┘
 */

import { keysOf } from '../common/keys-of.ts';
import { sumOf } from '../common/sums.ts';
import type { LedgerStamp } from '../record/words.ts';

const CHUNK_BITS = 14;
const CHUNK_ROWS = 1 << CHUNK_BITS;
const CHUNK_MASK = CHUNK_ROWS - 1;
const HALF = 0x1_0000_0000;
const LARGEST_STAMP_US = HALF - 2;

const COLUMN_KINDS = {
  intendedLow: Uint32Array,
  intendedHigh: Uint8Array,
  jobIdLow: Uint32Array,
  jobIdHigh: Uint16Array,
  account: Uint16Array,
  printer: Uint32Array,
  document: Uint8Array,
  copies: Uint16Array,
  copiesPrinted: Uint16Array,
  deliveries: Uint8Array,
  flags: Uint16Array,
  sent: Uint32Array,
  accepted: Uint32Array,
  delivered: Uint32Array,
  fetched: Uint32Array,
  spooled: Uint32Array,
  printed: Uint32Array,
  reported: Uint32Array,
} as const;

export type LedgerColumn = keyof typeof COLUMN_KINDS;

const COLUMNS = keysOf(COLUMN_KINDS);
const ROW_BYTES = sumOf(COLUMNS, (column) => COLUMN_KINDS[column].BYTES_PER_ELEMENT);

type Column = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;
type Chunk = { readonly [Name in LedgerColumn]: InstanceType<(typeof COLUMN_KINDS)[Name]> };

export class LedgerColumns {
  #rows = 0;
  readonly #chunks: Chunk[] = [];

  get rows(): number {
    return this.#rows;
  }

  get bytes(): number {
    return this.#chunks.length * CHUNK_ROWS * ROW_BYTES;
  }

  /** A new row, all zero. */
  add(): number {
    if (this.#rows === this.#chunks.length * CHUNK_ROWS) this.#chunks.push(newChunk());
    return this.#rows++;
  }

  get(column: LedgerColumn, row: number): number {
    return this.#chunks[row >>> CHUNK_BITS]?.[column][row & CHUNK_MASK] ?? 0;
  }

  set(column: LedgerColumn, row: number, value: number): void {
    const cells = this.#chunks[row >>> CHUNK_BITS]?.[column];
    if (cells) cells[row & CHUNK_MASK] = value;
  }

  /** Adds to a cell that counts; it stays at the largest number it can hold. */
  add1(column: 'deliveries', row: number): void {
    this.set(column, row, Math.min(0xff, this.get(column, row) + 1));
  }

  // Each job reads these several times. Where the name varies, as in `get`, the engine has to look it up.

  /** An integer of up to 48 bits. */
  jobId(row: number): number {
    const chunk = this.#chunks[row >>> CHUNK_BITS];
    const place = row & CHUNK_MASK;
    return (chunk?.jobIdHigh[place] ?? 0) * HALF + (chunk?.jobIdLow[place] ?? 0);
  }

  setJobId(row: number, jobId: number): void {
    this.set('jobIdHigh', row, Math.floor(jobId / HALF));
    this.set('jobIdLow', row, jobId % HALF);
  }

  intendedUs(row: number): number {
    const chunk = this.#chunks[row >>> CHUNK_BITS];
    const place = row & CHUNK_MASK;
    return (chunk?.intendedHigh[place] ?? 0) * HALF + (chunk?.intendedLow[place] ?? 0);
  }

  setIntendedUs(row: number, atUs: number): void {
    this.set('intendedHigh', row, Math.floor(atUs / HALF));
    this.set('intendedLow', row, atUs % HALF);
  }

  /** When it happened, in microseconds since the run began; undefined when it did not. */
  stamp(row: number, stamp: LedgerStamp): number | undefined {
    const sinceIntended = this.get(stamp, row);
    return sinceIntended === 0 ? undefined : this.intendedUs(row) + sinceIntended - 1;
  }

  /** Keeps up to 71 minutes after the intended start; what is later counts as that. */
  setStamp(row: number, stamp: LedgerStamp, atUs: number): void {
    const sinceIntended = Math.max(0, Math.round(atUs) - this.intendedUs(row));
    this.set(stamp, row, Math.min(LARGEST_STAMP_US, sinceIntended) + 1);
  }

  /** The rows as bytes: column after column, little-endian. */
  toBytes(): Uint8Array {
    const parts = COLUMNS.flatMap((column) =>
      this.#chunks.map((chunk, index) => {
        const cells = chunk[column].subarray(0, this.#rows - index * CHUNK_ROWS);
        return new Uint8Array(cells.buffer, cells.byteOffset, cells.byteLength);
      }),
    );
    return Buffer.concat(parts);
  }

  /** Adds rows that were written by toBytes. @throws RangeError when the bytes are not that number of rows */
  append(bytes: Uint8Array, rows: number): void {
    if (bytes.byteLength !== rows * ROW_BYTES) {
      throw new RangeError(`${bytes.byteLength} bytes are not ${rows} rows of a ledger`);
    }
    const first = this.#rows;
    for (let row = 0; row < rows; row++) this.add();
    let offset = 0;
    for (const column of COLUMNS) {
      const size = COLUMN_KINDS[column].BYTES_PER_ELEMENT;
      // A copy: its beginning is aligned whatever came before.
      const copy = new Uint8Array(bytes.subarray(offset, offset + rows * size));
      const cells = new COLUMN_KINDS[column](copy.buffer);
      this.#fill(column, first, cells);
      offset += rows * size;
    }
  }

  /** Writes cells into a column, from a row on. */
  #fill(column: LedgerColumn, first: number, cells: Column): void {
    let done = 0;
    while (done < cells.length) {
      const place = (first + done) & CHUNK_MASK;
      const part = cells.subarray(done, done + CHUNK_ROWS - place);
      this.#chunks[(first + done) >>> CHUNK_BITS]?.[column].set(part, place);
      done += part.length;
    }
  }
}

function newChunk(): Chunk {
  const entries = COLUMNS.map((column) => [column, new COLUMN_KINDS[column](CHUNK_ROWS)]);
  return Object.fromEntries(entries) as Chunk;
}
