import fc from 'fast-check';
import { PDFDocument } from 'pdf-lib';
import { describe, expect, it } from 'vitest';

import { pdfOfRaster } from '../../../../src/devices/press/raster-document.ts';
import { rasterFormatOf } from '../../../../src/devices/press/press-messages.ts';
import { sidePixels } from '../../../support/side-pixels.ts';

interface Raster {
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  readonly bitsPerPixel: number;
  readonly colorSpace: number;
  readonly lines: readonly Uint8Array[];
}

function pwgPage({ width, height, dpi, bitsPerPixel, colorSpace, lines }: Raster): Buffer {
  const header = Buffer.alloc(1_796);
  header.write('PwgRaster', 0);
  for (const [offset, value] of [
    [276, dpi],
    [280, dpi],
    [372, width],
    [376, height],
    [388, bitsPerPixel],
    [400, colorSpace],
  ] as const) {
    header.writeUInt32BE(value, offset);
  }
  return Buffer.concat([header, ...lines]);
}

function pwg(...pages: readonly Raster[]): Buffer {
  return Buffer.concat([Buffer.from('RaS2'), ...pages.map(pwgPage)]);
}

function urf({ width, height, dpi, bitsPerPixel, colorSpace, lines }: Raster): Buffer {
  const header = Buffer.alloc(12 + 32);
  header.write('UNIRAST\0', 0, 'latin1');
  header.writeUInt32BE(1, 8);
  header.writeUInt8(bitsPerPixel, 12);
  header.writeUInt8(colorSpace, 13);
  header.writeUInt32BE(width, 24);
  header.writeUInt32BE(height, 28);
  header.writeUInt32BE(dpi, 32);
  return Buffer.concat([header, ...lines]);
}

/** 8 × 4 pixels at 72 dpi, as far as its headers go. */
const JPEG = Buffer.from(
  'ffd8 ffe000104a46494600010101004800480000 ffc00011080004000803011100021100031100 ffd9'.replaceAll(' ', ''),
  'hex',
);

const RED = [255, 0, 0];
const BLUE = [0, 0, 255];
const WHITE = [255, 255, 255];

/** Two lines that are red on the left and blue on the right, then two white ones. */
const COLORS: Raster = {
  width: 8,
  height: 4,
  dpi: 72,
  bitsPerPixel: 24,
  colorSpace: 19,
  lines: [Buffer.of(1, 3, ...RED, 253, ...BLUE, ...BLUE, ...BLUE, ...BLUE), Buffer.of(1, 7, ...WHITE)],
};

describe('a raster document', () => {
  it.each([
    ['PWG', pwg(COLORS), 'image/pwg-raster' as const],
    ['Apple', urf({ ...COLORS, colorSpace: 1 }), 'image/urf' as const],
  ])('of the %s kind becomes pages with its pixels', async (_, bytes, format) => {
    expect(rasterFormatOf(bytes)).toBe(format);
    const pdf = await pdfOfRaster(bytes, format);
    const side = await sidePixels(pdf);
    const at = (x: number, y: number): unknown => side.at(x, y);
    expect([at(0, 0), at(3, 1), at(4, 0), at(7, 1), at(0, 2), at(7, 3)]).toEqual([RED, RED, BLUE, BLUE, WHITE, WHITE]);
  });

  it('has pages of the size that its resolution gives them', async () => {
    const line = Buffer.of(0, 0x80);
    const page = { width: 600, height: 1, dpi: 300, bitsPerPixel: 8, colorSpace: 18, lines: [line] };
    const pdf = await PDFDocument.load(await pdfOfRaster(pwg(page, { ...page, width: 1_200 }), 'image/pwg-raster'));
    expect(pdf.getPages().map((one) => one.getWidth())).toEqual([144, 288]);
  });

  it('of one bit a pixel is black where the bit is set', async () => {
    const page = {
      width: 8,
      height: 1,
      dpi: 72,
      bitsPerPixel: 1,
      colorSpace: 3,
      lines: [Buffer.of(0, 0, 0b1111_0000)],
    };
    const side = await sidePixels(await pdfOfRaster(pwg(page), 'image/pwg-raster'));
    expect([side.at(0, 0), side.at(7, 0)]).toEqual([[0, 0, 0], WHITE]);
  });

  it.each([
    ['no pages', pwg(), 'no pages'],
    ['half a header', pwg(COLORS).subarray(0, 1_000), 'truncated: page 1 ends before its header'],
    ['half its lines', pwg(COLORS).subarray(0, 1_810), 'truncated: page 1 ends before its last line'],
    ['a page of no size', pwg({ ...COLORS, width: 0 }), '0 × 4 pixels'],
    ['a page beyond every bound', pwg({ ...COLORS, width: 2 ** 31, height: 2 ** 31 }), 'MB of pixels'],
    ['an unknown colour space', pwg({ ...COLORS, colorSpace: 99 }), 'colour space that is not supported: 99'],
    ['seven bits a pixel', pwg({ ...COLORS, bitsPerPixel: 7 }), '7 bits a pixel'],
    ['the bytes of something else', Buffer.from('hello'), 'does not begin with RaS2'],
  ])('with %s is refused', async (_, bytes, why) => {
    await expect(pdfOfRaster(bytes, 'image/pwg-raster')).rejects.toThrow(why);
  });

  it('of any bytes is refused or becomes a PDF', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), fc.nat(20), async (lines, width) => {
        const bytes = pwg({ ...COLORS, width, lines: [lines] });
        const outcome = await pdfOfRaster(bytes, 'image/pwg-raster').then(
          () => 'a PDF',
          (error: Error) => error.name,
        );
        expect(['a PDF', 'DocumentError']).toContain(outcome);
      }),
    );
  });

  it.each([
    ['image/pwg-raster', pwg(COLORS)],
    ['image/urf', urf({ ...COLORS, colorSpace: 1 })],
    ['image/jpeg', JPEG],
  ] as const)('in %s that came in the middle of other bytes is a page', async (format, bytes) => {
    const request = Buffer.concat([Buffer.from('POST /ipp/print'), bytes, Buffer.from('the next request')]);
    const part = request.subarray(15, 15 + bytes.length);
    const [page] = (await PDFDocument.load(await pdfOfRaster(part, format))).getPages();
    expect(page?.getSize()).toEqual({ width: 8, height: 4 });
  });

  it('that claims to be a JPEG and is not one is refused', async () => {
    await expect(pdfOfRaster(Buffer.from('\xff\xd8\xff hello', 'latin1'), 'image/jpeg')).rejects.toThrow(
      'JPEG is damaged',
    );
  });
});
