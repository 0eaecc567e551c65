/**
 * Pixels of a side, for tests of where things lie on paper: one pixel a point.
 */

import { pixelsOf } from '../../src/devices/press/sheet-picture.ts';

export type Pixel = readonly [red: number, green: number, blue: number];

export interface SidePixels {
  readonly width: number;
  readonly height: number;
  /** Left and top in points from the upper left corner, as a reader looks at it. */
  at(left: number, top: number): Pixel;
  all(): Generator<Pixel>;
}

const DPI = 72;

/** @param side - page of the PDF, from 1 */
export async function sidePixels(pdf: Uint8Array, side = 1): Promise<SidePixels> {
  const { width, height, rgba } = await pixelsOf(pdf, side, DPI);
  const pixel = (index: number): Pixel => [rgba[index] ?? 0, rgba[index + 1] ?? 0, rgba[index + 2] ?? 0];
  return {
    width,
    height,
    at: (left, top) => pixel((Math.floor(top) * width + Math.floor(left)) * 4),
    *all() {
      for (let index = 0; index < width * height * 4; index += 4) yield pixel(index);
    },
  };
}
