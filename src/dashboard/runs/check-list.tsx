/**
 * Check list: the checks of a run, those that want looking at first and open.
 */

import type { JSX } from 'preact';

import type { CheckRecord, CheckRunRecord } from '../../record/check-record.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { Link } from '../routing/link.tsx';
import { useRoute } from '../routing/navigation.ts';
import { CheckResult } from './check-result.tsx';
import { byVerdict } from './verdict-order.ts';

/** More than that, open, is a wall: who wants more opens them. */
const MOST_OPEN = 3;

export function CheckList({ record }: { readonly record: CheckRunRecord }): JSX.Element {
  const { query } = useRoute();
  const verdict = query['verdict'];
  const filter = (query['q'] ?? '').toLowerCase();
  const shown = record.checks
    .filter((check) => verdict === undefined || check.verdict === verdict)
    .filter((check) => filter === '' || textOf(check).includes(filter))
    .toSorted((a, b) => byVerdict(a.verdict, b.verdict));
  const open = new Set(shown.filter((check) => check.verdict === 'fail').slice(0, MOST_OPEN));
  return (
    <>
      <div class="filters">
        <SearchBox name="Filter the checks" placeholder="Check, clause, message" />
        <VerdictFilter checks={record.checks} />
      </div>
      {shown.length === 0 && <EmptyState icon="search" title="No check fits" />}
      <ul class="results">
        {shown.map((check) => (
          <li key={check.id}>
            <CheckResult check={check} record={record} isOpen={open.has(check)} />
          </li>
        ))}
      </ul>
    </>
  );
}

function VerdictFilter({ checks }: { readonly checks: readonly CheckRecord[] }): JSX.Element {
  const { page, id, query } = useRoute();
  const verdicts = [...new Set(checks.map((check) => check.verdict))].toSorted(byVerdict);
  const all = [undefined, ...verdicts];
  return (
    <nav class="verdicts" aria-label="Verdicts">
      {all.map((verdict) => (
        <Link
          key={verdict ?? 'all'}
          to={{ page, id, query: { ...query, verdict } }}
          current={query['verdict'] === verdict}
        >
          {verdict ?? 'all'}{' '}
          <span class="count">
            {verdict === undefined ? checks.length : checks.filter((one) => one.verdict === verdict).length}
          </span>
        </Link>
      ))}
    </nav>
  );
}

function textOf({ id, title, message, clauses }: CheckRecord): string {
  return [id, title, message, ...clauses].join(' ').toLowerCase();
}
