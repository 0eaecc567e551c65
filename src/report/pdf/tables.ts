/**
 * Tables on paper: columns as wide as what stands in them, letters as small as they must be to fit.
 */

import type { TableView } from '../view/run-view.ts';
import { BAD, GOOD, INK, ODD, QUIET, type Column, type Paper } from './paper.ts';

const ROWS_MOST = 60;
const LARGEST = 8.5;
const SMALLEST = 5;
const GAP = 9;
const COLORS = { plain: INK, good: GOOD, bad: BAD, odd: ODD, quiet: QUIET } as const;

/** What a run measured, from a page of its own on. */
export function writeTables(paper: Paper, tables: readonly TableView[]): void {
  if (tables.length === 0) return;
  paper.nextPage();
  paper.write('Figures', { size: 14, face: 'bold' });
  for (const table of tables) writeTable(paper, table);
}

function writeTable(paper: Paper, { title, note, columns, rows }: TableView): void {
  paper.needs(90);
  paper.gap(12);
  paper.write(title, { size: 11, face: 'bold', mostLines: 1 });
  if (note !== '') paper.write(note, { size: 8, color: QUIET, mostLines: 3 });
  paper.gap(3);
  const shown = rows.slice(0, ROWS_MOST);
  const names = columns.map(({ name }) => name);
  const cells = [names, ...shown.map((row) => row.cells)];
  const { size, places } = fitted(paper, columns, cells);
  paper.writeCells(names, places, { size, face: 'bold' });
  for (const { cells: written, tone } of shown) {
    paper.writeCells(written, places, { size, color: COLORS[tone] });
  }
  if (rows.length > shown.length) paper.write(`and ${rows.length - shown.length} more, in run.json`);
}

function fitted(
  paper: Paper,
  columns: TableView['columns'],
  rows: readonly (readonly string[])[],
): { readonly size: number; readonly places: readonly Column[] } {
  const widest = columns.map((_, index) =>
    Math.max(...rows.map((cells) => paper.widthOfCell(cells[index] ?? '', LARGEST))),
  );
  const gaps = GAP * (columns.length - 1);
  const wanted = widest.reduce((sum, width) => sum + width, 0);
  const scale = Math.min(1, (paper.width - gaps) / Math.max(1, wanted));
  const size = Math.max(SMALLEST, LARGEST * scale);
  let left = 0;
  const places = columns.map(({ isNumber }, index): Column => {
    const width = ((widest[index] ?? 0) * size) / LARGEST;
    const place = { at: isNumber ? left + width : left, isNumber };
    left += width + GAP;
    return place;
  });
  return { size, places };
}
