/**
 * Records: small objects (accounts, computers, printers …) that live in memory and are written through.
 *
 * The registries in domain/ hold the live objects; this keeps their JSON, and ids that are never used twice. A
 * database in memory gets none of it: it would never be read, and takes as much as the objects.
 */

import type { z } from 'zod';

import { readValueAs } from '../../common/schema-problems.ts';
import { DamagedRow, storedJson, WRONG_TYPE } from './damage.ts';
import type { Database } from './database.ts';
import type { Row, Statement } from './statement.ts';

export class Records<T extends { readonly id: number }> {
  readonly #kind: string;
  readonly #database: Database;
  readonly #save: Statement;
  readonly #remove: Statement;
  readonly #count: Statement;
  #lastId: number;

  constructor(database: Database, kind: string) {
    this.#kind = kind;
    this.#database = database;
    this.#save = database.prepare('INSERT OR REPLACE INTO records (kind, id, json) VALUES (?, ?, ?)');
    this.#remove = database.prepare('DELETE FROM records WHERE kind = ? AND id = ?');
    this.#count = database.prepare('INSERT OR REPLACE INTO counters (kind, last_id) VALUES (?, ?)');
    const last = database.prepare('SELECT last_id FROM counters WHERE kind = ?').get(kind)?.['last_id'] ?? 0;
    if (typeof last !== 'number') throw new DamagedRow({ table: 'counters', row: kind, what: WRONG_TYPE });
    this.#lastId = last;
  }

  /** An id that no record of this kind ever had. */
  nextId(): number {
    this.#lastId = this.#database.nextId(this.#lastId);
    this.#store(() => this.#count.run(this.#kind, this.#lastId));
    return this.#lastId;
  }

  /** @param schema - what a record of this kind has to have. @throws DamagedRow */
  load(schema: z.ZodType<T>): T[] {
    const rows = this.#database.prepare('SELECT id, json FROM records WHERE kind = ? ORDER BY id').all(this.#kind);
    return rows.map((row) => readRecord(this.#kind, row, schema));
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

/** @param row - `id` and `json` of a record. @throws DamagedRow */
export function readRecord<T extends { readonly id: number }>(
  kind: string,
  { id, json }: Row,
  schema: z.ZodType<T>,
): T {
  const place = { table: 'records', row: `${kind} ${String(id)}` };
  const value = storedJson(String(json), place.table, place.row);
  const read = readValueAs(schema, value);
  if (!read.ok) throw new DamagedRow({ ...place, what: read.error });
  if (read.value.id !== id) throw new DamagedRow({ ...place, what: `its JSON has the id ${read.value.id}` });
  // Not the copy that was read: it lacks a name like `__proto__`.
  return value as T;
}
