/**
 * Named sides: the sides of all printouts in the order of their pictures, each with what a person
 * would call it.
 */

import type { PrintoutView, SheetView } from '../../record/control-types.ts';

export interface NamedSide {
  /** From 1 through all printouts: the number of its picture. */
  readonly side: number;
  /** `sheet 2 front · page 3 · copy 2` */
  readonly name: string;
}

export function namedSides(printouts: readonly PrintoutView[]): readonly NamedSide[] {
  const names = printouts.flatMap((printout) => {
    const submission = printouts.length > 1 ? printout.submission : undefined;
    if (printout.raw) return pieceNames(printout, submission);
    return printout.sheetList.flatMap((sheet) => sheet.sides.map((side) => nameOf(sheet, side, submission)));
  });
  return names.map((name, index) => ({ side: index + 1, name }));
}

function pieceNames({ sides, raw }: PrintoutView, submission: number | undefined): string[] {
  const which = submission === undefined ? '' : ` · submission ${submission}`;
  const piece = raw?.language === 'zpl' ? 'label' : 'receipt';
  return Array.from({ length: sides }, (_, index) => `${piece} ${index + 1}${which}`);
}

function nameOf(
  { number, copy, sides }: SheetView,
  { face, pages }: SheetView['sides'][number],
  submission: number | undefined,
): string {
  const parts = [sides.length > 1 ? `sheet ${number} ${face}` : `sheet ${number}`];
  parts.push(pages.length === 0 ? 'blank' : `page ${pages.join(', ')}`);
  if (copy > 1) parts.push(`copy ${copy}`);
  if (submission !== undefined) parts.push(`submission ${submission}`);
  return parts.join(' · ');
}
