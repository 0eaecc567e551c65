/**
 * Compared paper: one document, printed on paper of its own size, beside what second renderers make of it.
 *
 *   document ─► press ─► sheets ─► renderer ─┐
 *      └─────────────────────────► renderer ─┴─► pages, size, picture: alike with one of the renderers, or not
 *
 * Each renderer is compared with itself, so that how it smooths letters counts for nothing. Where renderers make
 * different things of a document, sheets that agree with one of them are right.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { messageOf } from '../../src/common/error-message.ts';
import type { Press } from '../../src/devices/press/press.ts';
import type { PressedSheets } from '../../src/devices/press/press-messages.ts';
import { PLAIN } from '../support/print-settings.ts';
import { MUTOOL, POPPLER, type GrayPicture, type SecondRenderer } from './second-renderer.ts';

/** In the order in which they matter, worst first. */
export const KINDS = {
  blank: 'a blank sheet, where both show something',
  pages: 'another number of pages',
  size: 'another size',
  picture: 'another picture',
  redrawn: 'another picture of a form that is drawn anew (NeedAppearances)',
  refused: 'refused, though one of them draws it',
  alone: 'printed, and opened by neither of them',
  password: 'refused: it needs a password',
  hopeless: 'refused, and drawn by neither of them',
  alike: 'alike',
} as const;

export type Kind = keyof typeof KINDS;

export interface PaperVerdict {
  readonly kind: Kind;
  readonly detail: string;
}

const RENDERERS = [MUTOOL, POPPLER];

export async function comparePaper(press: Press, file: string): Promise<PaperVerdict> {
  const document = await readFile(file);
  const sheets = await press.sheetsOf(document, PLAIN).catch((error: unknown) => messageOf(error));
  if (typeof sheets === 'string') return refusal(file, sheets);
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-paper-'));
  try {
    const printed = path.join(folder, 'sheets.pdf');
    writeFileSync(printed, sheets.pdf);
    return await compareSheets(file, printed, sheets);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function refusal(file: string, reason: string): Promise<PaperVerdict> {
  if (reason.includes('password')) return { kind: 'password', detail: reason };
  for (const renderer of RENDERERS) {
    const picture = await renderer.draw(file, 1, true);
    if (picture && inkOf(picture) > 0) return { kind: 'refused', detail: `${reason} (${renderer.name} draws it)` };
  }
  return { kind: 'hopeless', detail: reason };
}

async function compareSheets(file: string, printed: string, { sheets }: PressedSheets): Promise<PaperVerdict> {
  const found: PaperVerdict[] = [];
  for (const renderer of RENDERERS) {
    const verdict = await compareWith(renderer, file, printed, sheets.length);
    if (verdict?.kind === 'alike') return verdict;
    if (verdict) found.push(verdict);
  }
  const [first] = found;
  if (!first) return { kind: 'alone', detail: `${sheets.length} sheets` };
  const kind = Object.keys(KINDS).find((worst) => found.some((verdict) => verdict.kind === worst)) as Kind;
  return {
    kind: kind === 'picture' && (await isRedrawn(file)) ? 'redrawn' : kind,
    detail: found.map(({ detail }) => detail).join('; '),
  };
}

/** Undefined where the renderer cannot open or draw the document. */
async function compareWith(
  renderer: SecondRenderer,
  file: string,
  printed: string,
  count: number,
): Promise<PaperVerdict | undefined> {
  const pages = await renderer.pageCount(file);
  if (!pages) return undefined;
  if (pages !== count) return { kind: 'pages', detail: `${renderer.name}: ${pages} pages, ${count} sheets` };
  for (const page of new Set([1, Math.min(2, pages), pages])) {
    const original = await renderer.draw(file, page, true);
    const sheet = await renderer.draw(printed, page, false);
    if (!original) return undefined;
    const verdict = comparePictures(original, sheet);
    if (verdict) return { ...verdict, detail: `${renderer.name}, page ${page}: ${verdict.detail}` };
  }
  return { kind: 'alike', detail: renderer.name };
}

/** How alike two pictures have to be: the mean levels of no cell of so many dots may be so far apart. */
interface Measure {
  readonly cell: number;
  readonly mostApart: number;
}

/** Less than a letter of body text makes. */
const ONE_RENDERER: Measure = { cell: 8, mostApart: 18 };
/** They smooth letters and lines in ways of their own. */
export const TWO_RENDERERS: Measure = { cell: 40, mostApart: 30 };
/** Renderers round sizes up or down, and the press rounds the size in points before. */
const SIZES_APART = 2;

export function comparePictures(
  original: GrayPicture,
  sheet: GrayPicture | undefined,
  { cell, mostApart } = ONE_RENDERER,
): PaperVerdict | undefined {
  if (!sheet) return { kind: 'picture', detail: 'the sheet cannot be drawn' };
  const sizesApart = Math.max(Math.abs(original.width - sheet.width), Math.abs(original.height - sheet.height));
  if (sizesApart > SIZES_APART) {
    const [was, is] = [original, sheet].map(({ width, height }) => `${width} × ${height}`);
    return { kind: 'size', detail: `${was} dots, ${is} on the sheet` };
  }
  const apart = Math.round(worstCell(original, sheet, cell));
  if (apart <= mostApart) return undefined;
  const detail = `${apart} levels apart, ink ${inkOf(original)} and ${inkOf(sheet)} on the sheet`;
  return { kind: inkOf(sheet) === 0 ? 'blank' : 'picture', detail };
}

/** How far apart the mean levels of two pictures are in the cell where they are farthest. */
function worstCell(a: GrayPicture, b: GrayPicture, size: number): number {
  const [width, height] = [Math.min(a.width, b.width), Math.min(a.height, b.height)];
  let worst = 0;
  for (let top = 0; top < height; top += size) {
    for (let left = 0; left < width; left += size) {
      const cell = { left, top, right: Math.min(left + size, width), bottom: Math.min(top + size, height) };
      worst = Math.max(worst, Math.abs(meanLevel(a, cell) - meanLevel(b, cell)));
    }
  }
  return worst;
}

interface Cell {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function meanLevel({ width, levels }: GrayPicture, { left, top, right, bottom }: Cell): number {
  let sum = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) sum += levels[y * width + x] ?? 0;
  }
  return sum / ((right - left) * (bottom - top));
}

/** How many dots full of ink a picture has. */
export function inkOf({ levels }: GrayPicture): number {
  return Math.round(levels.reduce((sum, level) => sum + 255 - level, 0) / 255);
}

async function isRedrawn(file: string): Promise<boolean> {
  return (await readFile(file)).includes('/NeedAppearances true');
}
