/**
 * Explains to people why a command failed: the message with the next step, and the exit code.
 */

import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { CommanderError } from 'commander';

import { ActionableError } from '../common/actionable-error.ts';
import { stackOf } from '../common/error-message.ts';
import { EXIT, EXIT_OF_ERROR, type ExitCode } from './exit-code.ts';
import { endNow, Interrupted } from './interruption.ts';
import { Refusal } from './remote/remote.ts';
import { err, styled } from './screen/terminal.ts';

export function explain(error: unknown): ExitCode {
  // Commander has written its own message; asking for help is not a mistake.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.good : EXIT.usage;
  // Work that was given up may still hold connections, which would keep the process alive.
  if (error instanceof Interrupted) endNow(EXIT.interrupted);
  if (error instanceof ActionableError) {
    err(`${styledError(`error: ${error.message}`)}\n${withPlaces(error.nextStep)}`);
    return EXIT_OF_ERROR[error.kind];
  }
  if (error instanceof Refusal) {
    const nextStep =
      error.status >= 500 ? 'The service knows why: see what it logs.' : 'Change what it names, and try again.';
    err(`${styledError(`error: the service refused: ${error.message}`)}\n${nextStep}`);
    return EXIT.failed;
  }
  const trace = stackOf(error);
  err(`${styledError('error: platen itself broke; this is a bug')}\n${trace}`);
  return EXIT.harness;
}

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));

/** Pages of the documentation by a path that exists: in a project of the caller's it is that of the package. */
export function withPlaces(text: string): string {
  return text.replaceAll(/\bdocs\/[\w-]+\.md\b/g, (page) => {
    const file = path.join(PACKAGE, page);
    const fromHere = path.relative('', file);
    return fromHere.startsWith('..') ? file : fromHere;
  });
}

/** The word `error:` in red. */
export function styledError(text: string): string {
  return text.replace(/^error:/, styled('red', 'error:', process.stderr));
}
