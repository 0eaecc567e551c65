/**
 * Clause matrix: every clause of the specification by chapter, and what became of it in each run.
 */

import { byGroup } from '../check/check-view.ts';
import type { ClauseView, RunView } from '../view.ts';
import { clip } from './allowance.ts';
import { markup, NOTHING, type Markup } from './markup.ts';
import { anchorOf } from './results.ts';

const STATEMENT_MOST = 400;
const CHECKS_MOST = 12;

export function clausesSection(runs: readonly RunView[]): Markup {
  const judged = runs.filter(({ clauses }) => clauses.length > 0);
  if (judged.length === 0) return NOTHING;
  const outcomes = judged.map(({ clauses }) => new Map(clauses.map((clause) => [clause.id, clause])));
  const all = new Map(judged.flatMap(({ clauses }) => clauses.map((clause) => [clause.id, clause])));
  const places = placesOf(runs);
  return markup`<section aria-labelledby="clauses">
    <h2 id="clauses">Clauses</h2>
    <p>
      What the specification says, clause by clause, and what the ${runs.length === 1 ? 'run' : 'runs'}
      showed. <span class="quiet">${legend(judged)}</span>
    </p>
    ${[...byGroup(all.values())].map(([chapter, clauses]) => chapterTable(chapter, clauses, judged, outcomes, places))}
  </section> `;
}

function legend(runs: readonly RunView[]): string {
  const counts = new Map<string, number>();
  for (const { clauses } of runs)
    for (const { outcome } of clauses) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
}

function chapterTable(
  chapter: string,
  clauses: readonly ClauseView[],
  runs: readonly RunView[],
  outcomes: readonly ReadonlyMap<string, ClauseView>[],
  places: ReadonlyMap<string, string>,
): Markup {
  const broken = clauses.filter(({ id }) => outcomes.some((of) => of.get(id)?.outcome === 'broken')).length;
  return markup`<details class="chapter">
    <summary>
      ${chapter}
      <span class="quiet">${clauses.length} clauses</span
      >${broken > 0 ? markup` <b class="broken">${broken} broken</b>` : NOTHING}
    </summary>
    <table>
      <thead>
        <tr>
          <th scope="col">Clause</th>
          <th scope="col">Level</th>
          ${runs.map((run, index) => markup`<th scope="col">${runs.length === 1 ? 'Outcome' : `${index + 1}. ${clip(run.target, 60)}`}</th>`)}
          <th scope="col">Checks</th>
        </tr>
      </thead>
      <tbody>
        ${clauses.map((clause) => row(clause, outcomes, places))}
      </tbody>
    </table>
  </details> `;
}

function row(
  { id, level, statement, reason, checks }: ClauseView,
  outcomes: readonly ReadonlyMap<string, ClauseView>[],
  places: ReadonlyMap<string, string>,
): Markup {
  const more = checks.length - CHECKS_MOST;
  return markup`<tr data-row>
    <th scope="row">
      <code>${clip(id, 120)}</code
      ><br>${clip(statement, STATEMENT_MOST)}${reason === '' ? NOTHING : markup` <span class="quiet">Excluded: ${clip(reason, STATEMENT_MOST)}</span>`}
    </th>
    <td>${level}</td>
    ${outcomes.map((of) => cell(of.get(id)?.outcome ?? 'not in it'))}
    <td>
      ${checks.slice(0, CHECKS_MOST).map((check) => link(check, places))}${more > 0 ? `and ${more} more` : ''}
    </td>
  </tr> `;
}

function cell(outcome: string): Markup {
  return markup`<td class="${outcome.replaceAll(/[^a-z]/g, '-')}">${outcome}</td>`;
}

function link(check: string, places: ReadonlyMap<string, string>): Markup {
  const place = places.get(check);
  return place === undefined
    ? markup`${clip(check, 120)} `
    : markup`<a href="#${place}">${clip(check, 120)}</a> `;
}

/** Of several runs with one check, the first that shows it. */
function placesOf(runs: readonly RunView[]): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const [runIndex, { results }] of runs.entries()) {
    for (const [index, { id }] of results.entries()) {
      if (!places.has(id)) places.set(id, anchorOf(runIndex, index));
    }
  }
  return places;
}
