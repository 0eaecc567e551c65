/**
 * Runs: what was checked and played, newest first, a way to start one, and beside the list the run that
 * is open.
 */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { formatDuration } from '../../common/duration.ts';
import type { RunSummaryView } from '../../record/control-types.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { getRun, stopRun } from '../api/workbench.ts';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { BackLink } from '../parts/back-link.tsx';
import { EmptyState, NotLoaded } from '../parts/empty-state.tsx';
import { Icon } from '../parts/icon.tsx';
import { Safe } from '../parts/safe.tsx';
import { StateChip } from '../parts/state-chip.tsx';
import { useCursor } from '../parts/use-cursor.ts';
import { Link } from '../routing/link.tsx';
import { goTo, useRoute } from '../routing/navigation.ts';
import { attempt, notify } from '../state/notices.ts';
import { loadRuns, runs } from '../state/runs-store.ts';
import { useStore } from '../state/store.ts';
import { StartRun } from './start-run.tsx';
import { VerdictBar } from './verdict-bar.tsx';

export function RunsPage(): JSX.Element {
  const { id } = useRoute();
  const { runs: list, scenarios, status } = useStore(runs);
  useEffect(() => void loadRuns(), []);
  const cursor = useCursor({
    length: list.length,
    openIndex: list.findIndex((run) => run.id === id),
    open: (index, options) => goTo({ page: 'runs', id: list[index]?.id ?? '' }, options),
  });
  useShortcuts({
    Escape: () => {
      if (id !== '') goTo({ page: 'runs' });
    },
  });
  return (
    <div class={id === '' ? 'split' : 'split open'}>
      <div class="list-side">
        <div class="list-head">{status === 'ready' && <StartRun scenarios={scenarios} />}</div>
        {status === 'missing' && <NotLoaded what="The runs" onRetry={() => void loadRuns()} />}
        {status === 'ready' && list.length === 0 && <NoRuns />}
        <ul class="runs" aria-label="Runs">
          {list.map((run, index) => (
            <RunRow key={run.id} run={run} isOpen={run.id === id} isAtCursor={index === cursor} />
          ))}
        </ul>
      </div>
      {id !== '' && <OpenRun key={id} id={id} summary={list.find((run) => run.id === id)} />}
    </div>
  );
}

function NoRuns(): JSX.Element {
  return (
    <EmptyState icon="check" title="Nothing has been run yet">
      <p>
        Start a check above, or from a terminal: <code>npx platen check</code>. Runs land in <code>reports/</code> and
        appear here; with <code>--open</code> they appear as they go on.
      </p>
    </EmptyState>
  );
}

/** A line of the list: what was run on what, when, and its result. */
interface RunRowProps {
  readonly run: RunSummaryView;
  readonly isOpen: boolean;
  readonly isAtCursor: boolean;
}

function RunRow({ run, isOpen, isAtCursor }: RunRowProps): JSX.Element {
  const { id, kind, startedAt, headline, counts, about, target, progress } = run;
  return (
    <li>
      <Link to={{ page: 'runs', id }} class={isAtCursor ? 'run-row cursor' : 'run-row'} current={isOpen}>
        <span class="run-head">
          <strong>{KIND_NAMES[kind] ?? kind}</strong>
          <span class="run-about">{about}</span>
          <ResultChip run={run} />
        </span>
        <span class="hint">
          {target} · <time>{startedAt.slice(0, 19).replace('T', ' ')}</time> · {id}
        </span>
        <span class="run-headline">{progress ? progressInWords(progress) : headline}</span>
        {progress ? (
          <progress max={Math.max(1, progress.total)} value={progress.done} aria-label={`How far ${id} is`} />
        ) : (
          <VerdictBar counts={counts} />
        )}
      </Link>
    </li>
  );
}

const KIND_NAMES: Readonly<Record<string, string>> = {
  check: 'Check',
  run: 'Scenario',
  load: 'Load',
  explore: 'Exploring',
  caller: 'App',
};

function progressInWords({ done, total, remainingMs, doing }: NonNullable<RunSummaryView['progress']>): string {
  const left = remainingMs === null ? '' : `, about ${formatDuration(Math.ceil(remainingMs / 1_000) * 1_000)} left`;
  return `${done} of ${total}${left}: ${doing}`;
}

interface ResultChipProps {
  readonly run: Pick<RunSummaryView, 'exitCode' | 'running'>;
}

const CHIPS: Readonly<Record<number, readonly [state: string, text: string]>> = {
  0: ['pass', 'passed'],
  1: ['fail', 'failed'],
  2: ['inconclusive', 'incomplete'],
  64: ['fail', 'could not begin'],
  75: ['fail', 'service lost'],
  130: ['inconclusive', 'stopped'],
};

/** What the exit code says, in a word. */
function ResultChip({ run: { exitCode, running } }: ResultChipProps): JSX.Element {
  if (running || exitCode === null) return <StateChip state="running" />;
  const [state, text] = CHIPS[exitCode] ?? ['harness-error', 'platen broke'];
  return <StateChip state={state} text={text} />;
}

/** One run, from its record, or from its record so far. */
interface OpenRunProps {
  readonly id: string;
  readonly summary: RunSummaryView | undefined;
}

function OpenRun({ id, summary }: OpenRunProps): JSX.Element {
  const { draw, problem } = useRecord(id, summary);
  const isRunning = summary?.running === true;
  return (
    <article class="detail" aria-label={`Run ${id}`}>
      <BackLink to={{ page: 'runs' }} />
      {isRunning && <StopButton run={summary} />}
      {summary?.recorded === false ? (
        <NoRecord run={summary} />
      ) : (
        problem !== undefined && <EmptyState icon="warning" title={problem} />
      )}
      {draw && <Safe what="This record">{draw(summary?.playable !== false)}</Safe>}
    </article>
  );
}

/** Shown for a run that has not reported anything yet, or never will. */
function NoRecord({ run: { running, headline } }: { readonly run: RunSummaryView }): JSX.Element {
  return (
    <EmptyState icon={running ? 'clock' : 'warning'} title={running ? 'It begins' : 'It could not begin'}>
      <p aria-live="polite">{headline}</p>
    </EmptyState>
  );
}

function StopButton({ run: { id } }: { readonly run: RunSummaryView }): JSX.Element {
  const [isAsked, setAsked] = useState(false);
  const stop = async (): Promise<void> => {
    if (!(await attempt(stopRun(id)))) return;
    setAsked(true);
    notify('done', isAsked ? 'It ends at once' : 'It is ending in good order; press again to end it at once');
  };
  return (
    <button type="button" class="stop" onClick={() => void stop()}>
      <Icon name="cross" />
      {isAsked ? 'Stop at once' : 'Stop'}
    </button>
  );
}

interface LoadedRecord {
  readonly draw?: (isPlayable: boolean) => JSX.Element;
  readonly problem?: string;
}

/** Asked for again whenever the run has come further. */
function useRecord(id: string, summary: RunSummaryView | undefined): LoadedRecord {
  const [loaded, setLoaded] = useState<LoadedRecord>({});
  const state = summary?.recorded === false ? '' : JSON.stringify(summary?.progress ?? null);
  useEffect(() => {
    if (state === '') return undefined;
    let isWanted = true;
    // What draws a run is loaded with the first one that is looked at.
    Promise.all([getRun(id), import('./run-parts.tsx')]).then(
      ([record, { RunParts }]) =>
        isWanted &&
        setLoaded({ draw: (isPlayable) => <RunParts record={record as RunRecord} isPlayable={isPlayable} /> }),
      (error: unknown) => isWanted && setLoaded({ problem: (error as Error).message }),
    );
    return () => {
      isWanted = false;
    };
  }, [id, state]);
  return loaded;
}
