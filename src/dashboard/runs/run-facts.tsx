/**
 * Run facts: what was run against what, when and how long, and with which seed.
 */

import type { JSX } from 'preact';

import { formatSpan } from '../parts/format.ts';
import { ResultChip } from './run-row.tsx';
import { VerdictBar } from './verdict-bar.tsx';

interface RunFactsProps {
  readonly title: string;
  readonly runId: string;
  readonly target: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly seed: number | string | null;
  readonly exitCode: number;
  readonly counts: Readonly<Record<string, number>>;
}

export function RunFacts(props: RunFactsProps): JSX.Element {
  const { title, runId, target, startedAt, durationMs, seed, exitCode, counts } = props;
  return (
    <header class="detail-head">
      <p class="hint">
        {runId} · {target}
      </p>
      <h2>{title}</h2>
      <p class="facts">
        <ResultChip run={{ exitCode, running: false }} />
        <span class="hint">
          {startedAt.slice(0, 19).replace('T', ' ')} · {formatSpan(durationMs)}
          {seed !== null && ` · seed ${seed}`}
        </span>
      </p>
      <VerdictBar counts={counts} />
    </header>
  );
}
