/**
 * Sheet picture: a side of the sheets as pixels, or as the text on it. Runs in the press worker.
 */

import { crc32, deflateSync } from 'node:zlib';

import { PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium';

import { DocumentError } from './press-messages.ts';

/** A3 at 600 dpi has 70 million pixels; a picture beyond this is a mistake. */
const MOST_PIXELS = 100_000_000;
const POINTS_PER_INCH = 72;

let library: Promise<PDFiumLibrary> | undefined;

/**
 * A side as PNG.
 *
 * @param side - page of the sheets PDF, from 1
 * @throws DocumentError when there is no such side, or the picture would be too large
 */
export function pictureOf(pdf: Uint8Array, side: number, dpi: number): Promise<Uint8Array> {
  return withSide(pdf, side, async (page) => {
    const scale = dpi / POINTS_PER_INCH;
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const pixels = Math.round(originalWidth * scale * originalHeight * scale);
    if (!(pixels <= MOST_PIXELS)) {
      throw new DocumentError(`side ${side} at ${dpi} dpi would be a picture of ${pixels} pixels`);
    }
    const { width, height, data } = await page.render({ scale, render: 'bitmap' });
    return encodePng(width, height, data);
  });
}

/** The text on a side, as far as the document carries text. @throws DocumentError as for a picture */
export function textOf(pdf: Uint8Array, side: number): Promise<string> {
  return withSide(pdf, side, async (page) => page.getText().replaceAll('\r\n', '\n'));
}

async function withSide<T>(pdf: Uint8Array, side: number, look: (page: PDFiumPage) => Promise<T>): Promise<T> {
  library ??= PDFiumLibrary.init();
  const document = await (await library).loadDocument(pdf);
  try {
    const count = document.getPageCount();
    if (!Number.isInteger(side) || side < 1 || side > count) {
      throw new DocumentError(`there is no side ${side}; sides 1 to ${count} came out`);
    }
    return await look(document.getPage(side - 1));
  } finally {
    document.destroy();
  }
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const RGB = 2;

/** Encodes `width` × `height` pixels given as RGBA bytes; transparency is dropped. */
export function encodePng(width: number, height: number, rgba: Uint8Array): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, RGB, 0, 0, 0], 8);
  const pixels = deflateSync(scanlines(width, height, rgba), { level: 6 });
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** Each line begins with its filter type, 0 for none. */
function scanlines(width: number, height: number, rgba: Uint8Array): Uint8Array {
  const lines = new Uint8Array(height * (1 + width * 3));
  let to = 0;
  let from = 0;
  for (let y = 0; y < height; y++) {
    to++;
    for (let x = 0; x < width; x++, from += 4) {
      lines[to++] = rgba[from] ?? 0;
      lines[to++] = rgba[from + 1] ?? 0;
      lines[to++] = rgba[from + 2] ?? 0;
    }
  }
  return lines;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}
