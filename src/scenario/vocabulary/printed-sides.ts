/**
 * Printed sides: what printouts count as sheets, their sides that have a picture, and the names of files kept of these.
 */

import type { DrawnPieces, Printout, SheetsPrintout } from '../../devices/printer/printout.ts';

/** Sheets of paper; of RAW bytes labels, pages or receipts. */
export function sheetsIn(printouts: readonly Printout[]): number {
  return printouts.reduce((sum, one) => sum + (one.kind === 'sheets' ? one.sheets.length : one.pieces), 0);
}

/** Null for what is not drawn. */
export function picturedOf(printout: Printout): SheetsPrintout | DrawnPieces | null {
  return printout.kind === 'raw' ? printout.drawn : printout;
}

/** How many there are; labels and receipts are drawn for it. */
export async function sidesOf(printout: Printout): Promise<number> {
  const pictured = picturedOf(printout);
  if (!(await pictured?.pdf())) return 0;
  return printout.kind === 'raw'
    ? (printout.drawn?.sides ?? 0)
    : printout.sheets.flatMap((sheet) => sheet.sides).length;
}

/** `letter-5-1`, of the first submission of job 5. */
export function keptName(job: { readonly name: string; readonly id: number }, { submission }: Printout): string {
  return safeName(`${job.name}-${job.id}-${submission}`);
}

/** `-side-1` */
export function sideName(side: number): string {
  return `-side-${side}`;
}

/** A name as part of a file name, on every system. */
function safeName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 100);
}
