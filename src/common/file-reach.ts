/**
 * File reach: the folders from which files are read that another file names. What a scenario or a room names comes from
 * anywhere, and must not lead to what is no business of its author.
 *
 *   scenario ─► `document: ./letter.pdf` ─► its folder, the working folder, what ships, --allow-files DIR
 */

import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { failure, type Outcome } from './outcome.ts';
import { MOST_FILE_BYTES, readRegularFile } from './regular-file.ts';

/** The documents and profiles that ship. */
const SHIPPED = fileURLToPath(new URL('../../fixtures/', import.meta.url));

/** Reads files for others. */
export interface Reach {
  /** The content of a regular file; a failure says why it is not read. */
  read(place: string, most?: number): Outcome<Buffer, string>;
}

/** For names that a program gives, whose own files they are. */
export const ANYWHERE: Reach = {
  read(place, most) {
    const read = readRegularFile(place, { most });
    return read.ok ? read : failure(`cannot read ${place}: ${read.error}`);
  },
};

export class FileReach implements Reach {
  readonly #folders: readonly string[];
  #leftBytes = MOST_FILE_BYTES;

  /**
   * @param folder - that of the file that names others
   * @param allowed - what the command line allows beside it
   */
  constructor(folder: string, allowed: readonly string[] = []) {
    // Everything is in the root, where a container may run: it says nothing about what belongs together.
    const usual = [folder, '.'].map(realPlace).filter((place) => path.dirname(place) !== place);
    this.#folders = [...usual, SHIPPED, ...allowed.map(realPlace)];
  }

  /** Within reach only; a failure says what would allow it. All files together are no longer than one may be. */
  read(place: string, most?: number): Outcome<Buffer, string> {
    const read = readRegularFile(place, { most, refusal: (real) => this.#refusal(real) });
    if (!read.ok) return failure(`cannot read ${place}: ${read.error}`);
    this.#leftBytes -= read.value.length;
    if (this.#leftBytes >= 0) return read;
    return failure(`cannot read ${place}: with it, the files named here have more than ${MOST_FILE_BYTES} bytes`);
  }

  #refusal(real: string): string | undefined {
    if (this.#folders.some((folder) => isInside(real, folder))) return undefined;
    const folder = path.dirname(real);
    return `it is outside the folder of this file and the working folder; \`--allow-files ${folder}\` allows it`;
  }
}

/** A folder that is not there holds no file. */
function realPlace(folder: string): string {
  const place = path.resolve(folder);
  try {
    return realpathSync(place);
  } catch {
    return place;
  }
}

function isInside(place: string, folder: string): boolean {
  const way = path.relative(folder, place);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}
