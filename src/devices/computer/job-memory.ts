/**
 * Job memory: the store of a computer on its disk. Which jobs it has taken, so that a redelivered one is
 * recognised and one that a crash interrupted is resumed; and the reports that the service has not
 * acknowledged. Jobs under way are never forgotten; of the finished ones the newest are kept.
 */

import type { DeliveredJob, JobStateReport } from '../../link/device-link.ts';

/** Far more than a service can have in flight to one computer. */
const MOST_FINISHED = 10_000;

export interface JobEnd {
  readonly state: 'done' | 'error';
  readonly message: string | undefined;
}

export interface HeldJob {
  readonly job: DeliveredJob;
  /** Set once the print queue took the job, or the job failed. */
  end: JobEnd | undefined;
}

export class JobMemory {
  readonly #underWay = new Map<number, HeldJob>();
  readonly #finished = new Set<number>();
  readonly #reports = new Set<JobStateReport>();

  /** Remembers a job as taken; false when it was known already. */
  take(job: DeliveredJob): boolean {
    if (this.knows(job.jobId)) return false;
    this.#underWay.set(job.jobId, { job, end: undefined });
    return true;
  }

  knows(jobId: number): boolean {
    return this.#underWay.has(jobId) || this.#finished.has(jobId);
  }

  /** The work on a job is over; the service does not know yet. */
  conclude(jobId: number, end: JobEnd): void {
    const held = this.#underWay.get(jobId);
    if (held) held.end = end;
  }

  /** Keeps a report until the service has acknowledged it. */
  keep(report: JobStateReport): void {
    this.#reports.add(report);
  }

  /** The service has acknowledged a report; with the one of its end a job is finished. */
  acknowledged(report: JobStateReport): void {
    if (!this.#reports.delete(report)) return;
    if (report.state === 'done' || report.state === 'error') this.#finish(report.jobId);
  }

  /** Reports not acknowledged, oldest first. */
  reports(): readonly JobStateReport[] {
    return [...this.#reports];
  }

  /** Jobs taken and not finished, oldest first. */
  underWay(): readonly HeldJob[] {
    return [...this.#underWay.values()];
  }

  forget(jobId: number): void {
    this.#underWay.delete(jobId);
    this.#finished.delete(jobId);
  }

  #finish(jobId: number): void {
    if (!this.#underWay.delete(jobId)) return;
    this.#finished.add(jobId);
    if (this.#finished.size <= MOST_FINISHED) return;
    for (const oldest of this.#finished) {
      this.#finished.delete(oldest);
      return;
    }
  }
}
