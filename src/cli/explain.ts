/**
 * Explains to people why a command failed: the message with the next step, and the exit code.
 */

import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { CommanderError } from 'commander';

import { ActionableError } from '../common/actionable-error.ts';
import { stackLines } from '../common/error-message.ts';
import { packageVersion } from '../common/package-version.ts';
import { line, styled, type Line } from '../report/terminal/line.ts';
import { EXIT, EXIT_OF_ERROR, type ExitCode } from './exit-code.ts';
import { endNow, Interrupted } from './interruption.ts';
import { Refusal } from './remote/remote.ts';
import { err } from './screen/terminal.ts';

export function explain(error: unknown): ExitCode {
  // Commander has written its own message; asking for help is not a mistake.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.good : EXIT.usage;
  // Work that was given up may still hold connections, which would keep the process alive.
  if (error instanceof Interrupted) endNow(EXIT.interrupted);
  if (error instanceof ActionableError) {
    const [first = '', ...others] = error.lines;
    err([styledError(`error: ${first}`), ...others, withPlaces(error.nextStep)]);
    return EXIT_OF_ERROR[error.kind];
  }
  if (error instanceof Refusal) {
    const nextStep =
      error.status >= 500 ? 'The service knows why: see what it logs.' : 'Change what it names, and try again.';
    err([styledError(`error: the service refused: ${error.message}`), nextStep]);
    return EXIT.failed;
  }
  return explainBug(error);
}

/** Errors that no code catches: Node would print them as they are, with whatever a service has put into them. */
export function endOnBugs(): void {
  process.on('uncaughtException', (error) => endNow(explainBug(error)));
}

function explainBug(error: unknown): ExitCode {
  err([
    styledError('error: platen itself broke; this is a bug of platen'),
    ...stackLines(error),
    'Please report it with these lines and the command that you typed.',
    `platen ${packageVersion()}, Node ${process.version}, ${process.platform} ${process.arch}`,
  ]);
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
export function styledError(text: string): Line {
  return text.startsWith(ERROR) ? line`${styled('red', ERROR)}${text.slice(ERROR.length)}` : text;
}

const ERROR = 'error:';
