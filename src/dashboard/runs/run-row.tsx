/**
 * Run row: a line of the list: what was run, when, and its result.
 */

import type { JSX } from 'preact';

import type { RunSummaryView } from '../../record/control-types.ts';
import { StateChip } from '../parts/state-chip.tsx';
import { Link } from '../routing/link.tsx';
import { VerdictBar } from './verdict-bar.tsx';

interface RunRowProps {
  readonly run: RunSummaryView;
  readonly isOpen: boolean;
  readonly isAtCursor: boolean;
}

export function RunRow({ run, isOpen, isAtCursor }: RunRowProps): JSX.Element {
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
export function ResultChip({ run: { exitCode, running } }: ResultChipProps): JSX.Element {
  if (running || exitCode === null) return <StateChip state="running" />;
  if (exitCode === 0) return <StateChip state="pass" text="passed" />;
  if (exitCode === 1) return <StateChip state="fail" text="failed" />;
  return <StateChip state="inconclusive" text={exitCode === 2 ? 'incomplete' : `exit code ${exitCode}`} />;
}
