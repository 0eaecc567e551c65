/**
 * Open jobs: those between their submission and their last state, in memory as they stand in the database, so that a
 * state that is reported costs no look-up.
 *
 *   print-job-table ─► here? ─► yes: no query
 *                            └► no:  read from the database, and kept while the job is open
 *
 * Bounded, in two generations: when the young one is full, it becomes the old one, and what was old is forgotten.
 * Writes that are undone empty both.
 */

import type { Database } from './database.ts';
import { DELIVERY, type PrintJobRow } from './print-job-row.ts';

export interface OpenJob {
  readonly row: PrintJobRow;
  /** States recorded after the registration. */
  readonly states: number;
  /** The client's ids of the reports among them. */
  readonly reportIds: Set<string>;
}

const GENERATION_MAX = 10_000;

export class OpenJobs {
  readonly #database: Database;
  #young = new Map<number, OpenJob>();
  #old = new Map<number, OpenJob>();
  #undoneWrites = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  get(id: number): OpenJob | undefined {
    this.#forgetUndone();
    return this.#young.get(id) ?? this.#old.get(id);
  }

  /** Keeps a job as it now stands in the database; one that is finished leaves. */
  keep(job: OpenJob): void {
    this.#forgetUndone();
    const { id, delivery } = job.row;
    if (delivery === DELIVERY.finished) {
      this.#young.delete(id);
      this.#old.delete(id);
      return;
    }
    this.#young.set(id, job);
    if (this.#young.size < GENERATION_MAX) return;
    // Not one by one: to find its first entry, a Map steps over every one that was deleted before it.
    this.#old = this.#young;
    this.#young = new Map();
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }

  #forgetUndone(): void {
    if (this.#undoneWrites === this.#database.undoneWrites) return;
    this.#undoneWrites = this.#database.undoneWrites;
    this.clear();
  }
}
