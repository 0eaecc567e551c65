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

import type { PNG } from 'pngjs';

import { usageError } from '../common/actionable-error.ts';
import { makeFolder } from '../common/folder.ts';
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

/** How far a pixel may be off, 0 to 1: less than an eye sees. */
const COLOR_THRESHOLD = 0.1;
/** The search for a shorter file calls Math.abs twenty times a pixel, and under jest each global is slow to reach. */
const UNFILTERED = { filterType: 0 } as const;

export async function compareSheet({ actual, expectedFile, ...options }: ComparisonOptions): Promise<Comparison> {
  const { tolerance, update, folder } = options;
  const names = pictureNames(expectedFile);
  for (const name of names) rmSync(path.join(folder, name), { force: true });
  if (!existsSync(expectedFile)) return update === 'none' ? { is: 'missing' } : write(expectedFile, actual);
  const expected = readFileSync(expectedFile);
  if (expected.equals(actual)) return { is: 'same' };
  const difference = await differenceOf(expected, actual, expectedFile);
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

interface Difference {
  /** The share of the pixels that differ; infinite between pictures of different sizes. */
  readonly share: number;
  readonly how: string;
  readonly picture: Uint8Array;
}

async function differenceOf(expected: Uint8Array, actual: Uint8Array, expectedFile: string): Promise<Difference> {
  const [{ PNG }, { default: pixelmatch }] = await Promise.all([import('pngjs'), import('pixelmatch')]);
  const [was, is] = [pixelsOf(PNG, expected, expectedFile), pixelsOf(PNG, actual, 'the sheet')];
  const width = Math.max(was.width, is.width);
  const height = Math.max(was.height, is.height);
  const [before, after] = [onCanvas(PNG, was, width, height), onCanvas(PNG, is, width, height)];
  const difference = new PNG({ width, height });
  const settings = { threshold: COLOR_THRESHOLD, includeAA: true };
  const pixels = pixelmatch(before.data, after.data, difference.data, width, height, settings);
  const picture = PNG.sync.write(difference, UNFILTERED);
  const isSameSize = was.width === is.width && was.height === is.height;
  if (!isSameSize) return { share: Infinity, how: sizesOf(is, was), picture };
  return { share: pixels / (width * height), how: shareOf(pixels, width * height), picture };
}

function pixelsOf(png: typeof PNG, content: Uint8Array, file: string): PNG {
  try {
    return png.sync.read(Buffer.from(content));
  } catch (error) {
    throw usageError(`${file} is not a PNG that can be read: ${String(error)}`, 'Delete it, and run the test again.');
  }
}

/** Pictures of different sizes are compared on a sheet that both fit on. */
function onCanvas(png: typeof PNG, picture: PNG, width: number, height: number): PNG {
  const canvas = new png({ width, height, fill: true });
  png.bitblt(picture, canvas, 0, 0, picture.width, picture.height, 0, 0);
  return canvas;
}

function shareOf(pixels: number, all: number): string {
  const percent = ((100 * pixels) / all).toPrecision(2);
  return `${pixels} of ${all} pixels differ (${Number(percent)} %)`;
}

function sizesOf(is: PNG, was: PNG): string {
  return `it is ${is.width} × ${is.height} pixels, not ${was.width} × ${was.height}`;
}

function pictureNames(expectedFile: string): readonly [string, string, string] {
  const stem = path.basename(expectedFile, '.png');
  return [`${stem}-expected.png`, `${stem}-actual.png`, `${stem}-difference.png`];
}
