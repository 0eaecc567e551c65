/**
 * A label in ZPL for tests of the ways into a printer, and what its picture has to show.
 */

import { expect } from 'vitest';

import type { Printout } from '../../src/devices/printer/printout.ts';
import { sidePixels } from './side-pixels.ts';

/** A box of 20 × 10 mm, 10 mm from the edges, and a line of text; the printer has 8 dots a millimetre. */
export const PARCEL_LABEL = '^XA^FO80,80^GB160,80,80^FS^FO80,240^A0N,50,50^FDParcel 7^FS^XZ';

const POINTS_PER_MM = 72 / 25.4;
const INK = 128;

/** Expects the label on one sheet, with its box and its text where they belong. */
export async function expectParcelLabel(printout: Printout): Promise<void> {
  const labels = printout.kind === 'raw' ? printout.drawn : null;
  const pdf = await labels?.pdf();
  expect({ sides: labels?.sides, notDrawn: labels?.notDrawn, texts: labels?.texts() }).toEqual({
    sides: 1,
    notDrawn: null,
    texts: ['Parcel 7'],
  });
  const side = await sidePixels(pdf ?? new Uint8Array());
  const inkAt = (leftMm: number, topMm: number): boolean =>
    side.at(leftMm * POINTS_PER_MM, topMm * POINTS_PER_MM)[0] < INK;
  const places = [5, 11, 20, 29, 31].map((leftMm) => inkAt(leftMm, 15));
  expect(places).toEqual([false, true, true, true, false]);
  const textMm = Array.from({ length: 60 }, (_, step) => 10 + step / 3);
  expect(textMm.some((leftMm) => inkAt(leftMm, 33))).toBe(true);
}
