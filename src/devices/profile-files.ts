/**
 * Profile files: the models of printers and scales that ship with platen, each a JSON file that people edit.
 */

import { readdirSync, readFileSync } from 'node:fs';

import type { z } from 'zod';

import { usageError } from '../common/actionable-error.ts';
import type { Reach } from '../common/file-reach.ts';
import { parseAs } from '../common/json-value.ts';
import { meantHint, nearestName, plainest } from '../common/nearest-name.ts';

const MOST_BYTES = 1024 * 1024;

/** As examples of what there is. */
const MOST_NAMED = 5;

/** Whether a name is the path of a file, not the name of a profile that ships. */
export function isProfileFile(name: string): boolean {
  return name.endsWith('.json');
}

export class ProfileFiles<Profile> {
  readonly #kind: 'printer' | 'scale';
  readonly #schema: z.ZodType<Profile>;
  readonly #folder: URL;
  /** Rooms are made often, and what ships does not change meanwhile. */
  readonly #loaded = new Map<string, Profile>();

  constructor(kind: 'printer' | 'scale', schema: z.ZodType<Profile>) {
    this.#kind = kind;
    this.#schema = schema;
    this.#folder = new URL(`../../fixtures/${kind}s/`, import.meta.url);
  }

  /** In alphabetical order. */
  names(): string[] {
    const files = readdirSync(this.#folder).filter((file) => file.endsWith('.json'));
    return files.map((file) => file.slice(0, -'.json'.length)).toSorted();
  }

  /**
   * The profile of this name that ships, or of a file that the user wrote.
   *
   * @param reach - reads such files; without it no name stands for one
   * @throws ActionableError when no profile has the name, or its file is out of reach or not a profile
   */
  load(name: string, reach?: Reach): Profile {
    if (!reach || !isProfileFile(name)) return this.#shipped(name);
    const read = reach.read(name, MOST_BYTES);
    if (!read.ok) throw usageError(read.error, 'Name a profile that ships, or a file you may read.');
    return this.read(read.value.toString('utf8'), name);
  }

  #shipped(name: string): Profile {
    const profile = this.#loaded.get(name) ?? this.#readShipped(name);
    this.#loaded.set(name, profile);
    return profile;
  }

  /** Reads a profile from the text of its file. @throws ActionableError naming the file and every problem in it */
  read(json: string, file: string): Profile {
    const parsed = parseAs(this.#schema, json);
    if (parsed.ok) return parsed.value;
    throw usageError(
      `${file} is not a ${this.#kind} profile: ${parsed.error}`,
      `Compare it with a profile in fixtures/${this.#kind}s.`,
    );
  }

  #readShipped(name: string): Profile {
    const names = this.names();
    if (!names.includes(name)) {
      const some = plainest(names, MOST_NAMED).join(', ');
      throw usageError(
        `there is no ${this.#kind} profile '${name}'${meantHint(nearestName(name, names))}`,
        `There are ${names.length} in fixtures/${this.#kind}s, such as ${some}.`,
      );
    }
    const json = readFileSync(new URL(`${name}.json`, this.#folder), 'utf8');
    return this.read(json, `fixtures/${this.#kind}s/${name}.json`);
  }
}
