/**
 * Data file: the file that a database is in, opened for a service or to be read alone.
 *
 * It holds keys and secrets as they are, so a new one is for its owner alone; an existing one keeps its mode. SQLite
 * gives the files beside it (-wal, -shm) the mode of the file itself.
 */

import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite';
import type * as Sqlite from 'node:sqlite';

import { usageError, type ActionableError } from '../../common/actionable-error.ts';
import { messageOf } from '../../common/error-message.ts';
import { foundAt } from '../../common/named-place.ts';
import { OWNER_ALONE } from '../../common/owner-alone.ts';
import { whyNotRegular } from '../../common/regular-file.ts';
import { DamagedRow, REPAIR, sentenceOf, sqliteCode } from './damage.ts';
import { createTables, differenceOf, OLDEST_VERSION, SCHEMA_VERSION, upgradeTables } from './schema.ts';

const sqlite = loadSqlite();

/** A new file has these. A long document takes a quarter of the time of SQLite's own 4,096; short rows the same. */
const PAGE_BYTES = 16_384;
/** Pages in the write-ahead log before they go into the file: busy pages are copied less often. */
const CHECKPOINT_PAGES = 2_000;
/** It fills as the file grows, so it is what a service that runs for long holds at most beside its own objects. */
const CACHE_KIBIBYTES = 16_384;

const SETTINGS = `
  PRAGMA page_size = ${PAGE_BYTES};
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  -- Savepoints would copy each page they touch to a temporary file.
  PRAGMA temp_store = MEMORY;
  PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
  PRAGMA cache_size = -${CACHE_KIBIBYTES};
`;

/** Opens the data file, makes it, or brings it up to date; in memory without one. @throws ActionableError */
export function openDataFile(file: string | undefined): DatabaseSync {
  if (file !== undefined) makeForOwner(file);
  return opened(file ?? ':memory:', {}, (db) => {
    const version = versionOf(db);
    db.exec(SETTINGS);
    if (version === undefined) return createTables(db);
    if (version < SCHEMA_VERSION) upgradeTables(db);
    assertTables(db);
  });
}

/** Opens a data file that is there, to read it. @throws ActionableError */
export function openToRead(file: string): DatabaseSync {
  const found = foundAt(file);
  const reason = found ? whyNotRegular(found) : 'there is no such file';
  if (reason !== undefined) throw unusable(file, new Error(reason));
  return opened(file, { readOnly: true }, (db) => {
    const version = versionOf(db);
    if (version === undefined) throw new Error('it is empty');
    if (version < SCHEMA_VERSION) {
      throw new Error(`its documents have no checksums yet (format ${version}): a start of platen adds them`);
    }
    assertTables(db);
  });
}

function opened(file: string, options: DatabaseSyncOptions, prepare: (db: DatabaseSync) => void): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = new sqlite.DatabaseSync(file, options);
    prepare(db);
    return db;
  } catch (error) {
    db?.close();
    throw unusable(file, error);
  }
}

/** Why a file cannot be used, and what helps. */
export function unusable(file: string, error: unknown): ActionableError {
  const isDamaged = error instanceof DamagedRow || sqliteCode(error) === CORRUPT;
  const nextStep = isDamaged ? REPAIR : 'Name another file, or one that does not exist yet, with --data FILE.';
  return usageError(`cannot use '${file}' as a data file: ${reasonOf(error, file)}`, nextStep, { cause: error });
}

/** Where it cannot be made, SQLite says why. */
function makeForOwner(file: string): void {
  if (existsSync(file)) return;
  try {
    closeSync(openSync(file, 'a', OWNER_ALONE));
  } catch {
    // As above.
  }
}

/** Undefined for a file without tables, which is a new one. @throws Error for one of another program or version */
function versionOf(db: DatabaseSync): number | undefined {
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
  const tables = db.prepare("SELECT count(*) AS count FROM sqlite_schema WHERE type = 'table'").get()?.['count'];
  if (tables === 0) return undefined;
  if (version >= OLDEST_VERSION && version <= SCHEMA_VERSION) return version;
  throw new Error(`it was not written by this version of platen (format ${version}, not ${SCHEMA_VERSION})`);
}

function assertTables(db: DatabaseSync): void {
  using empty = new sqlite.DatabaseSync(':memory:');
  const difference = differenceOf(db, empty);
  if (difference !== undefined) throw new Error(`it is damaged: ${difference}`);
}

/** By the code of SQLite. */
const REASONS: Readonly<Record<number, string>> = {
  5: 'another program has it open',
  8: 'writing to it is not allowed',
  26: 'it is not a file that platen wrote',
};
const CORRUPT = 11;
const CANNOT_OPEN = 14;

function reasonOf(error: unknown, file: string): string {
  if (foundAt(file)?.isDirectory()) return 'it is a folder';
  if (error instanceof DamagedRow) return `it is damaged: ${sentenceOf(error.damage)}`;
  const code = sqliteCode(error);
  if (code === CORRUPT) return `it is damaged: table sqlite_schema: ${messageOf(error)}`;
  const folder = path.dirname(path.resolve(file));
  if (code !== CANNOT_OPEN) return REASONS[code] ?? messageOf(error);
  return existsSync(folder) ? `no file can be opened or made in ${folder}` : `there is no folder ${folder}`;
}

/** Loaded by a call: an import would have warned before any code of ours runs. */
export function loadSqlite(load = (): typeof Sqlite => process.getBuiltinModule('node:sqlite')): typeof Sqlite {
  const emitAny = process.emitWarning.bind(process);
  const own = Object.getOwnPropertyDescriptor(process, 'emitWarning');
  process.emitWarning = (...args: readonly unknown[]): void => {
    if (!String(args[0]).startsWith('SQLite is an experimental')) Reflect.apply(emitAny, process, args);
  };
  try {
    return load();
  } finally {
    if (own) Object.defineProperty(process, 'emitWarning', own);
  }
}
