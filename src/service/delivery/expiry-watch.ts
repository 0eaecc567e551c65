/**
 * Expiry watch: one timer for the next job that expires, whatever their number.
 */

import type { Clock, Timer } from '../../common/clock.ts';
import type { Database } from '../store/database.ts';
import type { PrintJobs } from './print-jobs.ts';

export class ExpiryWatch {
  readonly #clock: Clock;
  readonly #database: Database;
  readonly #jobs: PrintJobs;
  #timer: Timer | undefined;
  #armedForMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, database: Database, jobs: PrintJobs) {
    this.#clock = clock;
    this.#database = database;
    this.#jobs = jobs;
    this.#armForNext();
  }

  /** A new job expires at `dueMs`. */
  add(dueMs: number): void {
    if (dueMs >= this.#armedForMs) return;
    this.#timer?.cancel();
    this.#armedForMs = dueMs;
    this.#timer = this.#clock.schedule(dueMs - this.#clock.now(), () => this.#fire());
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #fire(): void {
    this.#armedForMs = Number.POSITIVE_INFINITY;
    this.#database.write(() => this.#jobs.expire());
    this.#armForNext();
  }

  #armForNext(): void {
    const nextMs = this.#jobs.table.nextExpiryMs();
    if (nextMs !== undefined) this.add(nextMs);
  }
}
