/**
 * Covering array: rows that hold every pair of values of every two columns, far fewer than all combinations.
 *
 * Greedy and seeded: each row is the best of some that are put together at random, column by column, with the value
 * that brings most pairs that no row holds yet.
 */

import type { Random } from '../../src/common/random.ts';

/** A value of each column, from 0. */
export type Row = readonly number[];

const CANDIDATES = 12;

/** @param sizes - how many values each column has */
export function coveringRows(sizes: readonly number[], random: Random): readonly Row[] {
  const missing = new MissingPairs(sizes);
  const rows: Row[] = [];
  while (missing.size > 0) {
    const candidates = Array.from({ length: CANDIDATES }, () => candidateRow(sizes, missing, random));
    const best = candidates.reduce((left, right) => (missing.countIn(right) > missing.countIn(left) ? right : left));
    // What no value of it brought is taken from the pairs that are left.
    const row = missing.countIn(best) > 0 ? best : missing.fill(best);
    missing.remove(row);
    rows.push(row);
  }
  return rows;
}

/** Each value but the first of its column once, in as few rows as that can be done in; the first where none is left. */
export function packedRows(sizes: readonly number[]): readonly Row[] {
  const count = Math.max(0, ...sizes.map((size) => size - 1));
  return Array.from({ length: count }, (_, row) => sizes.map((size) => (row + 1 < size ? row + 1 : 0)));
}

/** A value of each column by chance. */
export function randomRow(sizes: readonly number[], random: Random): Row {
  return sizes.map((size) => random.integer(0, size - 1));
}

function candidateRow(sizes: readonly number[], missing: MissingPairs, random: Random): Row {
  const row: (number | undefined)[] = sizes.map(() => undefined);
  for (const column of shuffled(sizes.keys(), random)) {
    const first = random.integer(0, (sizes[column] ?? 1) - 1);
    let [best, most] = [first, -1];
    for (let turn = 0; turn < (sizes[column] ?? 1); turn++) {
      const value = (first + turn) % (sizes[column] ?? 1);
      const gain = missing.gainOf(row, column, value);
      if (gain > most) [best, most] = [value, gain];
    }
    row[column] = best;
  }
  return row.map((value) => value ?? 0);
}

function shuffled(items: Iterable<number>, random: Random): readonly number[] {
  return [...items]
    .map((item) => ({ item, at: random.fraction() }))
    .toSorted((left, right) => left.at - right.at)
    .map(({ item }) => item);
}

/** The pairs of values that no row holds yet. */
class MissingPairs {
  readonly #sizes: readonly number[];
  readonly #offsets: readonly number[];
  readonly #width: number;
  /** By value of one column and value of a later one, each counted through all columns. */
  readonly #isMissing: Uint8Array;
  size = 0;

  constructor(sizes: readonly number[]) {
    this.#sizes = sizes;
    let width = 0;
    this.#offsets = sizes.map((size) => (width += size) - size);
    this.#width = width;
    this.#isMissing = new Uint8Array(width * width);
    for (const [left, right] of this.#columns()) {
      for (let a = 0; a < (sizes[left] ?? 0); a++) {
        for (let b = 0; b < (sizes[right] ?? 0); b++) {
          this.#isMissing[this.#place(left, a, right, b)] = 1;
          this.size++;
        }
      }
    }
  }

  /** Missing pairs of a value with what the row has so far. */
  gainOf(row: readonly (number | undefined)[], column: number, value: number): number {
    let gain = 0;
    for (const [other, held] of row.entries()) {
      if (held !== undefined && other !== column) gain += this.#isMissing[this.#place(column, value, other, held)] ?? 0;
    }
    return gain;
  }

  countIn(row: Row): number {
    return row.reduce((sum, value, column) => sum + this.gainOf(row.slice(0, column), column, value), 0);
  }

  /** The row with a pair in it that is missing. */
  fill(row: Row): Row {
    for (const [left, right] of this.#columns()) {
      for (let a = 0; a < (this.#sizes[left] ?? 0); a++) {
        for (let b = 0; b < (this.#sizes[right] ?? 0); b++) {
          if (this.#isMissing[this.#place(left, a, right, b)] === 1) return row.with(left, a).with(right, b);
        }
      }
    }
    return row;
  }

  remove(row: Row): void {
    for (const [left, right] of this.#columns()) {
      const place = this.#place(left, row[left] ?? 0, right, row[right] ?? 0);
      this.size -= this.#isMissing[place] ?? 0;
      this.#isMissing[place] = 0;
    }
  }

  *#columns(): Generator<readonly [left: number, right: number]> {
    for (let left = 0; left < this.#sizes.length; left++) {
      for (let right = left + 1; right < this.#sizes.length; right++) yield [left, right];
    }
  }

  #place(one: number, oneValue: number, other: number, otherValue: number): number {
    const first = (this.#offsets[one] ?? 0) + oneValue;
    const second = (this.#offsets[other] ?? 0) + otherValue;
    return Math.min(first, second) * this.#width + Math.max(first, second);
  }
}
