/**
 * Result list: the results of a run, failures first and open, by verdict and by words.
 */

import type { JSX } from 'preact';

import { Result } from '../../report/draw/result.ts';
import { STANDINGS, withStandings, type ResultView, type RunView } from '../../report/view/run-view.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { Link } from '../routing/link.tsx';
import { useRoute } from '../routing/navigation.ts';
import { byVerdict } from './verdict-bar.tsx';

/** More than that, open, is a wall. */
const MOST_OPEN = 3;

export function ResultList({ run }: { readonly run: RunView }): JSX.Element {
  const { query } = useRoute();
  const verdict = query['verdict'];
  const filter = (query['q'] ?? '').toLowerCase();
  const shown = withStandings(run, STANDINGS)
    .filter((result) => verdict === undefined || result.verdict === verdict)
    .filter((result) => filter === '' || textOf(result).includes(filter));
  const open = new Set(shown.filter(({ standing }) => standing === 'failed').slice(0, MOST_OPEN));
  return (
    <>
      <div class="filters">
        <SearchBox name="Filter the results" placeholder="Result, clause, message" />
        <VerdictFilter results={run.results} />
      </div>
      {shown.length === 0 && <EmptyState icon="search" title="No result fits" />}
      {shown.map((result) => (
        <Result key={result.id} result={result} isOpen={open.has(result)} />
      ))}
    </>
  );
}

function VerdictFilter({ results }: { readonly results: readonly ResultView[] }): JSX.Element {
  const { page, id, query } = useRoute();
  const counts = Map.groupBy(results, ({ verdict }) => verdict);
  const all = [undefined, ...[...counts.keys()].toSorted(byVerdict)];
  return (
    <nav class="verdicts" aria-label="Verdicts">
      {all.map((verdict) => (
        <Link
          key={verdict ?? 'all'}
          to={{ page, id, query: { ...query, verdict } }}
          current={query['verdict'] === verdict}
        >
          {verdict ?? 'all'}{' '}
          <span class="count">{verdict === undefined ? results.length : counts.get(verdict)?.length}</span>
        </Link>
      ))}
    </nav>
  );
}

function textOf({ id, title, message, clauses }: ResultView): string {
  return [id, title, message, ...clauses].join(' ').toLowerCase();
}
