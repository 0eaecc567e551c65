/**
 * Sheet comparison: the picture of a sheet against a PNG that is kept with the tests.
 *
 *   no PNG yet ─► written, and the test passes    (in CI it fails: nothing is written there)
 *   same ───────► passes
 *   different ──► expected, actual and difference are kept beside each other
 *
 * Pictures are drawn by the same WebAssembly everywhere, so that a sheet looks the same on every machine.
 */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { usageError } from '../common/actionable-error.ts';
import { makeFolder } from '../common/folder.ts';
import { pngDifference } from '../common/png-difference.ts';
import { keepFile } from './test-results.ts';

/** Which PNGs are written: every one that differs, those that are missing, or none. */
export type SheetUpdate = 'all' | 'missing' | 'none';

export interface ComparisonOptions {
  readonly actual: Uint8Array;
  /** The PNG that is kept with the tests. */
  readonly expectedFile: string;
  /** Share of the pixels that may differ, 0 to 1. */
  readonly tolerance: number;
  readonly update: SheetUpdate;
  /** Where the pictures of a difference go. */
  readonly folder: string;
}

/** `wrote` when the PNG was missing or is to change; then nothing was compared. */
export type Comparison =
  | { readonly is: 'same' | 'wrote' }
  | { readonly is: 'missing' }
  | { readonly is: 'different'; readonly how: string; readonly pictures: readonly string[] };

export async function compareSheet({ actual, expectedFile, ...options }: ComparisonOptions): Promise<Comparison> {
  const { tolerance, update, folder } = options;
  const names = pictureNames(expectedFile);
  for (const name of names) rmSync(path.join(folder, name), { force: true });
  if (!existsSync(expectedFile)) return update === 'none' ? { is: 'missing' } : write(expectedFile, actual);
  const expected = readFileSync(expectedFile);
  if (expected.equals(actual)) return { is: 'same' };
  const read = await pngDifference(expected, actual);
  if (!read.ok) throw usageError(`${expectedFile}: ${read.error}`, 'Delete it, and run the test again.');
  const difference = read.value;
  if (difference.share <= tolerance) return { is: 'same' };
  if (update === 'all') return write(expectedFile, actual);
  const contents = [expected, actual, difference.picture];
  const pictures = names.map((name, index) => keepFile(folder, name, contents[index] ?? ''));
  return { is: 'different', how: difference.how, pictures };
}

function write(file: string, picture: Uint8Array): Comparison {
  makeFolder(path.dirname(file));
  writeFileSync(file, picture);
  return { is: 'wrote' };
}

function pictureNames(expectedFile: string): readonly [string, string, string] {
  const stem = path.basename(expectedFile, '.png');
  return [`${stem}-expected.png`, `${stem}-actual.png`, `${stem}-difference.png`];
}
