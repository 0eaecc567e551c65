/**
 * Exit codes: what a script learns from a run of platen.
 */

import type { ErrorKind } from '../common/actionable-error.ts';

export const EXIT = {
  good: 0,
  /** The target failed a check, an expectation or a threshold; a job did not print. */
  failed: 1,
  /** Inconclusive or incomplete. */
  incomplete: 2,
  /** The command line, or a file named on it, is wrong; also: nothing matched, or the service refuses the key. */
  usage: 64,
  /** platen itself broke. */
  harness: 70,
  /** The target does not answer, or not like a service of this kind. */
  unreachable: 75,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_OF_ERROR: Readonly<Record<ErrorKind, ExitCode>> = {
  usage: EXIT.usage,
  unreachable: EXIT.unreachable,
  harness: EXIT.harness,
};

/** The exit code in a record. */
export function exitCodeFrom(code: number): ExitCode {
  return Object.values(EXIT).find((known) => known === code) ?? EXIT.harness;
}
