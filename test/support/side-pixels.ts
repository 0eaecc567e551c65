/**
 * Pixels of a side, for tests of where things lie on paper: one pixel a point, rendered by pdfium.
 */

import { PDFiumLibrary } from '@hyzyla/pdfium';

export type Pixel = readonly [red: number, green: number, blue: number];

export interface SidePixels {
  readonly width: number;
  readonly height: number;
  /** Left and top in points from the upper left corner, as a reader looks at it. */
  at(left: number, top: number): Pixel;
  all(): Generator<Pixel>;
}

let library: Promise<PDFiumLibrary> | undefined;

/** @param side - page of the PDF, from 1 */
export async function sidePixels(pdf: Uint8Array, side = 1): Promise<SidePixels> {
  library ??= PDFiumLibrary.init();
  const document = await (await library).loadDocument(pdf);
  try {
    const rendered = await document.getPage(side - 1).render({ scale: 1, render: 'bitmap' });
    const { width, height, data } = rendered;
    const pixel = (index: number): Pixel => [data[index] ?? 0, data[index + 1] ?? 0, data[index + 2] ?? 0];
    return {
      width,
      height,
      at: (left, top) => pixel((Math.floor(top) * width + Math.floor(left)) * 4),
      *all() {
        for (let index = 0; index < width * height * 4; index += 4) yield pixel(index);
      },
    };
  } finally {
    document.destroy();
  }
}
