/**
 * Gap atlas: where the specification says nothing, what each target did, side by side.
 */

import { byGroup } from '../check/check-view.ts';
import type { GapView, RunView } from '../view.ts';
import { clip } from './allowance.ts';
import { markup, NOTHING, type Markup } from './markup.ts';

const OBSERVATION_MOST = 300;
const OBSERVATIONS_MOST = 12;

export function gapsSection(runs: readonly RunView[]): Markup {
  const seen = runs.filter(({ gaps }) => gaps.length > 0);
  if (seen.length === 0) return NOTHING;
  const all = [...new Map(seen.flatMap(({ gaps }) => gaps.map((gap) => [gap.id, gap]))).values()];
  const observed = seen.map(({ gaps }) => new Map(gaps.map((gap) => [gap.id, gap])));
  return markup`<section aria-labelledby="gaps">
    <h2 id="gaps">Gap atlas</h2>
    <p>
      Where the specification leaves it open: what the ${seen.length === 1 ? 'target' : 'targets'} did. None
      of it counts as a failure.
    </p>
    <details class="chapter">
      <summary>${all.length} gaps <span class="quiet">${differing(all, observed)}</span></summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Question</th>
            ${seen.map((run, index) => markup`<th scope="col">${seen.length === 1 ? 'Observed' : `${index + 1}. ${clip(run.target, 60)}`}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${[...byGroup(all)].flatMap(([, gaps]) => gaps.map((gap) => row(gap, observed)))}
        </tbody>
      </table>
    </details>
  </section> `;
}

function differing(all: readonly GapView[], observed: readonly ReadonlyMap<string, GapView>[]): string {
  if (observed.length === 1) return '';
  const count = all.filter(({ id }) => new Set(observed.map((of) => answerOf(of.get(id)))).size > 1).length;
  return `${count} of them answered differently`;
}

function answerOf(gap: GapView | undefined): string {
  return JSON.stringify(gap?.observations.toSorted() ?? []);
}

function row({ id, question }: GapView, observed: readonly ReadonlyMap<string, GapView>[]): Markup {
  return markup`<tr data-row>
    <th scope="row"><code>${clip(id, 120)}</code><br>${clip(question, OBSERVATION_MOST)}</th>
    ${observed.map((of) => cell(of.get(id)?.observations ?? []))}
  </tr> `;
}

function cell(observations: readonly string[]): Markup {
  if (observations.length === 0) return markup`<td class="quiet">not observed</td>`;
  const shown = observations.slice(0, OBSERVATIONS_MOST);
  return markup`<td>
    ${shown.map((one) => markup`<p>${clip(one, OBSERVATION_MOST)}</p>`)}${shown.length < observations.length ? markup`<p class="quiet">and ${observations.length - shown.length} more</p>` : NOTHING}
  </td>`;
}
