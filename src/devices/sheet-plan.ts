/**
 * Sheet plan: which document pages come out on which side of which sheet.
 *
 *   pages option ─► selected pages ─► copies ─► sheets, each with its sides
 *
 * Pure arithmetic over page sizes; sheet-composer.ts draws what is planned here. Copies are collated
 * (1..k, 1..k); sheets are one-sided.
 */

import { failure, success, type Outcome } from '../common/outcome.ts';
import { selectPages } from './page-set.ts';
import type { Paper } from './paper.ts';
import type { PrintSettings } from './print-options.ts';

/** Page size in points as a reader sees it: cropped, turned, scaled by its user unit. */
export interface PageSize {
  readonly widthPt: number;
  readonly heightPt: number;
}

export interface SheetSide {
  readonly face: 'front' | 'back';
  /** Document pages drawn on it, from 1, in reading order. */
  readonly sourcePages: readonly number[];
  /** `name` is null where the sheet took the size of the document page. */
  readonly paper: { readonly name: string | null; readonly widthPt: number; readonly heightPt: number };
}

export interface Sheet {
  /** From 1, within one printout. */
  readonly number: number;
  readonly sides: readonly SheetSide[];
}

/** More sides than any real submission; beyond it a job is a mistake or an attack. */
const MOST_SIDES = 20_000;

/**
 * Plans the sheets of one submission.
 *
 * @param pageSizes - one entry for each page of the document, at least one
 * @returns the sheets, or why the settings do not fit the document
 */
export function planSheets(
  pageSizes: readonly PageSize[],
  settings: PrintSettings,
): Outcome<Sheet[], string> {
  const selected = selectPages(settings.pages ?? '-', pageSizes.length);
  if (!selected.ok)
    return failure(`print option pages = ${JSON.stringify(settings.pages)}: ${selected.error}`);
  const sideCount = selected.value.length * settings.copies;
  if (sideCount > MOST_SIDES) return failure(`${sideCount} sides are more than the ${MOST_SIDES} of one job`);
  const sheets: Sheet[] = [];
  for (let copy = 0; copy < settings.copies; copy++) {
    for (const page of selected.value) {
      sheets.push({ number: sheets.length + 1, sides: [frontOf(page, pageSizes, settings.paper)] });
    }
  }
  return success(sheets);
}

function frontOf(page: number, pageSizes: readonly PageSize[], paper: Paper | undefined): SheetSide {
  const size = pageSizes[page - 1] ?? { widthPt: 0, heightPt: 0 };
  return { face: 'front', sourcePages: [page], paper: paper ?? { name: null, ...size } };
}
