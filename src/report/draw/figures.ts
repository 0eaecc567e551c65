/**
 * Figures: what a run measured, as charts and tables.
 */

import { h, type ComponentChildren, type JSX } from 'preact';

import type { RowView, RunView, TableView } from '../view/run-view.ts';
import { Chart } from './chart.ts';
import { clip } from './clip.ts';

const CELL_MOST = 300;
const ROWS_MOST = 100;

export function hasFigures({ tables, charts }: RunView): boolean {
  return tables.length > 0 || charts.length > 0;
}

export function Figures({ run: { charts, tables } }: { readonly run: RunView }): ComponentChildren {
  return [charts.map((chart) => h(Chart, { chart })), tables.map((table) => h(Table, { table }))];
}

function Table({ table: { title, note, columns, rows } }: { readonly table: TableView }): ComponentChildren {
  const more = rows.length - ROWS_MOST;
  return [
    h('h3', null, title),
    note !== '' && h('p', { class: 'quiet' }, note),
    h(
      'div',
      { class: 'wide', role: 'group', tabIndex: 0, 'aria-label': title },
      h(
        'table',
        { class: 'figures' },
        h('thead', null, h('tr', null, columns.map(heading))),
        h(
          'tbody',
          null,
          rows.slice(0, ROWS_MOST).map((row) => h(Row, { row, columns })),
        ),
      ),
    ),
    more > 0 && h('p', { class: 'quiet' }, `and ${more} more, in run.json`),
  ];
}

function heading({ name, isNumber }: TableView['columns'][number]): JSX.Element {
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
