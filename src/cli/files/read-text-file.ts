/**
 * A text file that is named on the command line.
 */

import { readFileSync } from 'node:fs';

import { ActionableError } from '../../common/actionable-error.ts';
import { whyUnreadable } from '../../common/why-unreadable.ts';

/** @throws ActionableError when it cannot be read */
export function readTextFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ActionableError(
      'usage',
      `cannot read ${file}: ${whyUnreadable(error)}`,
      'Name a file that is there.',
      {
        cause: error,
      },
    );
  }
}
