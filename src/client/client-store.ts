/**
 * Client store: what a client program must not forget, in a file that is written anew at each change. A job that is
 * delivered again is recognised, also by the next process, and one that was interrupted is taken up again.
 */

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { z } from 'zod';

import type { DeliveredJob } from '../link/device-link.ts';
import { deliveredJob } from '../link/messages.ts';

/** `cups` has the numbers that CUPS gave the submissions of the job; without any, it is yet to be printed. */
const stored = z.object({
  installation: z.string(),
  open: z.array(z.object({ job: deliveredJob, cups: z.array(z.number()) })),
  /** Job → its last state. */
  over: z.record(z.string(), z.enum(['done', 'error'])),
});

export type JobEnd = 'done' | 'error';

export class ClientStore {
  readonly #file: string;
  readonly #content: z.infer<typeof stored>;

  /** @throws Error when the folder cannot be written to, or holds something else */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#file = path.join(folder, 'client.json');
    this.#content = existsSync(this.#file)
      ? stored.parse(JSON.parse(readFileSync(this.#file, 'utf8')))
      : { installation: randomUUID(), open: [], over: {} };
    this.#write();
  }

  get installation(): string {
    return this.#content.installation;
  }

  /** Jobs that are not over: in the hands of this program, or of CUPS. */
  get open(): readonly { readonly job: DeliveredJob; readonly cups: readonly number[] }[] {
    return [...this.#content.open];
  }

  /** False when the job was known already. */
  take(job: DeliveredJob): boolean {
    const { open, over } = this.#content;
    if (String(job.jobId) in over || open.some((one) => one.job.jobId === job.jobId)) return false;
    open.push({ job, cups: [] });
    this.#write();
    return true;
  }

  printed(jobId: number, cups: readonly number[]): void {
    this.#content.open.find(({ job }) => job.jobId === jobId)?.cups.push(...cups);
    this.#write();
  }

  over(jobId: number, state: JobEnd): void {
    this.#content.open = this.#content.open.filter(({ job }) => job.jobId !== jobId);
    this.#content.over[jobId] = state;
    this.#write();
  }

  /** The last state of a job; undefined while it is yet to be printed. */
  endOf(jobId: number): JobEnd | undefined {
    const isPrinted = this.#content.open.some(({ job, cups }) => job.jobId === jobId && cups.length > 0);
    return isPrinted ? 'done' : this.#content.over[jobId];
  }

  /** Whole or not at all: a crash leaves the file as it was. */
  #write(): void {
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#content));
    renameSync(`${this.#file}.new`, this.#file);
  }
}
