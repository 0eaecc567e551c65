import { randomBytes } from 'node:crypto';

import { PDFDocument } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';

import { systemClock } from '../../../../src/common/clock.ts';
import { Press } from '../../../../src/devices/press/press.ts';
import { ReceiptDrawing } from '../../../../src/devices/press/receipt-drawing.ts';
import { receiptPaperOf } from '../../../../src/devices/printer/paper.ts';
import { PRINTER_PROFILES } from '../../../../src/devices/printer/printer-profile.ts';
import { recogniseRaw } from '../../../../src/devices/raw/raw-document.ts';
import { countReceipts } from '../../../../src/devices/raw/raw-receipts.ts';
import { USUAL_PAPER, type ReceiptPaper } from '../../../../src/devices/receipt/receipt-paper.ts';
import { pixelsOf } from '../../../support/png-pixels.ts';
import { PrintRoom } from '../../../support/print-room.ts';

const press = new Press(systemClock);
afterAll(() => press.close());

function drawing(document: string | Uint8Array, paper: ReceiptPaper | undefined = USUAL_PAPER): ReceiptDrawing {
  const bytes = typeof document === 'string' ? Buffer.from(document, 'latin1') : document;
  const { receipt } = recogniseRaw(bytes, { paper: USUAL_PAPER });
  if (!receipt) throw new Error('this is no receipt');
  return new ReceiptDrawing(bytes, receipt, paper, press);
}

/** Dark dots in a box of a receipt, in dots of its print head. */
async function inkIn(pdf: Uint8Array | undefined, [left, top, right, bottom]: readonly number[]): Promise<number> {
  const { width, red } = pixelsOf(Buffer.from(await press.pngOf(pdf ?? new Uint8Array(), 1, 203.2)));
  let ink = 0;
  for (let y = top ?? 0; y < (bottom ?? 0); y++) {
    for (let x = left ?? 0; x < (right ?? 0); x++) if ((red[y * width + x] ?? 255) < 128) ink++;
  }
  return ink;
}

describe('receipts', () => {
  it('are pages as wide as the roll and as long as they came out', async () => {
    const two = drawing('one\n\x1bd\x05\x1dV\0two\n\x1dV\0');
    const document = await PDFDocument.load((await two.pdf(2)) ?? new Uint8Array());
    const mm = document
      .getPages()
      .map((page) => [page.getWidth(), page.getHeight()].map((points) => (points * 25.4) / 72));
    expect(mm.map((size) => size.map(Math.round))).toEqual([
      [72, 26],
      [72, 4],
    ]);
    expect([two.sides(2), two.notDrawn(2), two.texts(2)]).toEqual([2, null, ['one', 'two']]);
  });

  it.each([
    ['letters', 'M\n', [0, 0, 12, 24], 40],
    ['letters in the middle', '\x1ba\x01M\n', [282, 0, 294, 24], 40],
    ['large letters', '\x1d!\x33M\n', [0, 0, 48, 96], 640],
    ['reverse letters', '\x1dB\x01  \n', [0, 0, 24, 24], 570],
    ['a raster', '\x1dv0\0\x02\0\x08\0' + '\xff'.repeat(16) + '\n', [0, 0, 16, 8], 128],
    ['a picture in columns', '\x1b*!\x08\0' + '\xff'.repeat(24) + '\n', [0, 0, 8, 24], 190],
    ['a bar code', '\x1dh\x50\x1dw\x02\x1dk\x024006381333931\0', [0, 0, 190, 80], 5_000],
    [
      'a QR code',
      '\x1d(k\x03\0\x31\x43\x04\x1d(k\x08\0\x31\x50\x30hello\x1d(k\x03\0\x31\x51\x30',
      [0, 0, 84, 84],
      3_000,
    ],
    ['letters with space behind them', '\x1b \x10MM\n', [28, 0, 40, 24], 40],
    ['Cyrillic', '\x1bt\x11\x84\n', [0, 0, 12, 24], 40],
  ])('have the ink of %s', async (_, text, box, least) => {
    const pdf = await drawing(text).pdf(1);
    expect(await inkIn(pdf, box)).toBeGreaterThanOrEqual(least);
  });

  it('have no ink in the space between letters', async () => {
    expect(await inkIn(await drawing('\x1b \x10MM\n').pdf(1), [12, 0, 28, 24])).toBe(0);
  });

  it('name codes and letters that cannot be drawn once they were to be', async () => {
    const odd = drawing('\x1c&\xc4\xe3\x1c.\n\x1dk\x02123\0\n');
    expect(odd.notDrawn(1)).toBeNull();
    await odd.pdf(1);
    expect(odd.notDrawn(1)).toMatch(/a code \(ean13\): .*digits.*letters that the font of platen has not: 你/);
  });

  it('have a text and no picture on a printer of another kind', async () => {
    const { receipt } = countReceipts(Buffer.from('one\n'), 'esc-pos');
    const elsewhere = new ReceiptDrawing(Buffer.from('one\n'), receipt, undefined, press);
    expect([elsewhere.sides(1), elsewhere.notDrawn(1), await elsewhere.pdf(1), elsewhere.texts(1)]).toEqual([
      0,
      'the printer is not a receipt printer',
      undefined,
      ['one'],
    ]);
  });

  it.each([
    ['a picture of 65,535²', Buffer.from('a\n\x1dv0\0\xff\xff\xff\xff', 'latin1')],
    ['a line without an end', Buffer.alloc(200_000, 'x')],
    [
      'pictures of the largest size',
      Buffer.from('\x1dv0\x03\x48\0\x10\0'.concat('\xff'.repeat(1_152)).repeat(100), 'latin1'),
    ],
    [
      'QR codes without number',
      Buffer.from(`\x1d(k\x08\0\x31\x50\x30hello${'\x1d(k\x03\0\x31\x51\x30'.repeat(5_000)}`, 'latin1'),
    ],
    ['feeds without an end', Buffer.from('x\n'.concat('\x1bd\xff'.repeat(20_000)), 'latin1')],
    ['any bytes', randomBytes(100_000)],
  ])(
    'stay within the limits with %s',
    async (_, bytes) => {
      const hostile = drawing(Buffer.concat([Buffer.from('\x1b@\x1ba\0'), bytes]));
      const pdf = await hostile.pdf(1);
      expect(pdf === undefined || pdf.length < 20_000_000).toBe(true);
      expect(await drawing('next\n').pdf(1)).toBeDefined();
    },
    60_000,
  );
});

describe('the paper of a receipt printer', () => {
  it.each([
    ['receipt-80mm', 511, 'esc-pos'],
    ['receipt-star', 576, 'star'],
    ['receipt-chinese', 510, 'esc-pos'],
  ])('of %s is as wide as its profile says', (name, widthDots, language) => {
    expect(receiptPaperOf(PRINTER_PROFILES.load(name))).toMatchObject({ widthDots, language });
  });

  it('is there for receipt printers alone', () => {
    expect(receiptPaperOf(PRINTER_PROFILES.load('laser-a4'))).toBeUndefined();
  });
});

describe('the picture of a receipt', () => {
  it.each([
    ['receipt-80mm', 511],
    ['receipt-windows', 510],
    ['receipt-chinese', 510],
    ['receipt-star', 576],
  ])('has a pixel for each dot, black or white: %s', async (profile, widthDots) => {
    await using room = await PrintRoom.connected(profile);
    const [escPos, star] = ['\x1dv0\0\x01\0\x10\0', '\x1b\x1dS\x01\x01\0\x10\0\0'].map((head) =>
      Buffer.from(`${head}${'\xaa\x55'.repeat(8)}\n`, 'latin1'),
    );
    const content = (profile === 'receipt-star' ? star : escPos)?.toString('base64') ?? '';
    await room.print({ contentType: 'raw_base64', content });
    const [printout] = room.printer.printouts();
    const png = printout?.kind === 'raw' ? await printout.drawn?.png(1) : undefined;
    const { width, red } = pixelsOf(Buffer.from(png ?? new Uint8Array()));
    const seen = Array.from({ length: 128 }, (_, at) => red[Math.floor(at / 8) * width + (at % 8)]);
    expect(width).toBe(widthDots);
    expect(seen).toEqual(seen.map((_, at) => ((at + Math.floor(at / 8)) % 2 === 0 ? 0 : 255)));
  });
});

describe('a printout of a receipt', () => {
  it('has its text, its picture and the drawer that it opened', async () => {
    await using room = await PrintRoom.connected('receipt-80mm');
    const content = Buffer.from('\x1b@\x1bp\0\x19\xfaTotal \x1bt\x13\xd5 5\n\x1dV\0', 'latin1').toString('base64');
    await room.print({ contentType: 'raw_base64', content });
    const [printout] = room.printer.printouts();
    if (printout?.kind !== 'raw') throw new Error('nothing raw came out');
    expect([printout.pieces, printout.drawn?.texts()]).toEqual([1, ['Total € 5']]);
    expect(printout.content.receipt?.events).toEqual([{ what: 'drawer', number: 1, offset: 2 }]);
    expect((await printout.drawn?.png(1))?.length).toBeGreaterThan(100);
  });
});
