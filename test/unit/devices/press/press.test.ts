import { array, assert, asyncProperty, integer, record } from 'fast-check';
import { PDFDocument } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';

import { systemClock } from '../../../../src/common/clock.ts';
import { Press } from '../../../../src/devices/press/press.ts';
import { endlessPicture } from '../../../support/pdf-builder.ts';
import { fixtureDocument } from '../../../support/print-room.ts';
import { A4, PLAIN } from '../../../support/print-settings.ts';

const press = new Press(systemClock);
afterAll(() => press.close());

async function pageSizes(pdf: Uint8Array): Promise<[number, number][]> {
  const document = await PDFDocument.load(pdf);
  return document.getPages().map((page) => [Math.round(page.getWidth()), Math.round(page.getHeight())]);
}

describe('a press', () => {
  it.each([
    ['empty.pdf', 'the document is empty'],
    ['html-page.pdf', "the document is not a PDF: it begins with '<!doctype html><'"],
    ['zpl-label.zpl', "the document is not a PDF: it begins with '^XA.^PW812^LL121'"],
    ['truncated.pdf', 'the document is truncated: its end is missing'],
    ['encrypted.pdf', 'the document is encrypted and needs a password'],
    ['zero-pages.pdf', 'the document has no pages'],
    ['endless-pages.pdf', 'the document is damaged: its pages refer to each other in a circle'],
  ])('says what is wrong with %s and lives on', async (name, message) => {
    await expect(press.sheetsOf(fixtureDocument(name), PLAIN)).rejects.toThrow(message);
    const good = await press.sheetsOf(fixtureDocument('invoice.pdf'), PLAIN);
    expect(good.sheets).toHaveLength(1);
  });

  it('fails with nothing but a document error, whatever byte of a document is lost', async () => {
    const document = fixtureDocument('three-pages.pdf');
    for (let length = 0; length < document.length; length += 37) {
      const outcome = await press.sheetsOf(document.subarray(0, length), PLAIN).then(
        () => 'sheets',
        (error: unknown) => (error instanceof Error ? error.name : 'no error'),
      );
      expect(outcome).toMatch(/^(sheets|DocumentError)$/);
    }
  });

  it('composes a document with the same settings once, and gives the same bytes each time', async () => {
    await using fresh = new Press(systemClock);
    const document = fixtureDocument('invoice.pdf');
    const [first, meanwhile] = await Promise.all([fresh.sheetsOf(document, PLAIN), fresh.sheetsOf(document, PLAIN)]);
    expect(meanwhile.pdf).toBe(first.pdf);
    expect((await fresh.sheetsOf(Buffer.from(document), { ...PLAIN })).pdf).toBe(first.pdf);
    expect((await fresh.sheetsOf(document, { ...PLAIN, copies: 2 })).sheets).toHaveLength(2);
    await using another = new Press(systemClock);
    expect((await another.sheetsOf(document, PLAIN)).pdf).toEqual(first.pdf);
  });

  it('tries a document that could not be composed again', async () => {
    const document = fixtureDocument('encrypted.pdf');
    for (const _ of [1, 2]) await expect(press.sheetsOf(document, PLAIN)).rejects.toThrow('encrypted');
  });

  it('takes the size of each document page when no paper is chosen', async () => {
    const { pdf } = await press.sheetsOf(fixtureDocument('mixed-sizes.pdf'), PLAIN);
    expect(await pageSizes(pdf)).toEqual([
      [595, 842],
      [792, 612],
      [420, 595],
      [288, 432],
    ]);
  });

  it('puts every page on the chosen paper', async () => {
    const { pdf } = await press.sheetsOf(fixtureDocument('mixed-sizes.pdf'), { ...PLAIN, paper: A4 });
    expect(new Set((await pageSizes(pdf)).map(String))).toEqual(new Set(['595,842']));
  });

  it('crops, turns and scales pages as a reader sees them', async () => {
    const { pdf } = await press.sheetsOf(fixtureDocument('turned-and-cropped.pdf'), PLAIN);
    expect(await pageSizes(pdf)).toEqual([
      [842, 595],
      [300, 400],
      [800, 1000],
      [800, 600],
    ]);
  });

  it('keeps the laws of sheets for any document, paper and number of copies', async () => {
    const size = record({
      widthPt: integer({ min: 20, max: 900 }),
      heightPt: integer({ min: 20, max: 900 }),
    });
    const pages = array(size, { minLength: 1, maxLength: 6 });
    const law = asyncProperty(pages, size, integer({ min: 1, max: 4 }), async (sizes, paperSize, copies) => {
      const source = await PDFDocument.create({ updateMetadata: false });
      for (const { widthPt, heightPt } of sizes) {
        source.addPage([widthPt, heightPt]).drawRectangle({ x: 5, y: 5, width: 10, height: 10 });
      }
      const document = await source.save();
      const settings = { ...PLAIN, copies, paper: { name: 'any', ...paperSize } };
      const made = await press.sheetsOf(document, settings);
      const sheetSizes = await pageSizes(made.pdf);
      expect(sheetSizes).toHaveLength(sizes.length * copies);
      expect(new Set(sheetSizes.map(String))).toEqual(new Set([`${paperSize.widthPt},${paperSize.heightPt}`]));
      const references = made.sheets.flatMap((sheet) => sheet.sides.flatMap((side) => side.sourcePages));
      for (const page of sizes.keys()) {
        expect(references.filter((reference) => reference === page + 1)).toHaveLength(copies);
      }
      expect((await press.sheetsOf(document, settings)).pdf).toEqual(made.pdf);
    });
    await assert(law, { numRuns: 25, seed: 1 });
  });

  it('prints a blank page as a blank sheet', async () => {
    const made = await press.sheetsOf(fixtureDocument('blank-in-the-middle.pdf'), PLAIN);
    expect(made.sheets).toHaveLength(3);
    expect(await press.textOf(made.pdf, 2)).toBe('');
    expect(await press.textOf(made.pdf, 3)).toContain('page 3 of 3');
  });

  it('draws a side as a PNG of the asked resolution', async () => {
    const { pdf } = await press.sheetsOf(fixtureDocument('label-4x6.pdf'), PLAIN);
    const png = Buffer.from(await press.pngOf(pdf, 1, 203));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([812, 1218]);
  });

  it('says so when a picture ends what draws it, and draws the next one', async () => {
    await expect(press.pngOf(endlessPicture(), 1, 96)).rejects.toThrow(
      /^side 1 of this document cannot be drawn|memory/,
    );
    const { pdf } = await press.sheetsOf(fixtureDocument('invoice.pdf'), PLAIN);
    expect(Buffer.from(await press.pngOf(pdf, 1, 96)).toString('latin1', 1, 4)).toBe('PNG');
  });

  it('says which sides there are when asked for another', async () => {
    const { pdf } = await press.sheetsOf(fixtureDocument('invoice.pdf'), PLAIN);
    await expect(press.pngOf(pdf, 2, 96)).rejects.toThrow('there is no side 2; sides 1 to 1 came out');
    await expect(press.pngOf(pdf, 1, 1e6)).rejects.toThrow('pixels');
  });

  it('ends a document that takes too long', async () => {
    const hasty = new Press(systemClock, { timeMs: 5, memoryMb: 512 });
    const many = { ...PLAIN, copies: 6_000 };
    const failed = hasty.sheetsOf(fixtureDocument('three-pages.pdf'), many);
    await expect(failed).rejects.toThrow('the document took longer than 5ms');
    await hasty.close();
  });

  it('ends a document that takes too much memory, and prints the next one', async () => {
    const small = new Press(systemClock, { timeMs: 20_000, memoryMb: 64 });
    const many = { ...PLAIN, copies: 6_000 };
    await expect(small.sheetsOf(fixtureDocument('three-pages.pdf'), many)).rejects.toThrow(
      'the document took more than 64 MB of memory',
    );
    const good = await small.sheetsOf(fixtureDocument('invoice.pdf'), PLAIN);
    expect(good.sheets).toHaveLength(1);
    await small.close();
  });
});
