/**
 * Runs: what was checked and played, newest first, a way to start one, and beside the list the run that
 * is open.
 */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { RunRequest, RunSummaryView, ScenarioView } from '../../record/control-types.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { getRun, startRun } from '../api/workbench.ts';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { BackLink } from '../parts/back-link.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Icon } from '../parts/icon.tsx';
import { Safe } from '../parts/safe.tsx';
import { StateChip } from '../parts/state-chip.tsx';
import { useCursor } from '../parts/use-cursor.ts';
import { Link } from '../routing/link.tsx';
import { goTo, useRoute } from '../routing/navigation.ts';
import { attempt } from '../state/notices.ts';
import { loadRuns, runs, takeRuns } from '../state/runs-store.ts';
import { useStore } from '../state/store.ts';
import { VerdictBar } from './verdict-bar.tsx';

export function RunsPage(): JSX.Element {
  const { id } = useRoute();
  const { runs: list, scenarios, isLoaded } = useStore(runs);
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
        <div class="list-head">{isLoaded && <StartRun scenarios={scenarios} />}</div>
        {isLoaded && list.length === 0 && <NoRuns />}
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
        appear here.
      </p>
    </EmptyState>
  );
}

/** A line of the list: what was run, when, and its result. */
interface RunRowProps {
  readonly run: RunSummaryView;
  readonly isOpen: boolean;
  readonly isAtCursor: boolean;
}

function RunRow({ run, isOpen, isAtCursor }: RunRowProps): JSX.Element {
  const { id, kind, startedAt, headline, counts } = run;
  return (
    <li>
      <Link to={{ page: 'runs', id }} class={isAtCursor ? 'run-row cursor' : 'run-row'} current={isOpen}>
        <span class="run-head">
          <strong>{KIND_NAMES[kind] ?? kind}</strong>
          <time class="hint">{startedAt.slice(0, 19).replace('T', ' ')}</time>
          <span class="grow" />
          <ResultChip run={run} />
        </span>
        <span class="run-headline">{headline}</span>
        <VerdictBar counts={counts} />
      </Link>
    </li>
  );
}

const KIND_NAMES: Readonly<Record<string, string>> = { check: 'Check', run: 'Scenarios', load: 'Load' };

interface ResultChipProps {
  readonly run: Pick<RunSummaryView, 'exitCode' | 'running'>;
}

/** What the exit code says, in a word. */
function ResultChip({ run: { exitCode, running } }: ResultChipProps): JSX.Element {
  if (running || exitCode === null) return <StateChip state="running" />;
  if (exitCode === 0) return <StateChip state="pass" text="passed" />;
  if (exitCode === 1) return <StateChip state="fail" text="failed" />;
  return <StateChip state="inconclusive" text={exitCode === 2 ? 'incomplete' : `exit code ${exitCode}`} />;
}

/**
 * Checks the reference service, or plays a scenario on it, in a process of its own. This
 * workbench and its jobs stay as they are.
 */
const CHECK = 'check';

function StartRun({ scenarios }: { readonly scenarios: readonly ScenarioView[] }): JSX.Element {
  const [chosen, choose] = useState(CHECK);
  const [isStarting, setStarting] = useState(false);
  const scenario = scenarios.find(({ path }) => path === chosen);
  const start = async (event: Event): Promise<void> => {
    event.preventDefault();
    setStarting(true);
    const wanted: RunRequest = scenario ? { kind: 'run', scenario: scenario.path } : { kind: 'check' };
    const run = await attempt(startRun(wanted));
    setStarting(false);
    if (!run) return;
    takeRuns([run]);
    goTo({ page: 'runs', id: run.id });
  };
  return (
    <form class="start-run" onSubmit={(event) => void start(event)}>
      <select
        aria-label="What to run"
        title={scenario?.why}
        value={chosen}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value={CHECK}>All checks of the reference service</option>
        <optgroup label="Scenarios">
          {scenarios.map(({ path, title }) => (
            <option key={path} value={path}>
              {title}
            </option>
          ))}
        </optgroup>
      </select>
      <button type="submit" class="primary" disabled={isStarting}>
        <Icon name="play" />
        Run
      </button>
    </form>
  );
}

/** One run, from its record. The record is there once the run has ended. */
interface OpenRunProps {
  readonly id: string;
  readonly summary: RunSummaryView | undefined;
}

function OpenRun({ id, summary }: OpenRunProps): JSX.Element {
  const { draw, problem } = useRecord(id, summary?.running ?? false);
  return (
    <article class="detail" aria-label={`Run ${id}`}>
      <BackLink to={{ page: 'runs' }} />
      {summary?.running === true && <UnderWay run={summary} />}
      {problem !== undefined && summary?.running !== true && <EmptyState icon="warning" title={problem} />}
      {draw && <Safe what="This record">{draw()}</Safe>}
    </article>
  );
}

function UnderWay({ run }: { readonly run: RunSummaryView }): JSX.Element {
  return (
    <EmptyState icon="clock" title="Under way">
      <p aria-live="polite">{run.headline}</p>
      <VerdictBar counts={run.counts} />
    </EmptyState>
  );
}

interface LoadedRecord {
  readonly draw?: () => JSX.Element;
  readonly problem?: string;
}

function useRecord(id: string, isRunning: boolean): LoadedRecord {
  const [loaded, setLoaded] = useState<LoadedRecord>({});
  useEffect(() => {
    if (isRunning) return undefined;
    let isWanted = true;
    // What draws a run is loaded with the first one that is looked at.
    Promise.all([getRun(id), import('./run-parts.tsx')]).then(
      ([record, { RunParts }]) => isWanted && setLoaded({ draw: () => <RunParts record={record as RunRecord} /> }),
      (error: unknown) => isWanted && setLoaded({ problem: (error as Error).message }),
    );
    return () => {
      isWanted = false;
    };
  }, [id, isRunning]);
  return loaded;
}
