/**
 * Runs: what was checked and played, newest first, a way to start one, and beside the list the run that
 * is open.
 */

import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';

import { useShortcuts } from '../keyboard/shortcuts.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { useCursor } from '../parts/use-cursor.ts';
import { goTo, useRoute } from '../routing/navigation.ts';
import { loadRuns, runs } from '../state/runs-store.ts';
import { useStore } from '../state/store.ts';
import { OpenRun } from './open-run.tsx';
import { RunRow } from './run-row.tsx';
import { StartRun } from './start-run.tsx';

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
