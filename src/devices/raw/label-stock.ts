/**
 * Label stock: the size of the labels in a printer, and how fine its print head is.
 *
 * A label language says where things lie in dots, so what a label looks like depends on the printer: the
 * same bytes are three times as large on 203 dpi as on 600.
 */

import { paperNamed } from '../printer/paper.ts';
import type { PrinterProfile } from '../printer/printer-profile.ts';

export interface LabelStock {
  readonly widthMm: number;
  readonly heightMm: number;
  readonly dotsPerMm: number;
}

const MM_PER_INCH = 25.4;
const MM_PER_POINT = MM_PER_INCH / 72;
/** What print heads there are: 152, 203, 300 and 600 dpi by their names. */
const DOTS_PER_MM = [6, 8, 12, 24];
const USUAL_DPI = 203;
/** Where the driver tells no paper: the shipping label, 4 × 6 inches. */
const USUAL_PT = { widthPt: 288, heightPt: 432 };

/** What a label printer prints on; undefined for any other printer. */
export function labelStockOf({ kind, defaults, capabilities }: PrinterProfile): LabelStock | undefined {
  if (kind !== 'label') return undefined;
  const { widthPt, heightPt } = paperNamed(defaults.paper ?? '', capabilities) ?? USUAL_PT;
  const dpi = Number.parseInt(defaults.dpi ?? capabilities?.dpis?.[0] ?? '', 10) || USUAL_DPI;
  return {
    widthMm: widthPt * MM_PER_POINT,
    heightMm: heightPt * MM_PER_POINT,
    dotsPerMm: nearest(dpi / MM_PER_INCH),
  };
}

export function mmToPoints(mm: number): number {
  return mm / MM_PER_POINT;
}

function nearest(dotsPerMm: number): number {
  const [first = dotsPerMm] = DOTS_PER_MM.toSorted(
    (a, b) => Math.abs(a - dotsPerMm) - Math.abs(b - dotsPerMm),
  );
  return first;
}
