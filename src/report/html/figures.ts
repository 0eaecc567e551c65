/**
 * Figures: what a run measured, as charts and tables.
 */

import type { RowView, RunView, TableView } from '../view.ts';
import { clip } from './allowance.ts';
import { chart } from './chart.ts';
import { markup, NOTHING, type Markup } from './markup.ts';

const CELL_MOST = 300;
const ROWS_MOST = 100;

export function figuresSection(runs: readonly RunView[]): Markup {
  const measured = runs.filter(hasFigures);
  if (measured.length === 0) return NOTHING;
  return markup`<section aria-labelledby="figures">
    <h2 id="figures">Figures</h2>
    ${measured.map(
      (run) =>
        markup`${runs.length === 1 ? NOTHING : markup`<h3>${runs.indexOf(run) + 1}. ${clip(run.title, 200)}</h3>`}
        ${run.charts.map(chart)} ${run.tables.map(table)}`,
    )}
  </section> `;
}

export function hasFigures({ tables, charts }: RunView): boolean {
  return tables.length > 0 || charts.length > 0;
}

function table({ title, note, columns, rows }: TableView): Markup {
  const more = rows.length - ROWS_MOST;
  return markup`<h4>${title}</h4>
    ${note === '' ? NOTHING : markup`<p class="quiet">${note}</p>`}
    <div class="wide" role="group" tabindex="0" aria-label="${title}">
      <table class="figures">
        <thead>
          <tr>
            ${columns.map(({ name, isNumber }) => heading(name, isNumber))}
          </tr>
        </thead>
        <tbody>
          ${rows.slice(0, ROWS_MOST).map((row) => line(row, columns))}
        </tbody>
      </table>
    </div>
    ${more > 0 ? markup`<p class="quiet">and ${more} more, in run.json</p>` : NOTHING} `;
}

function heading(name: string, isNumber: boolean): Markup {
  if (name === '') return markup`<td></td>`;
  return markup`<th scope="col" class="${isNumber ? 'number' : 'word'}">${name}</th> `;
}

function line({ cells: [name = '', ...cells], tone }: RowView, columns: TableView['columns']): Markup {
  return markup`<tr class="${tone}">
    <th scope="row">${clip(name, CELL_MOST)}</th>
    ${cells.map((cell, index) => markup`<td class="${columns[index + 1]?.isNumber ? 'number' : 'word'}">${clip(cell, CELL_MOST)}</td> `)}
  </tr> `;
}
