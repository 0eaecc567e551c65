/**
 * Parts of tables, as views make them.
 */

import type { RowView, TableView, Tone } from './run-view.ts';

type Columns = TableView['columns'];

/** Columns of text. */
export function words(...names: readonly string[]): Columns {
  return names.map((name) => ({ name, isNumber: false }));
}

/** Columns of figures, which stand at the right. */
export function numbers(...names: readonly string[]): Columns {
  return names.map((name) => ({ name, isNumber: true }));
}

export function row(cells: readonly (string | number)[], tone: Tone = 'plain'): RowView {
  return { cells: cells.map(String), tone };
}
