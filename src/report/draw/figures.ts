/**
 * Figures: what a run measured, as charts and tables.
 */

import { h, type ComponentChildren, type JSX } from 'preact';

import type { RowView, RunView, TableView } from '../view/run-view.ts';
import { Chart } from './chart.ts';
import { clip, remark, table } from './pieces.ts';

const CELL_MOST = 300;
const ROWS_MOST = 100;

export function hasFigures({ tables, charts }: RunView): boolean {
  return tables.length > 0 || charts.length > 0;
}

export function Figures({ run: { charts, tables } }: { readonly run: RunView }): ComponentChildren {
  return [charts.map((chart) => h(Chart, { chart })), tables.map((view) => h(Table, { view }))];
}

export function Table({ view: { title, note, columns, rows } }: { readonly view: TableView }): ComponentChildren {
  const more = rows.length - ROWS_MOST;
  return [
    title !== '' && h('h3', null, title),
    note !== '' && remark(note),
    h(
      'div',
      { class: 'wide', role: 'group', tabIndex: 0, 'aria-label': title },
      table(
        'figures',
        columns.map(columnHead),
        rows.slice(0, ROWS_MOST).map((row) => h(Row, { row, columns })),
      ),
    ),
    more > 0 && remark(`and ${more} more, in run.json`),
  ];
}

function columnHead({ name, isNumber }: TableView['columns'][number]): JSX.Element {
  if (name === '') return h('td', null);
  return h('th', { scope: 'col', class: isNumber ? 'number' : 'word' }, name);
}

interface RowProps extends Pick<TableView, 'columns'> {
  readonly row: RowView;
}

function Row({ row: { cells, tone }, columns }: RowProps): JSX.Element {
  const [name = '', ...others] = cells;
  return h(
    'tr',
    { class: tone },
    h('th', { scope: 'row' }, clip(name, CELL_MOST)),
    others.map((cell, index) =>
      h('td', { class: columns[index + 1]?.isNumber ? 'number' : 'word' }, clip(cell, CELL_MOST)),
    ),
  );
}
