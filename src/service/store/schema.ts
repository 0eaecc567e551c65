/**
 * Schema: the tables of a data file, how a file of the version before gets them, and whether a file has them.
 */

import type { DatabaseSync } from 'node:sqlite';

import { checksumOf } from './checksum.ts';

/** Raised with each change of SCHEMA that files from before do not fit. */
export const SCHEMA_VERSION = 3;
/** The oldest that is brought up to date; an older file is refused. */
export const OLDEST_VERSION = 2;

export const SET_VERSION = `PRAGMA user_version = ${SCHEMA_VERSION};`;

const SCHEMA = `
  CREATE TABLE counters (kind TEXT PRIMARY KEY, last_id INTEGER NOT NULL) WITHOUT ROWID;

  -- With rows of their own: in an index, a record of more than 1,000 bytes would take a page to itself.
  CREATE TABLE records (
    kind TEXT NOT NULL, id INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (kind, id)
  );

  CREATE TABLE print_jobs (
    id INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL,
    account_ordinal INTEGER NOT NULL,
    printer_ordinal INTEGER NOT NULL,
    computer_id INTEGER NOT NULL,
    printer_id INTEGER NOT NULL,
    title TEXT, source TEXT,
    content_type TEXT NOT NULL,
    options TEXT NOT NULL,
    authentication TEXT,
    qty INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    expire_ms INTEGER NOT NULL,
    state TEXT NOT NULL,
    delivery INTEGER NOT NULL
  );
  CREATE INDEX print_jobs_of_account ON print_jobs (account_id, id);
  CREATE INDEX print_jobs_of_printer ON print_jobs (printer_id, id);
  CREATE INDEX print_jobs_unfinished ON print_jobs (computer_id, id) WHERE delivery < 3;
  CREATE INDEX print_jobs_expiring ON print_jobs (expire_ms) WHERE delivery = 0;

  -- Apart from the jobs: SQLite writes a whole row again for each state of its job.
  CREATE TABLE print_job_contents (
    job_id INTEGER PRIMARY KEY, content TEXT NOT NULL, checksum INTEGER NOT NULL DEFAULT 0
  );

  -- What the program that runs the service shows no more; callers still see it.
  CREATE TABLE hidden_print_jobs (job_id INTEGER PRIMARY KEY);

  CREATE TABLE print_job_states (
    job_id INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    state TEXT NOT NULL, message TEXT, data TEXT, client_version TEXT,
    created_ms INTEGER NOT NULL, report_id TEXT,
    PRIMARY KEY (job_id, ordinal)
  ) WITHOUT ROWID;

  CREATE TABLE idempotency_keys (
    account_id INTEGER NOT NULL, key TEXT NOT NULL, used_ms INTEGER NOT NULL,
    PRIMARY KEY (account_id, key)
  ) WITHOUT ROWID;
  CREATE INDEX idempotency_keys_by_age ON idempotency_keys (used_ms);

  CREATE TABLE webhook_events (
    id INTEGER PRIMARY KEY, webhook_id INTEGER NOT NULL, url TEXT NOT NULL, secret TEXT NOT NULL,
    json TEXT NOT NULL, attempts INTEGER NOT NULL
  );
`;

/** Documents of version 2 had no checksum: they count as they are found. */
const FROM_VERSION_2 = `
  BEGIN IMMEDIATE;
  ALTER TABLE print_job_contents ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  UPDATE print_job_contents SET checksum = checksum_of(content);
  ${SET_VERSION}
  COMMIT;
`;

export const CLEAR = `
  BEGIN IMMEDIATE;
  DELETE FROM counters;
  DELETE FROM records;
  DELETE FROM print_jobs;
  DELETE FROM print_job_contents;
  DELETE FROM print_job_states;
  DELETE FROM hidden_print_jobs;
  DELETE FROM idempotency_keys;
  DELETE FROM webhook_events;
  COMMIT;
`;

/** The kind of a record that is stored for a moment, to see whether storing works. */
export const TRIAL_KIND = 'trial';

export interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly isKey: boolean;
}

export function columnsOf(db: DatabaseSync): Column[] {
  const found = db.prepare(
    `SELECT part.name AS "table", own.name, own.type, own."notnull", own.pk
       FROM sqlite_schema AS part, pragma_table_info(part.name) AS own WHERE part.type = 'table'`,
  );
  return found.all().map(({ table, name, type, notnull, pk }) => ({
    table: String(table),
    name: String(name),
    type: String(type),
    isNullable: notnull === 0 && pk === 0,
    isKey: pk !== 0,
  }));
}

/** What there is: `table print_jobs.title TEXT`, `index print_jobs_of_account` … */
function partsOf(db: DatabaseSync): string[] {
  const indexes = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL").all();
  return [
    ...columnsOf(db).map(({ table, name, type }) => `table ${table}.${name} ${type}`),
    ...indexes.map(({ name }) => `index ${String(name)}`),
  ];
}

/** Makes the tables of a file that has none. */
export function createTables(db: DatabaseSync): void {
  db.exec(`BEGIN IMMEDIATE; ${SCHEMA} ${SET_VERSION} COMMIT;`);
}

export function upgradeTables(db: DatabaseSync): void {
  db.function('checksum_of', { deterministic: true }, (content) => checksumOf(String(content)));
  db.exec(FROM_VERSION_2);
}

/**
 * How the tables of a file differ from what createTables makes; undefined where they do not.
 *
 * @param empty - a database without tables, for comparison
 */
export function differenceOf(db: DatabaseSync, empty: DatabaseSync): string | undefined {
  createTables(empty);
  const [wanted, found] = [partsOf(empty), partsOf(db)];
  const missing = wanted.find((part) => !found.includes(part));
  if (missing !== undefined) return `${missing} is missing`;
  const unknown = found.find((part) => !wanted.includes(part));
  return unknown === undefined ? undefined : `${unknown} is not of platen`;
}
