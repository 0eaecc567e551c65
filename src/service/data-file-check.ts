/**
 * Data file check: reads all of a data file, and tells what of it is damaged.
 *
 *   SQLite's own checks ─► each table: can it be read, has it the types it was stored with, is its JSON whole?
 *                      ─► each record by its schema, each document by its checksum
 *
 * SQLite has no checksum of its pages: a changed letter in a title or a key goes unnoticed. What is printed does not.
 */

import type { DatabaseSync } from 'node:sqlite';

import type { z } from 'zod';

import { messageOf } from '../common/error-message.ts';
import { STORED_ACCOUNT } from './domain/account.ts';
import { STORED_DECISIONS } from './domain/client-download.ts';
import { STORED_CLIENT_KEY } from './domain/client-key.ts';
import { STORED_COMPUTER } from './domain/computer.ts';
import { STORED_PRINTER } from './domain/printer.ts';
import { STORED_WEBHOOK } from './domain/webhook.ts';
import { checksumOf } from './store/checksum.ts';
import { CHANGED_DOCUMENT, DamagedRow, MISSING_DOCUMENT, storedJson, WRONG_TYPE, type Damage } from './store/damage.ts';
import { openToRead } from './store/data-file.ts';
import { DELIVERY } from './store/print-job-row.ts';
import { readRecord } from './store/records.ts';
import { columnsOf, TRIAL_KIND, type Column } from './store/schema.ts';
import type { Row } from './store/statement.ts';

export interface DataFileCheck {
  readonly file: string;
  /** How many rows could be read, by table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly damage: readonly Damage[];
}

/** Records by their kind. */
const STORED: Readonly<Record<string, z.ZodType<{ readonly id: number }>>> = {
  account: STORED_ACCOUNT,
  'client-download': STORED_DECISIONS,
  'client-key': STORED_CLIENT_KEY,
  computer: STORED_COMPUTER,
  printer: STORED_PRINTER,
  webhook: STORED_WEBHOOK,
};

/** What is in a row beyond the types of its columns. @throws DamagedRow */
type CheckRow = (row: Row, name: string) => void;

const CHECKS: Readonly<Record<string, CheckRow>> = {
  records: (row, name) => {
    const kind = String(row['kind']);
    if (kind === TRIAL_KIND) return;
    const schema = STORED[kind];
    if (!schema) throw new DamagedRow({ table: 'records', row: name, what: `there are no records of kind '${kind}'` });
    readRecord(kind, row, schema);
  },
  print_jobs: (row, name) => {
    for (const column of ['options', 'authentication']) checkJson(row[column], 'print_jobs', name);
  },
  print_job_contents: ({ content, checksum }, name) => {
    if (checksumOf(String(content)) === checksum) return;
    throw new DamagedRow({ table: 'print_job_contents', row: name, what: CHANGED_DOCUMENT });
  },
  print_job_states: ({ data }, name) => checkJson(data, 'print_job_states', name),
  webhook_events: ({ json }, name) => checkJson(json, 'webhook_events', name),
};

function checkJson(value: Row[string] | undefined, table: string, row: string): void {
  if (typeof value === 'string') storedJson(value, table, row);
}

/** @throws ActionableError when the file cannot be opened, or has not the tables of this version */
export function checkDataFile(file: string): DataFileCheck {
  const db = openToRead(file);
  try {
    const tables = Map.groupBy(columnsOf(db), ({ table }) => table);
    const damage = ownChecks(db);
    const rows = [...tables].map(([table, columns]) => [table, checkTable(db, table, columns, damage)] as const);
    damage.push(...withoutDocument(db));
    return { file, rows: Object.fromEntries(rows), damage };
  } finally {
    db.close();
  }
}

/** @param damage - takes what is found. @returns the number of rows that could be read */
function checkTable(db: DatabaseSync, table: string, columns: readonly Column[], damage: Damage[]): number {
  let count = 0;
  let last = 'the first';
  try {
    for (const row of db.prepare(`SELECT * FROM ${table}`).iterate()) {
      count++;
      const name = nameOf(row, columns);
      last = `after ${name}`;
      damage.push(...damageOf(row, name, table, columns));
    }
  } catch (error) {
    damage.push({ table, row: last, what: messageOf(error) });
  }
  return count;
}

function nameOf(row: Row, columns: readonly Column[]): string {
  return columns.flatMap(({ name, isKey }) => (isKey ? [String(row[name])] : [])).join(' ');
}

function damageOf(row: Row, name: string, table: string, columns: readonly Column[]): Damage[] {
  if (!columns.every((column) => fits(row[column.name], column))) return [{ table, row: name, what: WRONG_TYPE }];
  try {
    CHECKS[table]?.(row, name);
    return [];
  } catch (error) {
    if (error instanceof DamagedRow) return [error.damage];
    throw error;
  }
}

const TYPES: Readonly<Record<string, string>> = { TEXT: 'string', INTEGER: 'number' };

function fits(value: unknown, { type, isNullable }: Column): boolean {
  return value === null ? isNullable : typeof value === TYPES[type];
}

/** What SQLite finds wrong with its pages and indexes, by the table that they belong to. */
function ownChecks(db: DatabaseSync): Damage[] {
  const found = lines(() =>
    db
      .prepare('PRAGMA integrity_check')
      .all()
      .map((row) => String(row['integrity_check'])),
  );
  return found
    .filter((line) => line !== 'ok' && !line.startsWith('***'))
    .map((what) => ({ table: tableIn(db, what), row: rowIn(what), what }));
}

function lines(read: () => readonly string[]): readonly string[] {
  try {
    return read().flatMap((text) => text.split('\n'));
  } catch (error) {
    return [messageOf(error)];
  }
}

/** `Tree 7 page 9: …` names a table by its first page, `row 3 missing from index i` and `NULL value in t.c` by name. */
function tableIn(db: DatabaseSync, line: string): string {
  const [, root = '0'] = /^Tree (\d+)/.exec(line) ?? [];
  const parts = db.prepare('SELECT name, tbl_name AS tableName, rootpage FROM sqlite_schema').all();
  const part = parts.find(
    ({ name, rootpage }) => rootpage === Number(root) || line.split(/[ .]/).includes(String(name)),
  );
  return String(part?.['tableName'] ?? 'sqlite_schema');
}

function rowIn(line: string): string {
  const row = /\brow(?:id)? (\d+)/i.exec(line)?.[1];
  return row ?? `on page ${/\bpage (\d+)/.exec(line)?.[1] ?? 1}`;
}

function withoutDocument(db: DatabaseSync): Damage[] {
  const jobs = `SELECT id FROM print_jobs WHERE delivery < ${DELIVERY.finished}
    AND id NOT IN (SELECT job_id FROM print_job_contents)`;
  try {
    return db
      .prepare(jobs)
      .all()
      .map(({ id }) => ({ table: 'print_job_contents', row: String(id), what: MISSING_DOCUMENT }));
  } catch {
    // That a table cannot be read is known by now.
    return [];
  }
}
