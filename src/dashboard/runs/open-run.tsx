/**
 * Open run: one run, from its record. The record is there once the run has ended.
 */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { RunSummaryView } from '../../record/control-types.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { getRun } from '../api/workbench.ts';
import { BackLink } from '../parts/back-link.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Safe } from '../parts/safe.tsx';
import { VerdictBar } from './verdict-bar.tsx';

interface OpenRunProps {
  readonly id: string;
  readonly summary: RunSummaryView | undefined;
}

export function OpenRun({ id, summary }: OpenRunProps): JSX.Element {
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
