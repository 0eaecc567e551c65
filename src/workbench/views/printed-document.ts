/**
 * Printed document: all that came out for a job, over its printouts, as one PDF or a picture of one side.
 */

import type { Press } from '../../devices/press/press.ts';
import type { DrawnPieces, Printout, SheetsPrintout } from '../../devices/printer/printout.ts';

type Pictured = SheetsPrintout | DrawnPieces;

/** The sides of all printouts as one PDF, a page each; undefined without any. */
export async function sheetsPdf(printouts: readonly Printout[], press: Press): Promise<Uint8Array | undefined> {
  const pdfs: Uint8Array[] = [];
  for (const printout of printouts.flatMap(picturedOf)) {
    const pdf = await printout.pdf();
    if (pdf) pdfs.push(pdf);
  }
  return pdfs.length < 2 ? pdfs[0] : press.joined(pdfs);
}

/**
 * Side `side`, counted from 1 over all printouts, as PNG; undefined without any.
 *
 * @param widthPx - about how wide the picture is to be; unless given, as on a screen, and of labels and receipts a
 *   pixel for each dot
 */
export async function sidePng(
  printouts: readonly Printout[],
  side: number,
  widthPx?: number,
): Promise<Uint8Array | undefined> {
  let before = 0;
  for (const printout of printouts.flatMap(picturedOf)) {
    const widths = widthsOf(printout);
    const widthPt = widths[side - before - 1];
    if (widthPt !== undefined) return printout.png(side - before, dpiFor(widthPt, widthPx));
    before += widths.length;
  }
  return undefined;
}

function widthsOf(printout: Pictured): readonly number[] {
  if ('sheets' in printout) return printout.sheets.flatMap(({ sides, paper }) => sides.map(() => paper.widthPt));
  return Array.from({ length: printout.sides }, () => printout.widthPt);
}

export function sidesOf(printout: Printout): number {
  return picturedOf(printout).reduce((sum, pictured) => sum + widthsOf(pictured).length, 0);
}

/** Why labels and receipts have no picture, or what is not on it; null where nothing is missing. */
export function whyNotDrawn(printouts: readonly Printout[]): string | null {
  const reasons = printouts.map((printout) => (printout.kind === 'raw' ? printout.drawn?.notDrawn : null));
  return reasons.find((reason) => typeof reason === 'string') ?? null;
}

const POINTS_PER_INCH = 72;
const LEAST_DPI = 8;
const MOST_DPI = 300;

function dpiFor(widthPt: number, widthPx: number | undefined): { readonly dpi?: number } {
  if (widthPx === undefined) return {};
  const dpi = Math.round((widthPx * POINTS_PER_INCH) / widthPt);
  return { dpi: Math.min(MOST_DPI, Math.max(LEAST_DPI, dpi)) };
}

/** The text of each side, over all printouts; of labels and receipts also where they are not drawn. */
export async function sidesText(printouts: readonly Printout[]): Promise<string[]> {
  const texts: string[] = [];
  for (const printout of printouts) {
    if (printout.kind === 'raw') {
      texts.push(...(printout.drawn?.texts() ?? []));
      continue;
    }
    for (let side = 1; side <= sidesOf(printout); side++) texts.push(await printout.text(side));
  }
  return texts;
}

/** The bytes of all raw printouts, one after the other; undefined without any. */
export function rawBytes(printouts: readonly Printout[]): Uint8Array | undefined {
  const raw = printouts.filter((printout) => printout.kind === 'raw');
  return raw.length === 0 ? undefined : Buffer.concat(raw.map((printout) => printout.bytes));
}

function picturedOf(printout: Printout): readonly Pictured[] {
  if (printout.kind === 'sheets') return [printout];
  return printout.drawn && printout.drawn.sides > 0 ? [printout.drawn] : [];
}
