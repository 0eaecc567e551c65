/**
 * What a reader sees on the sheets: pages with a coloured mark in each corner, looked at as pixels.
 */

import { constantFrom, assert, asyncProperty, record } from 'fast-check';
import { degrees, PDFDocument, PDFName, PDFNumber, rgb } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';

import { systemClock } from '../../../../src/common/clock.ts';
import { Press } from '../../../../src/devices/press/press.ts';
import type { Paper, PrintSettings } from '../../../../src/devices/press/print-settings.ts';
import { fixtureDocument } from '../../../support/print-room.ts';
import { A4, A4_LANDSCAPE, PLAIN } from '../../../support/print-settings.ts';
import { sidePixels, type Pixel, type SidePixels } from '../../../support/side-pixels.ts';

const press = new Press(systemClock);
afterAll(() => press.close());

interface PageKnobs {
  readonly width: number;
  readonly height: number;
  readonly rotate?: number;
  readonly crop?: readonly [number, number, number, number];
  readonly userUnit?: number;
}

/** A page with its corners, from upper left and clockwise, red, green, blue and black; white between. */
async function marked(...pages: readonly PageKnobs[]): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  for (const { width, height, rotate, crop, userUnit } of pages) {
    const page = document.addPage([width, height]);
    const [x0, y0, w, h] = crop ?? [0, 0, width, height];
    const [side, up] = [w / 4, h / 4];
    page.drawRectangle({ x: x0, y: y0 + h - up, width: side, height: up, color: rgb(1, 0, 0) });
    page.drawRectangle({ x: x0 + w - side, y: y0 + h - up, width: side, height: up, color: rgb(0, 1, 0) });
    page.drawRectangle({ x: x0 + w - side, y: y0, width: side, height: up, color: rgb(0, 0, 1) });
    page.drawRectangle({ x: x0, y: y0, width: side, height: up, color: rgb(0, 0, 0) });
    if (rotate !== undefined) page.setRotation(degrees(rotate));
    if (crop) page.setCropBox(...crop);
    if (userUnit !== undefined) page.node.set(PDFName.of('UserUnit'), PDFNumber.of(userUnit));
  }
  return document.save();
}

async function printed(document: Uint8Array, settings: Partial<PrintSettings>, side = 1): Promise<SidePixels> {
  const { pdf } = await press.sheetsOf(document, { ...PLAIN, ...settings });
  return sidePixels(pdf, side);
}

function colourOf([red, green, blue]: Pixel): string {
  const high = [red > 200, green > 200, blue > 200].map(Number).join('');
  return { '100': 'red', '010': 'green', '001': 'blue', '000': 'black', '111': 'white' }[high] ?? high;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Colours of the corners of a box on the paper, from upper left and clockwise. */
function corners(pixels: SidePixels, { left, top, width, height }: Box = whole(pixels)): string[] {
  const places = [
    [0.1, 0.1],
    [0.9, 0.1],
    [0.9, 0.9],
    [0.1, 0.9],
  ] as const;
  return places.map(([x, y]) => colourOf(pixels.at(left + width * x, top + height * y)));
}

function whole({ width, height }: SidePixels): Box {
  return { left: 0, top: 0, width, height };
}

const UPRIGHT = ['red', 'green', 'blue', 'black'];

/** The corners after `quarters` clockwise quarter turns. */
function turned(quarters: number): string[] {
  return UPRIGHT.map((_, index) => UPRIGHT.at((index - quarters) % 4) ?? '');
}

const PORTRAIT = { width: 300, height: 400 };
const SMALL: Paper = { name: 'small', widthPt: 150, heightPt: 200 };

describe('sheets', () => {
  it.each([0, 90, 180, 270, 450, -90])('show a page with /Rotate %i as viewers show it', async (rotate) => {
    const pixels = await printed(await marked({ ...PORTRAIT, rotate }), {});
    expect(corners(pixels)).toEqual(turned((rotate + 360) / 90));
  });

  it('O13: show the crop box, turned, in its user unit', async () => {
    const crop = [40, 50, 200, 100] as const;
    const pixels = await printed(await marked({ ...PORTRAIT, crop, rotate: 90, userUnit: 2 }), {});
    expect([pixels.width, pixels.height]).toEqual([200, 400]);
    expect(corners(pixels)).toEqual(turned(1));
  });

  it('O14: are turned as far as rotate says, whatever the document says', async () => {
    const settings = record({ rotate: constantFrom(0, 90, 180, 270), own: constantFrom(0, 90, 180, 270) });
    const law = asyncProperty(settings, async ({ rotate, own }) => {
      const pixels = await printed(await marked({ ...PORTRAIT, rotate: own }), { rotate });
      expect(corners(pixels)).toEqual(turned(rotate / 90));
    });
    await assert(law, { seed: 1, numRuns: 16 });
  });

  it('O12: hold a page that is to fit whole, up or down, in the middle', async () => {
    const document = await marked(PORTRAIT);
    expect(corners(await printed(document, { paper: SMALL, fitToPage: true }))).toEqual(UPRIGHT);
    const pixels = await printed(document, { paper: A4, fitToPage: true });
    const width = pixels.width;
    const height = (width * 4) / 3;
    expect(corners(pixels, { left: 0, top: (pixels.height - height) / 2, width, height })).toEqual(UPRIGHT);
  });

  it('O12: show the middle of a page that is too large and not to fit', async () => {
    const pixels = await printed(await marked({ width: 300, height: 400 }), { paper: SMALL });
    expect(corners(pixels)).toEqual(['white', 'white', 'white', 'white']);
    expect([pixels.width, pixels.height]).toEqual([150, 200]);
  });

  it('turn a landscape page counter-clockwise onto portrait paper, and not if rotate is 0', async () => {
    const document = await marked({ width: 400, height: 300 });
    const paper: Paper = { name: 'p', widthPt: 300, heightPt: 400 };
    expect(corners(await printed(document, { paper }))).toEqual(turned(3));
    const unturned = await printed(document, { paper, rotate: 0, fitToPage: true });
    expect(corners(unturned, { left: 0, top: 87.5, width: 300, height: 225 })).toEqual(UPRIGHT);
  });

  it('rotate 90 with fit: fill landscape paper with the turned page', async () => {
    const paper: Paper = { name: 'wide', widthPt: 400, heightPt: 300 };
    const pixels = await printed(await marked(PORTRAIT), { paper, rotate: 90, fitToPage: true });
    expect(corners(pixels)).toEqual(turned(1));
  });

  it('O5: put two pages side by side on landscape paper', async () => {
    const page = { width: A4.widthPt, height: A4.heightPt };
    const pixels = await printed(await marked(page, page), { paper: A4_LANDSCAPE, nup: 2 });
    const half = { ...whole(pixels), width: pixels.width / 2 };
    expect(corners(pixels, half)).toEqual(UPRIGHT);
    expect(corners(pixels, { ...half, left: half.width })).toEqual(UPRIGHT);
  });

  it('O6: read from left to right once portrait paper with two pages is turned', async () => {
    const page = { width: A4.widthPt, height: A4.heightPt };
    const pixels = await printed(await marked(page, page), { paper: A4, nup: 2 });
    const half = { ...whole(pixels), height: pixels.height / 2 };
    expect(corners(pixels, half)).toEqual(turned(1));
    expect(corners(pixels, { ...half, top: half.height })).toEqual(turned(1));
  });

  it('keep landscape pages upright when two of them share portrait paper', async () => {
    const page = { width: A4.heightPt, height: A4.widthPt };
    const pixels = await printed(await marked(page, page), { paper: A4, nup: 2 });
    const half = { ...whole(pixels), height: pixels.height / 2 };
    expect(corners(pixels, half)).toEqual(UPRIGHT);
    expect(corners(pixels, { ...half, top: half.height })).toEqual(UPRIGHT);
  });

  it('O15: have both sides upright, and a blank filler', async () => {
    const document = await marked(PORTRAIT);
    const { sheets, pdf } = await press.sheetsOf(document, { ...PLAIN, duplex: 'short-edge', copies: 2 });
    expect(sheets.map(({ flip, sides }) => [flip, sides.length])).toEqual([
      ['short-edge', 2],
      ['short-edge', 2],
    ]);
    expect(corners(await sidePixels(pdf, 3))).toEqual(UPRIGHT);
    const filler = new Set([...(await sidePixels(pdf, 4)).all()].map(String));
    expect([...filler]).toEqual(['255,255,255']);
  });

  it('O17: are gray in every pixel, by luminosity, and lie as they do in colour', async () => {
    const document = await marked(PORTRAIT);
    const gray = await printed(document, { gray: true });
    for (const [red, green, blue] of gray.all()) {
      if (red !== green || green !== blue) throw new Error(`a pixel is ${red},${green},${blue}`);
    }
    const [red, green, blue, black] = [
      [30, 40],
      [270, 40],
      [270, 360],
      [30, 360],
    ].map(([left = 0, top = 0]) => gray.at(left, top)[0]);
    expect(red).toBeCloseTo(76, -1);
    expect(green).toBeCloseTo(150, -1);
    expect(blue).toBeCloseTo(28, -1);
    expect(black).toBe(0);
    expect(gray.at(150, 200)).toEqual([255, 255, 255]);
  });

  it('O17: keep text as text when they are gray', async () => {
    const { pdf } = await press.sheetsOf(fixtureDocument('invoice.pdf'), { ...PLAIN, gray: true });
    expect(await press.textOf(pdf, 1)).toContain('INVOICE');
  });

  it('O22: are the same bytes again for any combination of options', async () => {
    const settings = record({
      duplex: constantFrom<PrintSettings['duplex']>('one-sided', 'long-edge', 'short-edge'),
      nup: constantFrom(1, 2, 4, 6, 9, 16),
      rotate: constantFrom(null, 0, 90, 180, 270),
      gray: constantFrom(true, false),
      fitToPage: constantFrom(true, false),
      collate: constantFrom(true, false),
      copies: constantFrom(1, 2, 3),
      paper: constantFrom(null, A4, SMALL),
    });
    const document = fixtureDocument('mixed-sizes.pdf');
    const law = asyncProperty(settings, async (chosen) => {
      const first = await press.sheetsOf(document, { ...PLAIN, ...chosen });
      const second = await press.sheetsOf(document, { ...PLAIN, ...chosen });
      expect(Buffer.compare(first.pdf, second.pdf)).toBe(0);
      const sides = first.sheets.flatMap((sheet) => sheet.sides.map(() => sheet.paper));
      const drawn = (await PDFDocument.load(first.pdf)).getPages();
      expect(drawn.map((page) => [page.getWidth(), page.getHeight()])).toEqual(
        sides.map(({ widthPt, heightPt }) => [widthPt, heightPt]),
      );
    });
    await assert(law, { seed: 7, numRuns: 40 });
  });
});

describe('metamorphic laws of sheets', () => {
  it('swapping the sides of the paper is the same as turning by 90, for pages that are to fit', async () => {
    const document = await marked(PORTRAIT);
    const paper: Paper = { name: 'wide', widthPt: 300, heightPt: 200 };
    const across = await printed(document, { paper, fitToPage: true });
    expect(corners(across, { left: 16.7, top: 0, width: 266.6, height: 200 })).toEqual(turned(3));
  });

  it('4-up of sheets is 4-up of the document', async () => {
    const document = await marked(PORTRAIT, PORTRAIT, PORTRAIT, PORTRAIT);
    const once = await press.sheetsOf(document, PLAIN);
    const again = await printed(once.pdf, { nup: 4, paper: A4 });
    const straight = await printed(document, { nup: 4, paper: A4 });
    expect([...again.all()].map(String)).toEqual([...straight.all()].map(String));
  });
});
