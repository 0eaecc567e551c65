/**
 * Statement: a prepared one of SQLite that says, where the file is damaged, which row it could not read.
 */

import type { SQLInputValue, SQLOutputValue, StatementResultingChanges, StatementSync } from 'node:sqlite';

import { messageOf } from '../../common/error-message.ts';
import { DamagedRow, isDamage } from './damage.ts';

/** A set of ids may be long. */
const NAME_MAX = 100;

export type Row = Record<string, SQLOutputValue>;
/** By position, or by name in one object. */
type Values = readonly (SQLInputValue | Readonly<Record<string, SQLInputValue>>)[];

export class Statement {
  readonly #prepared: StatementSync;
  readonly #table: string;

  constructor(prepared: StatementSync, sql: string) {
    this.#prepared = prepared;
    this.#table = /(?:FROM|INTO|UPDATE) (\w+)/.exec(sql)?.[1] ?? 'sqlite_schema';
  }

  /** @throws DamagedRow, and what SQLite throws otherwise */
  run(...values: Values): StatementResultingChanges {
    try {
      return this.#prepared.run(...(values as SQLInputValue[]));
    } catch (error) {
      throw isDamage(error, 'write') ? this.#damaged(error, 'that is written') : error;
    }
  }

  /** @throws DamagedRow, and what SQLite throws otherwise */
  get(...values: Values): Row | undefined {
    try {
      return this.#prepared.get(...(values as SQLInputValue[]));
    } catch (error) {
      throw isDamage(error, 'read') ? this.#damaged(error, this.#unreadable(values)) : error;
    }
  }

  /** @throws DamagedRow, and what SQLite throws otherwise */
  all(...values: Values): Row[] {
    try {
      return this.#prepared.all(...(values as SQLInputValue[]));
    } catch (error) {
      throw isDamage(error, 'read') ? this.#damaged(error, this.#unreadable(values)) : error;
    }
  }

  #damaged(error: unknown, row: string): DamagedRow {
    return new DamagedRow({ table: this.#table, row, what: messageOf(error) }, { cause: error });
  }

  /** The row that cannot be read, by what was asked for and by the one before it. */
  #unreadable(values: Values): string {
    let before: SQLOutputValue | undefined;
    try {
      for (const row of this.#prepared.iterate(...(values as SQLInputValue[]))) [before] = Object.values(row);
    } catch {
      // The rows up to there are known now.
    }
    const after = before === undefined ? '' : ` after ${String(before)}`;
    return (named(values) + after).trim() || 'the first';
  }
}

function named(values: Values): string {
  const name = values.map((value) => JSON.stringify(value)).join(' ');
  return name.slice(0, NAME_MAX);
}
