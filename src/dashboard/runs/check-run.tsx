/**
 * Check run: the results of a conformance run, failures first; the clauses; and what was seen where the
 * specification is silent.
 */

import type { JSX } from 'preact';

import type { CheckRunRecord } from '../../record/check-record.ts';
import { Tabs } from '../parts/tabs.tsx';
import { useRoute } from '../routing/navigation.ts';
import { CheckList } from './check-list.tsx';
import { ClauseMatrix } from './clause-matrix.tsx';
import { GapList } from './gap-list.tsx';
import { RunFacts } from './run-facts.tsx';

const SHOWS = ['results', 'clauses', 'gaps'] as const;
type Show = (typeof SHOWS)[number];

const NAMES: Readonly<Record<Show, string>> = { results: 'Results', clauses: 'Clauses', gaps: 'Gaps' };

export function CheckRun({ record }: { readonly record: CheckRunRecord }): JSX.Element {
  const { query, id } = useRoute();
  const show = SHOWS.find((one) => one === query['show']) ?? 'results';
  const { total: _, ...counts } = record.summary.checks;
  const numbers: Readonly<Record<Show, number>> = {
    results: record.checks.length,
    clauses: Object.keys(record.clauses).length,
    gaps: Object.keys(record.gaps).length,
  };
  return (
    <>
      <RunFacts
        title={headlineOf(record)}
        runId={record.runId}
        target={record.target.name}
        startedAt={record.startedAt}
        durationMs={record.durationMs}
        seed={record.seed}
        exitCode={record.summary.exitCode}
        counts={counts}
      />
      <Tabs
        name="Parts of the run"
        tabs={SHOWS.map((one) => ({
          name: NAMES[one],
          to: { page: 'runs', id, query: { show: one === 'results' ? undefined : one } },
          count: numbers[one],
          isCurrent: one === show,
        }))}
      />
      {show === 'results' && <CheckList record={record} />}
      {show === 'clauses' && <ClauseMatrix record={record} />}
      {show === 'gaps' && <GapList record={record} />}
    </>
  );
}

function headlineOf({ summary }: CheckRunRecord): string {
  const { total, fail = 0, pass = 0 } = summary.checks;
  if (fail > 0) return `${fail} of ${total} checks failed`;
  const others = total - pass;
  return others === 0 ? `All ${total} checks passed` : `${pass} of ${total} checks passed, none failed`;
}
