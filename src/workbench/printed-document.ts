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

/** Side `side`, counted from 1 over all printouts, as PNG; undefined when there is none. */
export async function sidePng(printouts: readonly Printout[], side: number): Promise<Uint8Array | undefined> {
  let before = 0;
  for (const printout of printouts.filter(isSheets)) {
    const sides = printout.sheets.reduce((sum, sheet) => sum + sheet.sides.length, 0);
    if (side <= before + sides) return printout.png(side - before);
    before += sides;
  }
  return undefined;
}

/** The bytes of all raw printouts, one after the other; undefined when there is none. */
export function rawBytes(printouts: readonly Printout[]): Uint8Array | undefined {
  const raw = printouts.filter((printout) => printout.kind === 'raw');
  return raw.length === 0 ? undefined : Buffer.concat(raw.map((printout) => printout.bytes));
}

function isSheets(printout: Printout): printout is SheetsPrintout {
  return printout.kind === 'sheets';
}
