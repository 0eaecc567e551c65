/**
 * Sheet plan: which document pages come out on which side of which sheet.
 *
 *   pages option ─► selected pages ─► n-up: sides ─► duplex: leaves ─► copies: sheets
 *    [1..9], -4      1 2 3 4           1+2, 3+4       front 1+2          collated: leaf 1, 2, 1, 2
 *                                                     back  3+4          if not:   leaf 1, 1, 2, 2
 *
 * Pure arithmetic over page sizes; sheet-composer.ts draws what is planned here. Copies never share a
 * sheet: where a copy ends on a front of a two-sided job, its back is blank. A leaf has one paper: where
 * none is chosen, the size of its first page.
 */

import { countOf } from '../../common/count-of.ts';
import { failure, success, type Outcome } from '../../common/outcome.ts';
import type { PrintSettings } from './print-settings.ts';
import { layOutSide, type NumberedPage, type PageSize, type Placement } from './side-layout.ts';

export interface SheetSide {
  readonly face: 'front' | 'back';
  /** Document pages drawn on it, from 1, in reading order; none on a blank back. */
  readonly sourcePages: readonly number[];
  /** Where each of them lies. */
  readonly placements: readonly Placement[];
}

export interface Sheet {
  /** From 1, within one printout. */
  readonly number: number;
  /** Which of the job's copies it belongs to, from 1. */
  readonly copy: number;
  /** The front, and on a two-sided job the back. Both are upright; `flip` says how to turn the sheet. */
  readonly sides: readonly SheetSide[];
  readonly flip: 'long-edge' | 'short-edge' | null;
  /** `name` is null where the sheet took the size of the document page. */
  readonly paper: PageSize & { readonly name: string | null };
  /** The tray asked for; null where the printer chose. */
  readonly tray: string | null;
  readonly media: string | null;
  readonly color: 'color' | 'gray';
  /** Recorded alone: it has no effect on where things lie. */
  readonly dpi: string | null;
}

/** More sides than any real submission; beyond it a job is a mistake or an attack. */
const MOST_SIDES = 20_000;

type Leaf = Pick<Sheet, 'sides' | 'paper'>;

/**
 * Plans the sheets of one submission.
 *
 * @param pageSizes - one entry for each page of the document, at least one; as turned where `rotate` is set
 * @returns the sheets, or why the settings do not fit the document
 */
export function planSheets(pageSizes: readonly PageSize[], settings: PrintSettings): Outcome<Sheet[], string> {
  const selected = selectPages(settings.pages ?? '-', pageSizes.length);
  if (!selected.ok) return failure(`print option pages = ${JSON.stringify(settings.pages)}: ${selected.error}`);
  const pages = selected.value.map((page) => numbered(page, pageSizes));
  const sides = chunks(pages, settings.nup);
  const leafPages = chunks(sides, settings.duplex === 'one-sided' ? 1 : 2);
  const sideCount = leafPages.length * settings.copies * (settings.duplex === 'one-sided' ? 1 : 2);
  if (sideCount > MOST_SIDES) return failure(`${sideCount} sides are more than the ${MOST_SIDES} of one job`);
  const leaves = leafPages.map((leaf) => leafOf(leaf, settings));
  return success(sheetsOf(leaves, settings));
}

function numbered(page: number, pageSizes: readonly PageSize[]): NumberedPage {
  const { widthPt, heightPt } = pageSizes[page - 1] ?? { widthPt: 0, heightPt: 0 };
  return { page, widthPt, heightPt };
}

function leafOf(sides: readonly (readonly NumberedPage[])[], settings: PrintSettings): Leaf {
  const [first = { widthPt: 0, heightPt: 0 }] = sides[0] ?? [];
  const { widthPt, heightPt } = first;
  const paper = settings.paper ?? { name: null, widthPt, heightPt };
  const front = sideOf('front', sides[0] ?? [], paper, settings);
  if (settings.duplex === 'one-sided') return { paper, sides: [front] };
  return { paper, sides: [front, sideOf('back', sides[1] ?? [], paper, settings)] };
}

function sideOf(
  face: SheetSide['face'],
  pages: readonly NumberedPage[],
  paper: PageSize,
  settings: PrintSettings,
): SheetSide {
  const sourcePages = pages.map(({ page }) => page);
  return { face, sourcePages, placements: layOutSide(pages, paper, settings) };
}

function sheetsOf(leaves: readonly Leaf[], settings: PrintSettings): Sheet[] {
  const { copies, collate, duplex, tray, media, dpi, gray } = settings;
  return Array.from({ length: leaves.length * copies }, (_, index) => {
    const leaf = leaves[collate ? index % leaves.length : Math.floor(index / copies)];
    const copy = 1 + (collate ? Math.floor(index / leaves.length) : index % copies);
    return {
      number: index + 1,
      copy,
      sides: leaf?.sides ?? [],
      flip: duplex === 'one-sided' ? null : duplex,
      paper: leaf?.paper ?? { name: null, widthPt: 0, heightPt: 0 },
      tray,
      media,
      color: gray ? 'gray' : 'color',
      dpi,
    };
  });
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/**
 * Which pages of a document a `pages` option selects.
 *
 *   set  = item *("," item)          1,3     pages 1 and 3
 *   item = n | n"-"m | n"-" | "-"m | "-"     -5  up to page 5     4-  from page 4     -  all
 *
 * It is a set: the result ascends and names each page once, whatever the order of the items. A number
 * that names no page of the document, or a range that runs backwards, is an error: CUPS would pass over
 * it in silence, the specification says that it "produces an error".
 */
const ITEM = /^(?:(\d+)|(\d*)-(\d*))$/;

/**
 * The selected page numbers, ascending, from 1.
 *
 * @param text - such as `1,3-` or `-5`
 * @param pageCount - pages of the document, at least 1
 * @returns the pages, or what is wrong with the text
 */
export function selectPages(text: string, pageCount: number): Outcome<number[], string> {
  const selected = new Set<number>();
  for (const item of text.split(',')) {
    const range = readItem(item.trim(), pageCount);
    if (!range.ok) return range;
    for (let page = range.value.first; page <= range.value.last; page++) selected.add(page);
  }
  return success([...selected].toSorted((a, b) => a - b));
}

interface PageRange {
  readonly first: number;
  readonly last: number;
}

function readItem(item: string, pageCount: number): Outcome<PageRange, string> {
  const match = ITEM.exec(item);
  if (!match) return failure(item === '' ? 'a page number is missing' : `'${item}' is not a page or page range`);
  const [, single, from, to] = match;
  const first = Number(single ?? (from || 1));
  const last = Number(single ?? (to || pageCount));
  const outside = [single ?? from, single ?? to].find((bound) => bound && !isPage(Number(bound), pageCount));
  if (outside) return failure(`page ${outside} is outside the document, which has ${countOf(pageCount, 'page')}`);
  if (first > last) return failure(`'${item}' runs backwards`);
  return success({ first, last });
}

function isPage(page: number, pageCount: number): boolean {
  return page >= 1 && page <= pageCount;
}
