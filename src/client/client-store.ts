/**
 * Client store: what a client program must not forget, in a file that is written anew at each change. A job that is
 * delivered again is recognised, also by the next process, and one that was interrupted is taken up again.
 */

import { randomUUID } from 'node:crypto';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { z } from 'zod';

import { usageError } from '../common/actionable-error.ts';
import { makeFolder, unwritableFolder } from '../common/folder.ts';
import { parseAs } from '../common/json-value.ts';
import { OWNER_ALONE } from '../common/owner-alone.ts';
import { readRegularFile } from '../common/regular-file.ts';
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

const NEXT_STEP = 'Name another folder with --data DIR.';

/** @throws ActionableError */
function heldIn(file: string): z.infer<typeof stored> {
  if (!existsSync(file)) return stored.parse({});
  const content = readRegularFile(file);
  const read = content.ok ? parseAs(stored, content.value) : content;
  if (read.ok) return read.value;
  throw usageError(`${file} is not what a client keeps of its jobs: ${read.error}`, NEXT_STEP);
}

export class ClientStore {
  readonly held: z.infer<typeof stored>;
  readonly #file: string;

  /** @throws ActionableError when the folder cannot be written to, or holds something else */
  constructor(folder: string) {
    this.#file = path.join(folder, 'client.json');
    this.held = heldIn(this.#file);
    try {
      makeFolder(folder);
      this.#save();
    } catch (error) {
      throw unwritableFolder(folder, error, NEXT_STEP);
    }
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
