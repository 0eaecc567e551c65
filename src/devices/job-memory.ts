/**
 * Job memory: which jobs a computer has taken, so that one delivered again is recognised. Jobs under
 * way are never forgotten; of the finished ones the newest are kept.
 */

/** Far more than a service can have in flight to one computer. */
const MOST_FINISHED = 10_000;

export class JobMemory {
  readonly #underWay = new Set<number>();
  readonly #finished = new Set<number>();

  /** Remembers a job as taken; false when it was known already. */
  take(jobId: number): boolean {
    if (this.#underWay.has(jobId) || this.#finished.has(jobId)) return false;
    this.#underWay.add(jobId);
    return true;
  }

  finish(jobId: number): void {
    if (!this.#underWay.delete(jobId)) return;
    this.#finished.add(jobId);
    if (this.#finished.size <= MOST_FINISHED) return;
    for (const oldest of this.#finished) {
      this.#finished.delete(oldest);
      return;
    }
  }

  /** Jobs taken and not finished, oldest first. */
  underWay(): number[] {
    return [...this.#underWay];
  }
}
