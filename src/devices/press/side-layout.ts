/**
 * Side layout: where the document pages of one side lie on the paper.
 *
 *   2-up on portrait paper          read like this
 *   ┌─────┐  frame turned           ┌─────┬─────┐
 *   │  1  │  a quarter clockwise    │  1  │  2  │
 *   ├─────┤ ◄────────────────────── │     │     │
 *   │  2  │                         └─────┴─────┘
 *   └─────┘
 *
 * Cells run from left to right and from top to bottom as read. Choices where the specification is silent:
 * a page whose orientation differs from its cell's is turned a quarter counter-clockwise, with or without
 * `fit_to_page`, as drivers choose the orientation from the page; `rotate` turns that off and counts
 * instead of the page's own /Rotate. One page a side keeps its size unless it is to fit, and what reaches
 * over the edge is cut off; several always fit their cells.
 */

import type { PrintSettings, Rotation } from './print-settings.ts';

export interface PageSize {
  readonly widthPt: number;
  readonly heightPt: number;
}

/** One document page on a side. Lengths in points from the lower left corner of the paper. */
export interface Placement {
  /** Document page, from 1. */
  readonly page: number;
  /** Place on the side in reading order, from 1. */
  readonly cell: number;
  /**
   * Clockwise turn of the page as drawn: from the page as viewers show it, or from the unturned page
   * where the job asked for a rotation.
   */
  readonly rotation: Rotation;
  readonly scale: number;
  readonly leftPt: number;
  readonly bottomPt: number;
  readonly widthPt: number;
  readonly heightPt: number;
}

export interface NumberedPage extends PageSize {
  readonly page: number;
}

interface Grid {
  readonly columns: number;
  readonly rows: number;
}

/** Pages a side → columns and rows as read. Grids wider than high lie across the long side of the paper. */
export const NUP_GRIDS: ReadonlyMap<number, Grid> = new Map([
  [1, { columns: 1, rows: 1 }],
  [2, { columns: 2, rows: 1 }],
  [3, { columns: 3, rows: 1 }],
  [4, { columns: 2, rows: 2 }],
  [6, { columns: 3, rows: 2 }],
  [8, { columns: 4, rows: 2 }],
  [9, { columns: 3, rows: 3 }],
  [10, { columns: 5, rows: 2 }],
  [12, { columns: 3, rows: 4 }],
  [15, { columns: 5, rows: 3 }],
  [16, { columns: 4, rows: 4 }],
]);

const ONE_PAGE: Grid = { columns: 1, rows: 1 };
/** Sizes closer than this are one size: drivers and documents round differently. */
const SAME_PT = 0.5;

/** A box in a frame: what a page is drawn into. */
interface Area extends PageSize {
  readonly leftPt: number;
  readonly bottomPt: number;
}

/**
 * Lays the pages of one side out.
 *
 * @param pages - at most `nup` of them, sizes as read, or as turned where `rotate` is set
 */
export function layOutSide(
  pages: readonly NumberedPage[],
  paper: PageSize,
  { nup, fitToPage, rotate }: Pick<PrintSettings, 'nup' | 'fitToPage' | 'rotate'>,
): Placement[] {
  const grid = NUP_GRIDS.get(nup) ?? ONE_PAGE;
  const turned = grid.columns > grid.rows && orientation(paper) === 'portrait';
  const frame = turned ? swapped(paper) : paper;
  return pages.map((page, index) => {
    const cell = cellOf(index, grid, frame);
    const autoTurn = rotate === null && differ(page, cell) ? 270 : 0;
    const size = autoTurn ? swapped(page) : page;
    const scale = fitToPage || nup > 1 ? fitting(size, cell) : 1;
    const area = centred(size, scale, cell);
    return {
      page: page.page,
      cell: index + 1,
      rotation: (((rotate ?? 0) + autoTurn + (turned ? 90 : 0)) % 360) as Rotation,
      scale,
      ...(turned ? onPaper(area, frame) : area),
    };
  });
}

function cellOf(index: number, { columns, rows }: Grid, frame: PageSize): Area {
  const widthPt = frame.widthPt / columns;
  const heightPt = frame.heightPt / rows;
  const row = Math.floor(index / columns);
  return {
    leftPt: (index % columns) * widthPt,
    bottomPt: frame.heightPt - (row + 1) * heightPt,
    widthPt,
    heightPt,
  };
}

function fitting(size: PageSize, cell: PageSize): number {
  return Math.min(cell.widthPt / size.widthPt, cell.heightPt / size.heightPt);
}

function centred(size: PageSize, scale: number, cell: Area): Area {
  const widthPt = size.widthPt * scale;
  const heightPt = size.heightPt * scale;
  return {
    leftPt: cell.leftPt + (cell.widthPt - widthPt) / 2,
    bottomPt: cell.bottomPt + (cell.heightPt - heightPt) / 2,
    widthPt,
    heightPt,
  };
}

/** An area of the frame on the paper, after the frame was turned a quarter clockwise. */
function onPaper({ leftPt, bottomPt, widthPt, heightPt }: Area, frame: PageSize): Area {
  return {
    leftPt: bottomPt,
    bottomPt: frame.widthPt - leftPt - widthPt,
    widthPt: heightPt,
    heightPt: widthPt,
  };
}

function swapped({ widthPt, heightPt }: PageSize): PageSize {
  return { widthPt: heightPt, heightPt: widthPt };
}

function differ(a: PageSize, b: PageSize): boolean {
  const one = orientation(a);
  const other = orientation(b);
  return one !== 'square' && other !== 'square' && one !== other;
}

function orientation({ widthPt, heightPt }: PageSize): 'portrait' | 'landscape' | 'square' {
  if (Math.abs(widthPt - heightPt) < SAME_PT) return 'square';
  return widthPt < heightPt ? 'portrait' : 'landscape';
}
