/**
 * Database: SQLite with one commit for everything that arrives in one turn of the event loop.
 *
 *   request A ─ write ┐
 *   request B ─ write ├─► one transaction ─► commit at the end of the turn ─► answers A, B, C
 *   request C ─ write ┘
 *
 * Nothing is acknowledged before its commit: a writer waits for `whenCommitted()`. With a file the commit is on
 * the disk (write-ahead log, synchronous FULL); without one nothing touches the disk.
 */

import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type * as Sqlite from 'node:sqlite';

import { usageError } from '../../common/actionable-error.ts';
import { messageOf } from '../../common/error-message.ts';

const sqlite = loadSqlite();

/** Raised with each change of SCHEMA that files from before do not fit; a file of another version is refused. */
const SCHEMA_VERSION = 2;

const SET_VERSION = `PRAGMA user_version = ${SCHEMA_VERSION};`;

/** Pages in the write-ahead log before they go into the file: busy pages are copied less often. */
const CHECKPOINT_PAGES = 8_000;
/** It fills as the file grows, so it is what a service that runs for long holds at most beside its own objects. */
const CACHE_KIBIBYTES = 16_384;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS counters (kind TEXT PRIMARY KEY, last_id INTEGER NOT NULL) WITHOUT ROWID;

  -- With rows of their own: in an index, a record of more than 1,000 bytes would take a page to itself.
  CREATE TABLE IF NOT EXISTS records (
    kind TEXT NOT NULL, id INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (kind, id)
  );

  CREATE TABLE IF NOT EXISTS print_jobs (
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
  CREATE INDEX IF NOT EXISTS print_jobs_of_account ON print_jobs (account_id, id);
  CREATE INDEX IF NOT EXISTS print_jobs_of_printer ON print_jobs (printer_id, id);
  CREATE INDEX IF NOT EXISTS print_jobs_unfinished ON print_jobs (computer_id, id) WHERE delivery < 3;
  CREATE INDEX IF NOT EXISTS print_jobs_expiring ON print_jobs (expire_ms) WHERE delivery = 0;

  -- Apart from the jobs: SQLite writes a whole row again for each state of its job.
  CREATE TABLE IF NOT EXISTS print_job_contents (job_id INTEGER PRIMARY KEY, content TEXT NOT NULL);

  -- What the program that runs the service shows no more; callers still see it.
  CREATE TABLE IF NOT EXISTS hidden_print_jobs (job_id INTEGER PRIMARY KEY);

  CREATE TABLE IF NOT EXISTS print_job_states (
    job_id INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    state TEXT NOT NULL, message TEXT, data TEXT, client_version TEXT,
    created_ms INTEGER NOT NULL, report_id TEXT,
    PRIMARY KEY (job_id, ordinal)
  ) WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS idempotency_keys (
    account_id INTEGER NOT NULL, key TEXT NOT NULL, used_ms INTEGER NOT NULL,
    PRIMARY KEY (account_id, key)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS webhook_events (
    id INTEGER PRIMARY KEY, webhook_id INTEGER NOT NULL, url TEXT NOT NULL, secret TEXT NOT NULL,
    json TEXT NOT NULL, attempts INTEGER NOT NULL
  );

  CREATE INDEX IF NOT EXISTS idempotency_keys_by_age ON idempotency_keys (used_ms);
`;

const CLEAR = `
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

/** The id that follows this one. */
export type NextId = (lastId: number) => number;

/** Without a hole. */
export const nextInteger: NextId = (lastId) => lastId + 1;

/** Rows that are inserted together. */
export interface Batch {
  store(): void;
  drop(): void;
}

/** Hears that a commit is done, or why it failed. */
export type CommitListener = (error?: unknown) => void;

export class Database {
  /** How ids of all kinds go on. */
  readonly nextId: NextId;
  /** Whether what is written outlives the process. */
  readonly isLasting: boolean;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #undoneWrites = 0;
  /** Whether writes wait for the commit of this turn. */
  #isOpen = false;
  #listeners: CommitListener[] = [];
  #afterCommit = new Set<() => void>();
  readonly #beforeCommit = new Map<object, () => void>();
  /** With rows of this turn that are yet to be inserted. */
  readonly #batches = new Set<Batch>();

  /** Whether a write is under way. */
  #isWriting = false;

  /** Prepared, as they run with every write. */
  readonly #beginning: StatementSync;
  readonly #committing: StatementSync;
  readonly #savepoint: StatementSync;
  readonly #release: StatementSync;

  private constructor(db: DatabaseSync, nextId: NextId, isLasting: boolean) {
    this.#db = db;
    this.nextId = nextId;
    this.isLasting = isLasting;
    this.#beginning = db.prepare('BEGIN IMMEDIATE');
    this.#committing = db.prepare('COMMIT');
    this.#savepoint = db.prepare('SAVEPOINT write');
    this.#release = db.prepare('RELEASE write');
  }

  /**
   * Opens the data file, or a database in memory without one.
   *
   * @throws ActionableError when the file is not a database of this program, is in use, or cannot be written
   */
  static open(file: string | undefined, nextId: NextId = nextInteger): Database {
    const db = openFile(file);
    db.exec(SCHEMA);
    return new Database(db, nextId, file !== undefined);
  }

  /** A prepared statement; the same text gives the same one, so that a reset need not prepare it again. */
  prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const prepared = this.#db.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  /**
   * Runs `work` inside this turn's transaction, all of it or nothing. A write inside another is a part of it, and
   * what it throws has to leave both.
   *
   * @throws what `work` throws, with its writes undone
   */
  write<T>(work: () => T): T {
    if (this.#isWriting) return work();
    this.#begin();
    // Rows of earlier writes are stored before the savepoint, so that undoing this one keeps them.
    this.#storeBatches();
    this.#savepoint.run();
    this.#isWriting = true;
    try {
      const result = work();
      this.#storeBatches();
      this.#release.run();
      return result;
    } catch (error) {
      this.#undoneWrites++;
      this.#dropBatches();
      this.#db.exec('ROLLBACK TO write');
      this.#release.run();
      throw error;
    } finally {
      this.#isWriting = false;
    }
  }

  /**
   * A write without a savepoint, which is about a fifth of what a job costs the store: for the busiest writes, which
   * throw nothing but faults, such as a full disk. A fault undoes the whole turn, and every request that wrote in it
   * fails.
   *
   * @throws what `work` throws
   */
  writeHot<T>(work: () => T): T {
    if (this.#isWriting) return work();
    this.#begin();
    this.#isWriting = true;
    try {
      return work();
    } catch (error) {
      this.#fail(error);
      throw error;
    } finally {
      this.#isWriting = false;
    }
  }

  /** Rises whenever writes are undone: what was kept of them in memory no longer holds. */
  get undoneWrites(): number {
    return this.#undoneWrites;
  }

  /**
   * Calls `listener` once everything written so far is committed, or could not be; at once when nothing waits
   * to be.
   */
  whenCommitted(listener: CommitListener): void {
    if (this.#isOpen) this.#listeners.push(listener);
    else listener();
  }

  /** Resolves once everything written so far is committed; undefined when nothing waits to be. */
  committed(): Promise<void> | undefined {
    if (!this.#isOpen) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.whenCommitted((error) => (error === undefined ? resolve() : reject(error)));
    return promise;
  }

  /** Writes what changes nothing, as far as the disk. @throws what keeps writes from being stored */
  async tryWrite(): Promise<void> {
    this.write(() => this.#db.exec(SET_VERSION));
    await this.committed();
  }

  /**
   * Runs `task` at the end of this turn's transaction, once for all calls with the same key: what many writes of a
   * turn change is stored once. Call inside a write.
   */
  beforeCommit(key: object, task: () => void): void {
    this.#beforeCommit.set(key, task);
  }

  /** Has the rows of a batch inserted before the commit. Call inside a write. */
  holdBack(batch: Batch): void {
    this.#batches.add(batch);
  }

  /**
   * Runs `task` after the commit of what was written in this turn (at once when nothing was); one that is given
   * several times runs once.
   */
  afterCommit(task: () => void): void {
    if (!this.#isOpen) return task();
    this.#afterCommit.add(task);
  }

  /** Forgets everything that is stored. */
  clear(): void {
    if (this.#isOpen) this.#commit();
    this.#db.exec(CLEAR);
  }

  close(): void {
    if (this.#isOpen) this.#commit();
    this.#db.close();
  }

  /** Closes it as a kill at the end of this turn does: what `stop` writes in ending the service is lost. */
  kill(stop: () => void): void {
    if (this.#isOpen) this.#commit();
    this.#begin();
    stop();
    this.#db.exec('ROLLBACK');
    tell(this.#endTurn().listeners);
    this.#db.close();
  }

  #begin(): void {
    if (this.#isOpen) return;
    this.#beginning.run();
    this.#isOpen = true;
    setImmediate(() => this.#commit());
  }

  /** A commit that fails (a full disk) fails every request that wrote in this turn: none gets its answer. */
  #commit(): void {
    if (!this.#isOpen) return;
    try {
      this.writeHot(() => {
        for (const task of this.#beforeCommit.values()) task();
        this.#storeBatches();
        this.#committing.run();
      });
    } catch {
      // The turn has failed, and each of its writers hears of that.
      return;
    }
    const { listeners, tasks } = this.#endTurn();
    for (const task of tasks) task();
    tell(listeners);
  }

  #storeBatches(): void {
    for (const batch of this.#batches) batch.store();
    this.#batches.clear();
  }

  #dropBatches(): void {
    for (const batch of this.#batches) batch.drop();
    this.#batches.clear();
  }

  #fail(error: unknown): void {
    this.#undoneWrites++;
    this.#dropBatches();
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    const { listeners } = this.#endTurn();
    // Each may write at once, for the next turn.
    this.#isWriting = false;
    tell(listeners, error);
  }

  /** @returns whom to say how it went, and what runs after a commit */
  #endTurn(): { readonly listeners: readonly CommitListener[]; readonly tasks: ReadonlySet<() => void> } {
    const ended = { listeners: this.#listeners, tasks: this.#afterCommit };
    this.#isOpen = false;
    this.#listeners = [];
    this.#afterCommit = new Set();
    this.#beforeCommit.clear();
    return ended;
  }
}

function tell(listeners: readonly CommitListener[], error?: unknown): void {
  for (const listener of listeners) listener(error);
}

function openFile(file: string | undefined): DatabaseSync {
  try {
    const db = new sqlite.DatabaseSync(file ?? ':memory:');
    const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
    const tables = db.prepare("SELECT count(*) AS count FROM sqlite_schema WHERE type = 'table'").get()?.['count'];
    if (tables !== 0 && version !== SCHEMA_VERSION) {
      db.close();
      throw new Error(`it was not written by this version of platen (format ${version}, not ${SCHEMA_VERSION})`);
    }
    db.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      -- Savepoints would copy each page they touch to a temporary file.
      PRAGMA temp_store = MEMORY;
      PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
      PRAGMA cache_size = -${CACHE_KIBIBYTES};
      ${SET_VERSION}
    `);
    return db;
  } catch (error) {
    throw usageError(
      `cannot use '${file}' as a data file: ${reasonOf(error, file ?? '')}`,
      'Name another file, or one that does not exist yet, with --data FILE.',
      { cause: error },
    );
  }
}

/** By the code of SQLite. */
const REASONS: Readonly<Record<number, string>> = {
  5: 'another program has it open',
  8: 'writing to it is not allowed',
  26: 'it is not a file that platen wrote',
};
const CANNOT_OPEN = 14;

function reasonOf(error: unknown, file: string): string {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) return 'it is a folder';
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
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
