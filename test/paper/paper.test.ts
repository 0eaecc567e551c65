/**
 * Sheets as MuPDF and Poppler draw them: hand-made documents, and the documents of fixtures with options.
 */

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { systemClock } from '../../src/common/clock.ts';
import { Press } from '../../src/devices/press/press.ts';
import type { PrintSettings } from '../../src/devices/press/print-settings.ts';
import { pixelsOf } from '../../src/devices/press/sheet-picture.ts';
import { fixtureDocument } from '../support/print-room.ts';
import { A4, A4_LANDSCAPE, PLAIN } from '../support/print-settings.ts';
import { comparePaper, comparePictures, inkOf, TWO_RENDERERS } from './compared-paper.ts';
import { HAND_MADE } from './hand-made-documents.ts';
import { DPI, MUTOOL, POPPLER, type GrayPicture } from './second-renderer.ts';

const DOCUMENTS = new URL('../../fixtures/documents/', import.meta.url);
/** In dots full of ink. */
const INK = { 'text alone': 43, 'text and square': 2_790 } as const;
const INK_APART = 0.05;

/** What no printer prints; of the longest one everything is in the first sides. */
const NOT_PRINTED = [
  'empty.pdf',
  'encrypted.pdf',
  'endless-pages.pdf',
  'html-page.pdf',
  'truncated.pdf',
  'zero-pages.pdf',
];
const FIRST_SIDES = 3;

const OPTIONS: Readonly<Record<string, PrintSettings>> = {
  'no options': PLAIN,
  gray: { ...PLAIN, gray: true },
  'gray on A4': { ...PLAIN, gray: true, paper: A4, fitToPage: true },
  'A4 without scaling': { ...PLAIN, paper: A4 },
  'four a side': { ...PLAIN, paper: A4, nup: 4 },
  'two a side, gray, on A4 landscape': { ...PLAIN, paper: A4_LANDSCAPE, nup: 2, gray: true },
  'a quarter turn': { ...PLAIN, rotate: 90 },
  'both sides': { ...PLAIN, duplex: 'short-edge', paper: A4 },
};

const press = new Press(systemClock);
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-paper-'));
});

afterAll(async () => {
  await press.close();
  rmSync(folder, { recursive: true });
});

function fileOf(pdf: Uint8Array): string {
  const file = path.join(folder, 'document.pdf');
  writeFileSync(file, pdf);
  return file;
}

const EXPECTED = Object.entries(HAND_MADE).flatMap(([name, { pdf, shows }]) =>
  shows ? [[name, shows, pdf] as const] : [],
);
const COMPARED = Object.entries(HAND_MADE).filter(([, { shows }]) => shows === undefined);

describe('a document with', { tags: ['pdf-renderers'] }, () => {
  it.each(EXPECTED)('%s comes out with %s', async (_, shows, pdf) => {
    const sheets = fileOf((await press.sheetsOf(pdf, PLAIN)).pdf);
    for (const renderer of [MUTOOL, POPPLER]) {
      const picture = await renderer.draw(sheets, 1, false);
      const ink = picture ? inkOf(picture) : 0;
      expect(Math.abs(ink / INK[shows] - 1), `${renderer.name}: ${ink} dots of ink`).toBeLessThan(INK_APART);
    }
  });

  it.each(COMPARED)('%s comes out as another program draws it', async (_, { pdf }) => {
    expect(await comparePaper(press, fileOf(pdf))).toMatchObject({ kind: 'alike' });
  });
});

describe.each(Object.entries(OPTIONS))('a fixture printed with %s', { tags: ['pdf-renderers'] }, (_, settings) => {
  const documents = readdirSync(DOCUMENTS).filter((name) => name.endsWith('.pdf') && !NOT_PRINTED.includes(name));

  it.each(documents)('looks the same in MuPDF and in the pictures of the press: %s', async (name) => {
    const { pdf, sheets } = await press.sheetsOf(fixtureDocument(name), settings);
    const file = fileOf(pdf);
    const sides = sheets.reduce((sum, sheet) => sum + sheet.sides.length, 0);
    for (let side = 1; side <= Math.min(sides, FIRST_SIDES); side++) {
      const drawn = await MUTOOL.draw(file, side, false);
      expect(comparePictures(await pictureOfPress(pdf, side), drawn, TWO_RENDERERS)).toBeUndefined();
    }
  });
});

async function pictureOfPress(pdf: Uint8Array, side: number): Promise<GrayPicture> {
  const { width, height, rgba } = await pixelsOf(pdf, side, DPI);
  const levels = Uint8Array.from({ length: width * height }, (_, index) => {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(index * 4, index * 4 + 3);
    return 0.3 * red + 0.59 * green + 0.11 * blue;
  });
  return { width, height, levels };
}
