/**
 * Table: rows of cells as lines.
 */

import { line, plainText, type Line } from './line.ts';

/** Columns as wide as their widest cell, two spaces apart; what is last in a row is not padded. */
export function table(rows: readonly (readonly Line[])[], indent = ''): readonly Line[] {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, plainText(cell).length)),
    [],
  );
  return rows.map((row) => {
    const cells = row.slice(0, row.findLastIndex((cell) => plainText(cell).trim() !== '') + 1);
    return cells.reduce<Line>((before, cell, column) => {
      const gap = column === 0 ? indent : '  ';
      const blanks = column < cells.length - 1 ? (widths[column] ?? 0) - plainText(cell).length : 0;
      return line`${before}${gap}${cell}${' '.repeat(blanks)}`;
    }, '');
  });
}
