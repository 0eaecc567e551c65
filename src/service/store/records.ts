/**
 * Records: small objects (accounts, computers, printers …) that live in memory and are written through.
 *
 * The registries in domain/ hold the live objects; this keeps their JSON, and ids that are never used twice. A
 * database in memory gets none of it: it would never be read, and takes as much as the objects.
 */

import type { StatementSync } from 'node:sqlite';

import type { Database } from './database.ts';

export class Records<T extends { readonly id: number }> {
  readonly #kind: string;
  readonly #database: Database;
  readonly #save: StatementSync;
  readonly #remove: StatementSync;
  readonly #count: StatementSync;
  #lastId: number;

  constructor(database: Database, kind: string) {
    this.#kind = kind;
    this.#database = database;
    this.#save = database.prepare('INSERT OR REPLACE INTO records (kind, id, json) VALUES (?, ?, ?)');
    this.#remove = database.prepare('DELETE FROM records WHERE kind = ? AND id = ?');
    this.#count = database.prepare('INSERT OR REPLACE INTO counters (kind, last_id) VALUES (?, ?)');
    const counter = database.prepare('SELECT last_id FROM counters WHERE kind = ?').get(kind);
    this.#lastId = Number(counter?.['last_id'] ?? 0);
  }

  /** An id that no record of this kind ever had. */
  nextId(): number {
    this.#lastId = this.#database.nextId(this.#lastId);
    this.#store(() => this.#count.run(this.#kind, this.#lastId));
    return this.#lastId;
  }

  load(): T[] {
    const rows = this.#database.prepare('SELECT json FROM records WHERE kind = ? ORDER BY id').all(this.#kind);
    return rows.map((row) => JSON.parse(String(row['json'])) as T);
  }

  save(record: T): void {
    this.#store(() => this.#save.run(this.#kind, record.id, JSON.stringify(record)));
  }

  remove(id: number): void {
    this.#store(() => this.#remove.run(this.#kind, id));
  }

  #store(write: () => void): void {
    if (this.#database.isLasting) this.#database.write(write);
  }
}
