/**
 * Printed document: all that came out for a job, over its printouts, as one PDF or a picture of one side.
 */

import type { Printout, SheetsPrintout } from '../devices/printout.ts';

/** The sheets of all printouts as one PDF, a page for each side; undefined when no sheet came out. */
export async function sheetsPdf(printouts: readonly Printout[]): Promise<Uint8Array | undefined> {
  const [first, ...others] = printouts.filter(isSheets);
  if (!first || others.length === 0) return first?.pdf();
  // Loaded when it is needed: it would take a third of the time in which a bench is to be ready.
  const { PDFDocument } = await import('pdf-lib');
  const merged = await PDFDocument.create();
  for (const printout of [first, ...others]) {
    const source = await PDFDocument.load(await printout.pdf());
    for (const page of await merged.copyPages(source, source.getPageIndices())) merged.addPage(page);
  }
  return merged.save();
}

/**
 * Side `side`, counted from 1 over all printouts, as PNG; undefined when there is none.
 *
 * @param widthPx - about how wide the picture is to be; as on a screen unless given
 */
export async function sidePng(
  printouts: readonly Printout[],
  side: number,
  widthPx?: number,
): Promise<Uint8Array | undefined> {
  let before = 0;
  for (const printout of printouts.filter(isSheets)) {
    const sheets = printout.sheets.flatMap((sheet) => sheet.sides.map(() => sheet));
    const sheet = sheets[side - before - 1];
    if (sheet) return printout.png(side - before, dpiFor(sheet.paper.widthPt, widthPx));
    before += sheets.length;
  }
  return undefined;
}

const POINTS_PER_INCH = 72;
const LEAST_DPI = 8;
const MOST_DPI = 300;

function dpiFor(widthPt: number, widthPx: number | undefined): { readonly dpi?: number } {
  if (widthPx === undefined) return {};
  const dpi = Math.round((widthPx * POINTS_PER_INCH) / widthPt);
  return { dpi: Math.min(MOST_DPI, Math.max(LEAST_DPI, dpi)) };
}

/** The text of each side, over all printouts. */
export async function sidesText(printouts: readonly Printout[]): Promise<string[]> {
  const texts: string[] = [];
  for (const printout of printouts.filter(isSheets)) {
    const sides = printout.sheets.reduce((sum, sheet) => sum + sheet.sides.length, 0);
    for (let side = 1; side <= sides; side++) texts.push(await printout.text(side));
  }
  return texts;
}

/** The bytes of all raw printouts, one after the other; undefined when there is none. */
export function rawBytes(printouts: readonly Printout[]): Uint8Array | undefined {
  const raw = printouts.filter((printout) => printout.kind === 'raw');
  return raw.length === 0 ? undefined : Buffer.concat(raw.map((printout) => printout.bytes));
}

function isSheets(printout: Printout): printout is SheetsPrintout {
  return printout.kind === 'sheets';
}
