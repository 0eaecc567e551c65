/**
 * Folders that are made for what a run leaves.
 */

import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { usageError, type ActionableError } from './actionable-error.ts';
import { shownPath, WRONG_PATHS } from './named-place.ts';

const REASONS: Readonly<Record<string, string>> = {
  ...WRONG_PATHS,
  ENOENT: 'no folder can be made there',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'a part of its path is not a folder',
  EACCES: 'writing there is not allowed',
  EPERM: 'writing there is not allowed',
  EROFS: 'nothing can be written there',
};

/**
 * Makes a folder with those above it. Node's own way to do so never ends where the system refuses it, as in /proc.
 *
 * @returns the folders that were missing, from above
 */
export function makeFolder(folder: string): readonly string[] {
  const missing = missingOf(path.resolve(folder));
  for (const one of missing) makeOne(one);
  return missing;
}

/** Finds out whether files can be written to a folder, and leaves all as it was. @throws ActionableError if not */
export function ensureWritable(folder: string): void {
  const trial = path.join(folder, `.platen-${process.pid}.tmp`);
  let made: readonly string[] = [];
  try {
    made = makeFolder(folder);
    writeFileSync(trial, '');
  } catch (error) {
    throw unwritableFolder(folder, error);
  } finally {
    quietly(() => rmSync(trial, { force: true }));
    for (const one of made.toReversed()) quietly(() => rmdirSync(one));
  }
}

export function unwritableFolder(
  folder: string,
  error: unknown,
  nextStep = 'Name a folder you may write to with --out DIR.',
): ActionableError {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  const reason = REASONS[code ?? ''] ?? message ?? String(error);
  return usageError(`${shownPath(folder)} cannot be written to: ${reason}`, nextStep, { cause: error });
}

function missingOf(folder: string): readonly string[] {
  return existsSync(folder) ? [] : [...missingOf(path.dirname(folder)), folder];
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another run may make the same folder at this moment.
    if (!existsSync(folder)) throw error;
  }
}

/** What cannot be removed was not made, or another run has begun to write there. */
function quietly(remove: () => void): void {
  try {
    remove();
  } catch {
    // Left as it is.
  }
}
