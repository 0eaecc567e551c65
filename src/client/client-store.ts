/**
 * Client store: what a client program must not forget, in a file that is written anew at each change. A job that is
 * delivered again is recognised, also by the next process, and one that was interrupted is taken up again.
 */

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { z } from 'zod';

import { OWNER_ALONE } from '../common/owner-alone.ts';
import { deliveredJob } from '../link/messages.ts';

const heldJob = z.object({
  /** Null once it is over. */
  job: deliveredJob.nullable(),
  /** Numbers that CUPS gave its submissions. */
  cups: z.array(z.number()),
  /** Null while it is yet to be printed. */
  end: z.enum(['done', 'error']).nullable(),
});

const stored = z.object({
  installation: z.string().default(randomUUID),
  jobs: z.record(z.string(), heldJob).default({}),
});

export class ClientStore {
  readonly held: z.infer<typeof stored>;
  readonly #file: string;

  /** @throws Error when the folder cannot be written to, or holds something else */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#file = path.join(folder, 'client.json');
    const content: unknown = existsSync(this.#file) ? JSON.parse(readFileSync(this.#file, 'utf8')) : {};
    this.held = stored.parse(content);
    this.#save();
  }

  keep(jobId: number, held: z.infer<typeof heldJob>): void {
    this.held.jobs[jobId] = held;
    this.#save();
  }

  /** Whole or not at all: a crash leaves the file as it was. */
  #save(): void {
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.held), { mode: OWNER_ALONE });
    renameSync(`${this.#file}.new`, this.#file);
  }
}
