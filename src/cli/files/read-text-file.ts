/**
 * A text file that is named on the command line.
 */

import { readFileSync } from 'node:fs';

import { unreadableFile } from '../../common/unreadable-file.ts';

/** @throws ActionableError when it cannot be read */
export function readTextFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadableFile(file, error, 'Name a file that is there.');
  }
}
