/**
 * Unreadable file: a file that somebody named and that could not be read, and why, in words.
 */

import { ActionableError } from './actionable-error.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EACCES: 'reading it is not allowed',
  EPERM: 'reading it is not allowed',
};

/** The error of a file system as one of kind usage; with its own message where that says more. */
export function unreadableFile(file: string, error: unknown, nextStep: string): ActionableError {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  const reason = REASONS[code ?? ''] ?? message ?? String(error);
  return new ActionableError('usage', `cannot read ${file}: ${reason}`, nextStep, { cause: error });
}
