/**
 * Files that a person names: reading one, and why one could not be read, in words.
 */

import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

import { ActionableError, usageError } from './actionable-error.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'reading it is not allowed',
  EPERM: 'reading it is not allowed',
};

/** Ten times the record of a run of a thousand failed checks with all their evidence. */
const MOST_BYTES = 128 * 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;

/** @throws ActionableError of kind usage when it cannot be read, is not text, or is too long */
export function readTextFile(file: string, nextStep: string): string {
  try {
    return boundedText(file, nextStep);
  } catch (error) {
    if (error instanceof ActionableError) throw error;
    throw unreadableFile(file, error, nextStep);
  }
}

/** Some files have no end, and no size that says so. */
function boundedText(file: string, nextStep: string): string {
  const handle = openSync(file, 'r');
  try {
    if (fstatSync(handle).size > MOST_BYTES) throw tooLong(file, nextStep);
    const pieces: Buffer[] = [];
    let length = 0;
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const count = readSync(handle, piece);
      if (count === 0) return textOf(Buffer.concat(pieces), file);
      pieces.push(piece.subarray(0, count));
      length += count;
      if (length > MOST_BYTES) throw tooLong(file, nextStep);
    }
  } finally {
    closeSync(handle);
  }
}

function textOf(bytes: Buffer, file: string): string {
  if (!isUtf8(bytes)) throw usageError(`${file} is not text in UTF-8`, 'Save it as UTF-8, or name another file.');
  return bytes.toString('utf8');
}

function tooLong(file: string, nextStep: string): ActionableError {
  return usageError(`${file} is longer than ${MOST_BYTES} bytes`, nextStep);
}

/** An error of the file system as one of kind usage. */
export function unreadableFile(file: string, error: unknown, nextStep: string): ActionableError {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  const reason = REASONS[code ?? ''] ?? message ?? String(error);
  return usageError(`cannot read ${file}: ${reason}`, nextStep, { cause: error });
}
