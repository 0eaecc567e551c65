/**
 * Row batch: rows of one table that arrive one by one in a turn, inserted together: a statement for many rows costs
 * each of them far less than a statement of its own.
 *
 *   add, add, add ─► kept ─► one INSERT: before the commit, or when its table is read
 */

import type { SQLInputValue } from 'node:sqlite';

import type { Batch, Database } from './database.ts';
import type { Statement } from './statement.ts';

/** Rows of one statement. Statements for each number of rows there may be would not stay in a processor’s caches. */
const ROWS = 8;
/** Text that waits for its statement: a long document goes at once. */
const CHARACTERS_MAX = 100_000;

type Row = readonly SQLInputValue[];

export class RowBatch implements Batch {
  readonly #database: Database;
  readonly #table: string;
  #insertOne: Statement | undefined;
  #insertAll: Statement | undefined;
  #rows: Row[] = [];
  #characters = 0;

  constructor(database: Database, table: string) {
    this.#database = database;
    this.#table = table;
  }

  /** Adds a row, with a value for each column. Call inside a write of the database. */
  add(row: Row): void {
    if (this.#rows.push(row) === 1) this.#database.holdBack(this);
    for (const value of row) if (typeof value === 'string') this.#characters += value.length;
    if (this.#rows.length === ROWS || this.#characters > CHARACTERS_MAX) this.store();
  }

  /**
   * Inserts what was added.
   *
   * @throws what the database throws: the write that this is part of has failed, or the whole turn
   */
  store(): void {
    const rows = this.#rows;
    const characters = this.#characters;
    if (rows.length === 0) return;
    this.drop();
    this.#database.writeHot(() => {
      if (rows.length === ROWS) (this.#insertAll ??= this.#prepare(rows)).run(...rows.flat());
      else for (const row of rows) (this.#insertOne ??= this.#prepare([row])).run(...row);
    }, characters);
  }

  /** Forgets what was added: its write was undone. */
  drop(): void {
    this.#rows = [];
    this.#characters = 0;
  }

  #prepare(rows: readonly Row[]): Statement {
    const places = rows.map((row) => `(${row.map(() => '?').join(', ')})`);
    return this.#database.prepare(`INSERT INTO ${this.#table} VALUES ${places.join(', ')}`);
  }
}
