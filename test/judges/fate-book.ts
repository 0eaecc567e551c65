/**
 * What became of each change when it was last tried here: a file for each file that judges, which git ignores, so that a
 * run can go on where one before it ended.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { z } from 'zod';

import { PROJECT } from '../support/command-line.ts';

export const FATES = ['refused', 'killed', 'survived'] as const;
export type Fate = (typeof FATES)[number];

const FOLDER = path.join(PROJECT, 'reports', 'judging-code');

const schema = z.record(z.string(), z.enum(FATES));

/** The fates of the changes of one file. */
export class FateBook {
  readonly #place: string;
  readonly #fates: z.infer<typeof schema>;

  /** @param file - below the project */
  constructor(file: string) {
    this.#place = path.join(FOLDER, `${file.replaceAll('/', '+')}.json`);
    this.#fates = existsSync(this.#place) ? schema.parse(JSON.parse(readFileSync(this.#place, 'utf8'))) : {};
  }

  get isEmpty(): boolean {
    return Object.keys(this.#fates).length === 0;
  }

  note(change: string, fate: Fate): void {
    this.#fates[change] = fate;
  }

  fateOf(change: string): Fate | undefined {
    return this.#fates[change];
  }

  write(): void {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(this.#place, JSON.stringify(this.#fates, null, 1));
  }
}
