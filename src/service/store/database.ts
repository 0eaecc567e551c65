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

import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { sqliteCode } from './damage.ts';
import { openDataFile } from './data-file.ts';
import { CLEAR, SET_VERSION, TRIAL_KIND } from './schema.ts';
import { Statement } from './statement.ts';

/** The id that follows this one. */
export type NextId = (lastId: number) => number;

/** Without a hole. */
export const nextInteger: NextId = (lastId) => lastId + 1;

/** Rows that are inserted together. */
export interface Batch {
  store(): void;
  drop(): void;
}

export interface DatabaseOptions {
  /** How ids of all kinds go on. Default: without a hole. */
  readonly nextId?: NextId;
  /** Hears of faults in what the service does by itself. Default: they are thrown. */
  readonly onFault?: (error: unknown) => void;
}

/** Hears that a commit is done, or why it failed. */
export type CommitListener = (error?: unknown) => void;

/** In its place among the records, where nothing reads it. */
const STORE_TRIAL = `INSERT OR REPLACE INTO records (kind, id, json) VALUES ('${TRIAL_KIND}', 0, CAST(zeroblob(?) AS TEXT))`;
const REMOVE_TRIAL = `DELETE FROM records WHERE kind = '${TRIAL_KIND}'`;

export class Database {
  /** How ids of all kinds go on. */
  readonly nextId: NextId;
  readonly onFault: (error: unknown) => void;
  /** Whether what is written outlives the process. */
  readonly isLasting: boolean;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, Statement>();
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

  /** Characters that this turn has stored of rows in batches. */
  #turnCharacters = 0;
  /** The most that a turn could not store; undefined once as much could be stored again. */
  #refusedCharacters: number | undefined;

  private constructor(db: DatabaseSync, options: DatabaseOptions, isLasting: boolean) {
    const { nextId = nextInteger, onFault = rethrow } = options;
    this.#db = db;
    this.nextId = nextId;
    this.onFault = onFault;
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
  static open(file: string | undefined, options: DatabaseOptions = {}): Database {
    return new Database(openDataFile(file), options, file !== undefined);
  }

  /** A prepared statement; the same text gives the same one, so that a reset need not prepare it again. */
  prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const prepared = new Statement(this.#db.prepare(sql), sql);
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
      // A full disk has ended the whole transaction.
      if (!this.#db.isTransaction) {
        this.#fail(error);
        throw error;
      }
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
   * @param characters - about how much it stores, where that is much
   * @throws what `work` throws
   */
  writeHot<T>(work: () => T, characters = 0): T {
    this.#turnCharacters += characters;
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

  /**
   * Writes as far as the disk: as much as could not be stored before, where that is so, and else what changes nothing.
   *
   * @throws what keeps writes from being stored
   */
  tryWrite(): void {
    // In a transaction of its own: no request that wrote in this turn fails with it.
    if (this.#isOpen) this.#commit();
    const characters = this.#refusedCharacters;
    if (characters === undefined) return this.#db.exec(SET_VERSION);
    try {
      this.prepare(STORE_TRIAL).run(characters);
      this.#db.exec(REMOVE_TRIAL);
    } finally {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    }
    this.#refusedCharacters = undefined;
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

  /** Runs what the service does by itself: its fault goes to `onFault`, and ends nothing else. */
  guard(task: () => void): void {
    try {
      task();
    } catch (error) {
      this.onFault(error);
    }
  }

  /** Ends the turn. @throws what kept its writes from being stored */
  commitNow(): void {
    let failure: unknown;
    this.whenCommitted((error) => (failure = error));
    this.#commit();
    if (failure instanceof Error) throw failure;
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

  /** Closes it without what this turn wrote. */
  abandon(): void {
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    this.#isOpen = false;
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
    for (const task of tasks) this.guard(task);
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
    if (sqliteCode(error) !== 0) {
      this.#refusedCharacters = Math.max(this.#refusedCharacters ?? 0, this.#turnCharacters);
    }
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
    this.#turnCharacters = 0;
    this.#listeners = [];
    this.#afterCommit = new Set();
    this.#beforeCommit.clear();
    return ended;
  }
}

function tell(listeners: readonly CommitListener[], error?: unknown): void {
  for (const listener of listeners) listener(error);
}

function rethrow(error: unknown): void {
  throw error;
}
