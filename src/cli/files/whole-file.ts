/**
 * Whole file: a file appears under its name with all of its content, or not at all.
 */

import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { usageError, type ActionableError } from '../../common/actionable-error.ts';
import { messageOf } from '../../common/error-message.ts';
import { makeFolder } from '../../common/folder.ts';
import { foundAt } from '../../common/named-place.ts';
import { whyNotRegular } from '../../common/regular-file.ts';

/** Writes a file, with the folders above it. @throws ActionableError when it cannot be written */
export function writeFileWhole(file: string, content: string | Uint8Array, mode?: number): void {
  assertReplaceable(file);
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
  assertReplaceable(file);
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

/** A file takes the place of what has its name: never that of a device or a pipe, which others use. */
function assertReplaceable(file: string): void {
  const found = foundAt(file);
  const reason = found?.isDirectory() ? undefined : found && whyNotRegular(found);
  if (reason !== undefined) throw usageError(`cannot write ${file}: ${reason}`, 'Name a path that can be written.');
}

function removeIfThere(file: string): void {
  if (existsSync(file)) rmSync(file);
}

function cannotWrite(file: string, error: unknown): ActionableError {
  return usageError(`cannot write ${file}: ${messageOf(error)}`, 'Name a path that can be written.', {
    cause: error,
  });
}
