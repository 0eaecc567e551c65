/**
 * Files that a person names: reading one, and why one could not be read, in words.
 */

import { readFileSync } from 'node:fs';

import { usageError, type ActionableError } from './actionable-error.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'reading it is not allowed',
  EPERM: 'reading it is not allowed',
};

/** @throws ActionableError of kind usage when it cannot be read */
export function readTextFile(file: string, nextStep: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadableFile(file, error, nextStep);
  }
}

/** An error of the file system as one of kind usage. */
export function unreadableFile(file: string, error: unknown, nextStep: string): ActionableError {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  const reason = REASONS[code ?? ''] ?? message ?? String(error);
  return usageError(`cannot read ${file}: ${reason}`, nextStep, { cause: error });
}
