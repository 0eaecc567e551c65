/**
 * Open jobs: those under way to a computer, in memory as they stand in the database until their last state, so that
 * a state that is reported costs no look-up. Jobs that wait for a computer are not here: they may be millions.
 *
 *   print-job-table ─► here? ─► yes: no query
 *                            └► no:  read from the database, and kept while the job is open
 *
 * Bounded: the oldest leave first. Writes that are undone empty it.
 */

import { RecentMap } from '../../common/recent-map.ts';
import type { Database } from './database.ts';
import { DELIVERY, type PrintJobRow } from './print-job-row.ts';

export interface OpenJob {
  readonly row: PrintJobRow;
  /** States recorded after the registration. */
  states: number;
  /** The client's ids of the reports among them. */
  readonly reportIds: Set<string>;
  /** Its document; undefined for one that has to be read. */
  readonly content: string | undefined;
}

const KEPT_MAX = 20_000;

export class OpenJobs {
  readonly #database: Database;
  readonly #jobs = new RecentMap<number, OpenJob>(KEPT_MAX);
  #undoneWrites = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  get(id: number): OpenJob | undefined {
    this.#forgetUndone();
    return this.#jobs.get(id);
  }

  /** Keeps a job as it now stands in the database; one that is finished leaves. */
  keep(job: OpenJob): void {
    this.#forgetUndone();
    const { id, delivery } = job.row;
    if (delivery === DELIVERY.finished) this.#jobs.delete(id);
    else this.#jobs.set(id, job);
  }

  clear(): void {
    this.#jobs.clear();
  }

  #forgetUndone(): void {
    if (this.#undoneWrites === this.#database.undoneWrites) return;
    this.#undoneWrites = this.#database.undoneWrites;
    this.clear();
  }
}
