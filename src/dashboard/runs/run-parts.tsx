/**
 * Run parts: a run as the report shows it, one part at a time.
 */

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';

import type { RunRecord } from '../../record/run-record.ts';
import { Clauses } from '../../report/draw/clauses.ts';
import { CopyContext } from '../../report/draw/exchanges.ts';
import { Figures, hasFigures } from '../../report/draw/figures.ts';
import { GapAtlas } from '../../report/draw/gaps.ts';
import { RunCard } from '../../report/draw/run-card.ts';
import type { RunView } from '../../report/view/run-view.ts';
import { viewOf } from '../../report/view/view-of.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Link } from '../routing/link.tsx';
import { useRoute } from '../routing/navigation.ts';
import { ResultList } from './result-list.tsx';

interface Part {
  readonly id: string;
  readonly name: string;
  /** Of what there is in it; a run that has none does not show the part. */
  readonly count: (run: RunView) => number;
  readonly draw: (run: RunView) => JSX.Element;
}

/** The first that a run has is shown first. */
const PARTS: readonly Part[] = [
  {
    id: 'figures',
    name: 'Figures',
    count: (run) => (hasFigures(run) ? run.tables.length + run.charts.length : 0),
    draw: (run) => <Figures run={run} />,
  },
  {
    id: 'results',
    name: 'Results',
    count: ({ results }) => results.length,
    draw: (run) => <ResultList run={run} />,
  },
  {
    id: 'clauses',
    name: 'Clauses',
    count: ({ clauses }) => clauses.length,
    draw: (run) => <Clauses runs={[run]} linkTo={(check) => <CheckLink check={check} />} />,
  },
  { id: 'gaps', name: 'Gaps', count: ({ gaps }) => gaps.length, draw: (run) => <GapAtlas runs={[run]} /> },
];

export function RunParts({ record }: { readonly record: RunRecord }): JSX.Element {
  const { query, id } = useRoute();
  const run = useMemo(() => viewOf(record), [record]);
  const parts = PARTS.filter((part) => part.count(run) > 0);
  const shown = parts.find((part) => part.id === query['show']) ?? parts[0];
  return (
    <CopyContext.Provider value={(text) => <CopyButton text={text} what="the command" />}>
      <header class="detail-head">
        <h2>{run.title}</h2>
      </header>
      <div class="run-view">
        <RunCard run={run} />
        <Tabs
          name="Parts of the run"
          tabs={parts.map((part) => ({
            name: part.name,
            to: { page: 'runs', id, query: { show: part === parts[0] ? undefined : part.id } },
            count: part.count(run),
            isCurrent: part === shown,
          }))}
        />
        {shown?.draw(run)}
      </div>
    </CopyContext.Provider>
  );
}

function CheckLink({ check }: { readonly check: string }): JSX.Element {
  const { id } = useRoute();
  return <Link to={{ page: 'runs', id, query: { q: check } }}>{check}</Link>;
}
