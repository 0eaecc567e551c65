/**
 * Explains to people why a command failed: the message with the next step, and the exit code.
 */

import { CommanderError } from 'commander';

import { ActionableError } from '../common/actionable-error.ts';
import { stackOf } from '../common/error-message.ts';
import { EXIT, EXIT_OF_ERROR, type ExitCode } from './exit-code.ts';
import { Interrupted } from './interruption.ts';
import { err, styled } from './screen/terminal.ts';

export function explain(error: unknown): ExitCode {
  // Commander has written its own message; asking for help is not a mistake.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.good : EXIT.usage;
  // Work that was given up may still hold connections, which would keep the process alive.
  if (error instanceof Interrupted) process.exit(EXIT.interrupted);
  if (error instanceof ActionableError) {
    err(`${styledError(`error: ${error.message}`)}\n${error.nextStep}`);
    return EXIT_OF_ERROR[error.kind];
  }
  const trace = stackOf(error);
  err(`${styledError('error: platen itself broke; this is a bug')}\n${trace}`);
  return EXIT.harness;
}

/** The word `error:` in red. */
export function styledError(text: string): string {
  return text.replace(/^error:/, styled('red', 'error:', process.stderr));
}
