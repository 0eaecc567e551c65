/**
 * Run parts: a run as the report shows it, one part at a time.
 */

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';

import type { RunRequest } from '../../record/control-types.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { Clauses } from '../../report/draw/clauses.ts';
import { CopyContext } from '../../report/draw/exchanges.ts';
import { Difference } from '../../report/draw/difference.ts';
import { Figures, hasFigures } from '../../report/draw/figures.ts';
import { GapAtlas } from '../../report/draw/gaps.ts';
import { clip } from '../../report/draw/pieces.ts';
import { AgainContext, Evidence, Result } from '../../report/draw/result.ts';
import { RunCard } from '../../report/draw/run-card.ts';
import { differenceOfRuns, differenceSections } from '../../report/view/difference.ts';
import { defectsWith, STANDINGS, withStandings, type ResultView, type RunView } from '../../report/view/run-view.ts';
import { followersTitle } from '../../report/view/story.ts';
import { viewOf } from '../../report/view/view-of.ts';
import { getRun, reportOf } from '../api/workbench.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Icon } from '../parts/icon.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Link } from '../routing/link.tsx';
import { changeQuery, useRoute } from '../routing/navigation.ts';
import { attempt } from '../state/notices.ts';
import { runs } from '../state/runs-store.ts';
import { useStore } from '../state/store.ts';
import { repetitionOf, repetitionOfOne, type RepeatedOne } from './repetition.ts';
import { startAndShow } from './start-run.tsx';
import { byVerdict } from './verdict-bar.tsx';

interface Part {
  readonly id: string;
  readonly name: string;
  /** How many entries the part has for a run; a part with none is not shown. */
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

/** What exploring or provoking found comes before what it tried. */
function partsOf(run: RunView): readonly Part[] {
  const parts = PARTS.filter((part) => part.count(run) > 0);
  return ['explore', 'caller'].includes(run.kind) ? parts.toSorted((a, b) => b.id.localeCompare(a.id)) : parts;
}

export function RunParts({ record, isPlayable }: RepeatedOne): JSX.Element {
  const { query, id } = useRoute();
  const { scenarios } = useStore(runs);
  const run = useMemo(() => viewOf(record), [record]);
  const parts = partsOf(run);
  const shown = parts.find((part) => part.id === query['show']) ?? parts[0];
  const whole = repetitionOf(record, scenarios);
  const again = ({ id: result }: ResultView): JSX.Element | null => {
    const request = repetitionOfOne(result, { record, isPlayable }, scenarios);
    const label = record.kind === 'explore' ? 'Play this day, step by step' : `Run ${result} again`;
    return request ? <AgainButton request={request} label={label} /> : null;
  };
  return (
    <Contexts again={again}>
      <header class="detail-head">
        <h2>{run.title}</h2>
      </header>
      <div class="run-view">
        {record.progress === undefined && (
          <div class="run-actions">
            {whole && <AgainButton request={whole} label="Run it again" />}
            <CompareWith run={run} />
            <Reports id={id} />
          </div>
        )}
        {query['compare'] !== undefined && <Compared record={record} with={query['compare']} />}
        <RunCard run={run} />
        <Tabs
          name="Parts of the run"
          tabs={parts.map((part) => ({
            name: part.id === 'results' && record.kind === 'explore' ? 'Findings' : part.name,
            to: { page: 'runs', id, query: { show: part === parts[0] ? undefined : part.id } },
            count: part.count(run),
            isCurrent: part === shown,
          }))}
        />
        {shown?.draw(run)}
      </div>
    </Contexts>
  );
}

/** The run as a document. */
function Reports({ id }: { readonly id: string }): JSX.Element {
  return (
    <>
      <a class="button" href={reportOf(id, 'html')} target="_blank" rel="noreferrer">
        HTML report
      </a>
      <a class="button" href={reportOf(id, 'pdf')} target="_blank" rel="noreferrer">
        PDF
      </a>
    </>
  );
}

interface ContextsProps {
  readonly again: (result: ResultView) => JSX.Element | null;
  readonly children: ComponentChildren;
}

/** What a page can do that a document cannot. */
function Contexts({ again, children }: ContextsProps): JSX.Element {
  return (
    <CopyContext.Provider value={(text) => <CopyButton text={text} what="the command" />}>
      <AgainContext.Provider value={again}>{children}</AgainContext.Provider>
    </CopyContext.Provider>
  );
}

interface AgainButtonProps {
  readonly request: RunRequest;
  readonly label: string;
}

function AgainButton({ request, label }: AgainButtonProps): JSX.Element {
  const { isStarting } = useStore(runs);
  return (
    <button type="button" aria-disabled={isStarting} onClick={() => void startAndShow(request)}>
      <Icon name="again" />
      {label}
    </button>
  );
}

/** Chooses an earlier run of the same kind. */
function CompareWith({ run: { kind, runId, startedAt } }: { readonly run: RunView }): JSX.Element | null {
  const { query, id } = useRoute();
  const others = useStore(runs).runs.filter((one) => one.kind === kind && one.id !== runId && one.id !== id);
  if (others.length === 0) return null;
  return (
    <select
      aria-label="Compare with another run"
      value={query['compare'] ?? ''}
      onChange={({ currentTarget }) => changeQuery({ compare: currentTarget.value })}
    >
      <option value="">Compare with…</option>
      {others.map((one) => (
        <option key={one.id} value={one.id}>
          {one.startedAt.slice(0, 19).replace('T', ' ')} {one.startedAt < startedAt ? '' : '(later)'} {one.about}
        </option>
      ))}
    </select>
  );
}

/** What changed from the earlier of two runs to the later. */
function Compared({ record, with: other }: { readonly record: RunRecord; readonly with: string }): JSX.Element | null {
  const [found, setFound] = useState<RunRecord | undefined>(undefined);
  useEffect(() => {
    setFound(undefined);
    void attempt(getRun(other)).then((read) => setFound(read as RunRecord | undefined));
  }, [other]);
  if (found?.kind !== record.kind) return null;
  const [before, after] = found.startedAt < record.startedAt ? [found, record] : [record, found];
  return (
    <section aria-label="What changed">
      <h3>What changed</h3>
      <Difference
        before={viewOf(before)}
        after={viewOf(after)}
        sections={differenceSections(differenceOfRuns(before, after))}
        linkTo={(check) => <CheckLink check={check} />}
      />
    </section>
  );
}

function CheckLink({ check }: { readonly check: string }): JSX.Element {
  const { id } = useRoute();
  return <Link to={{ page: 'runs', id, query: { q: check } }}>{check}</Link>;
}

/** More than that, open, is a wall. */
const MOST_OPEN = 3;

function ResultList({ run }: { readonly run: RunView }): JSX.Element {
  const { query } = useRoute();
  const verdict = query['verdict'];
  const filter = (query['q'] ?? '').toLowerCase();
  const isFiltered = verdict !== undefined || filter !== '';
  // One defect is one line, unless results are looked for.
  const shown = (isFiltered ? withStandings(run, STANDINGS) : defectsWith(run, STANDINGS))
    .filter((result) => verdict === undefined || result.verdict === verdict)
    .filter((result) => filter === '' || textOf(result).includes(filter));
  const open = new Set(shown.filter(({ standing }) => standing === 'failed').slice(0, MOST_OPEN));
  return (
    <>
      <div class="filters">
        <SearchBox name="Filter the results" placeholder="Result, clause, message" />
        <VerdictFilter results={run.results} />
      </div>
      {shown.length === 0 && <EmptyState icon="search" title="No result matches" />}
      {shown.map((result) => (
        <Result key={result.id} result={result} isOpen={open.has(result)}>
          {result.followers.length > 0 && <WithFollowers result={result} />}
        </Result>
      ))}
    </>
  );
}

/** The evidence of a defect, and the results that show the same one. */
function WithFollowers({ result }: { readonly result: ResultView }): JSX.Element {
  return (
    <>
      <Evidence result={result} />
      <p class="quiet">{followersTitle(result)}</p>
      <ul>
        {result.followers.map(({ id, verdict, message }) => (
          <li key={id}>
            {verdict} <CheckLink check={id} /> {clip(message, FOLLOWER_MOST)}
          </li>
        ))}
      </ul>
    </>
  );
}

const FOLLOWER_MOST = 240;

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
