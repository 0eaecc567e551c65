/**
 * Sheet picture: a side of the sheets as pixels, or as the text on it. Runs in the press worker.
 */

import { PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium';

import { DocumentError } from './press-messages.ts';
import { encodePng } from './png.ts';

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

async function withSide<T>(
  pdf: Uint8Array,
  side: number,
  look: (page: PDFiumPage) => Promise<T>,
): Promise<T> {
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
