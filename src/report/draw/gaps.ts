/**
 * Gap atlas: where the specification says nothing, what each target did, side by side.
 */

import { h, type ComponentChildren, type JSX } from 'preact';

import { byGroup, type GapView, type RunView } from '../view/run-view.ts';
import { aside, clip, fold, heading, remark, table } from './pieces.ts';

const OBSERVATION_MOST = 300;
const OBSERVATIONS_MOST = 12;

type Gaps = ReadonlyMap<string, GapView>;

export function GapAtlas({ runs }: { readonly runs: readonly RunView[] }): ComponentChildren {
  const seen = runs.filter(({ gaps }) => gaps.length > 0);
  const columns = seen.map(({ gaps }): Gaps => new Map(gaps.map((gap) => [gap.id, gap])));
  const all = [...new Map(columns.flatMap((gaps) => [...gaps])).values()];
  const headings = seen.map(({ target }, index) =>
    seen.length === 1 ? 'Observed' : `${index + 1}. ${clip(target, 60)}`,
  );
  return [
    h(
      'p',
      null,
      `Where the specification leaves it open: what the ${seen.length === 1 ? 'target' : 'targets'} did. ` +
        'None of it counts as a failure.',
    ),
    fold(
      { class: 'chapter', open: true },
      [`${all.length} gaps `, aside(differing(all, columns))],
      table(
        'gaps',
        ['Question', ...headings].map(heading),
        [...byGroup(all).values()].flat().map((gap) => h(GapRow, { gap, columns })),
      ),
    ),
  ];
}

function differing(all: readonly GapView[], columns: readonly Gaps[]): string {
  if (columns.length === 1) return '';
  const answersTo = ({ id }: GapView): readonly string[] =>
    columns.map((gaps) => JSON.stringify(gaps.get(id)?.observations.toSorted() ?? []));
  return `${all.filter((gap) => new Set(answersTo(gap)).size > 1).length} of them answered differently`;
}

function GapRow({ gap, columns }: { readonly gap: GapView; readonly columns: readonly Gaps[] }): JSX.Element {
  return h(
    'tr',
    { 'data-row': '' },
    h('th', { scope: 'row' }, h('code', null, clip(gap.id, 120)), h('p', null, clip(gap.question, OBSERVATION_MOST))),
    columns.map((gaps) => h(Observations, { observations: gaps.get(gap.id)?.observations ?? [] })),
  );
}

function Observations({ observations }: Pick<GapView, 'observations'>): JSX.Element {
  if (observations.length === 0) return h('td', { class: 'quiet' }, 'not observed');
  const more = observations.length - OBSERVATIONS_MOST;
  return h(
    'td',
    null,
    observations.slice(0, OBSERVATIONS_MOST).map((one) => h('p', null, clip(one, OBSERVATION_MOST))),
    more > 0 && remark(`and ${more} more`),
  );
}
