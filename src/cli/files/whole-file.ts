/**
 * Whole file: a file appears under its name with all of its content, or not at all.
 */

import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { usageError, type ActionableError } from '../../common/actionable-error.ts';
import { messageOf } from '../../common/error-message.ts';
import { makeFolder } from '../../common/folder.ts';

/** Writes a file, with the folders above it. @throws ActionableError when it cannot be written */
export function writeFileWhole(file: string, content: string | Uint8Array, mode?: number): void {
  const partial = `${file}.${process.pid}.partial`;
  try {
    makeFolder(path.dirname(file));
    writeFileSync(partial, content, { mode });
    renameSync(partial, file);
  } catch (error) {
    removeIfThere(partial);
    throw cannotWrite(file, error);
  }
}

/** Where one file is to be written, a folder that is not there is a mistake. @throws ActionableError when it is not */
export function ensureFolderOf(file: string): void {
  const folder = path.dirname(path.resolve(file));
  if (existsSync(folder)) return;
  throw usageError(`cannot write ${file}: there is no folder ${folder}`, 'Make it, or name a file in another.');
}

/** Removes a file that may be there. @throws ActionableError when it cannot be removed */
export function removeFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

function removeIfThere(file: string): void {
  if (existsSync(file)) rmSync(file);
}

function cannotWrite(file: string, error: unknown): ActionableError {
  return usageError(`cannot write ${file}: ${messageOf(error)}`, 'Name a path that can be written.', {
    cause: error,
  });
}
