/**
 * Row batch: rows of one table that arrive one by one in a turn, inserted together: a statement for many rows costs
 * each of them far less than a statement of its own.
 *
 *   add, add, add ─► kept ─► one INSERT: before the commit, or when its table is read
 */

import type { SQLInputValue, StatementSync } from 'node:sqlite';

import type { Batch, Database } from './database.ts';

/** Rows of one statement. */
const ROWS_MAX = 32;
/** Text that waits for its statement: a long document goes at once. */
const CHARACTERS_MAX = 100_000;

export class RowBatch implements Batch {
  readonly #database: Database;
  readonly #table: string;
  /** Prepared when first used, by the number of their rows. */
  readonly #inserts: StatementSync[] = [];
  #values: SQLInputValue[] = [];
  #rows = 0;
  #characters = 0;

  constructor(database: Database, table: string) {
    this.#database = database;
    this.#table = table;
  }

  /** Adds a row, with a value for each column. Call inside a write of the database. */
  add(row: readonly SQLInputValue[]): void {
    for (const value of row) {
      this.#values.push(value);
      if (typeof value === 'string') this.#characters += value.length;
    }
    if (++this.#rows === 1) this.#database.holdBack(this);
    if (this.#rows === ROWS_MAX || this.#characters > CHARACTERS_MAX) this.store();
  }

  /**
   * Inserts what was added.
   *
   * @throws what the database throws: the write that this is part of has failed, or the whole turn
   */
  store(): void {
    if (this.#rows === 0) return;
    const insert = (this.#inserts[this.#rows] ??= this.#prepare());
    const values = this.#values;
    this.drop();
    this.#database.writeHot(() => insert.run(...values));
  }

  /** Forgets what was added: its write was undone. */
  drop(): void {
    this.#values = [];
    this.#rows = 0;
    this.#characters = 0;
  }

  #prepare(): StatementSync {
    const row = `(${Array.from({ length: this.#values.length / this.#rows }, () => '?').join(', ')})`;
    const rows = Array.from({ length: this.#rows }, () => row).join(', ');
    return this.#database.prepare(`INSERT INTO ${this.#table} VALUES ${rows}`);
  }
}
