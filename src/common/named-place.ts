/**
 * Named place: what is at a path from a command line or a file. It may be one that no system takes.
 */

import { statSync, type Stats } from 'node:fs';

/** By the code of an error: what is wrong with the path itself. */
export const WRONG_PATHS: Readonly<Record<string, string>> = {
  ENAMETOOLONG: 'its name is too long',
  ERR_INVALID_ARG_VALUE: 'its name has a NUL character',
};

/** Undefined where nothing is there, or nothing can be. */
export function foundAt(place: string): Stats | undefined {
  try {
    return statSync(place);
  } catch {
    return undefined;
  }
}

/** A path for a sentence, which an empty one would leave with a hole. */
export function shownPath(place: string): string {
  return place === '' ? "''" : place;
}
