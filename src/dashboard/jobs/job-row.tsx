/**
 * Job row: a line of the list: the first sheet, what it is, how it stands.
 */

import type { JSX } from 'preact';

import type { JobSummary } from '../../record/control-types.ts';
import { count, formatAge, formatDateTime } from '../parts/format.ts';
import { StateChip } from '../parts/state-chip.tsx';
import { Link } from '../routing/link.tsx';
import { useWorkbenchNow } from '../state/workbench-store.ts';
import { Thumbnail } from './thumbnail.tsx';

interface JobRowProps {
  readonly job: JobSummary;
  readonly q: string;
  readonly isOpen: boolean;
  readonly isAtCursor: boolean;
}

export function JobRow({ job, q, isOpen, isAtCursor }: JobRowProps): JSX.Element {
  const { id, title, printer, computer, state, createdMs } = job;
  return (
    <Link
      to={{ page: 'jobs', id: String(id), query: { q } }}
      class={isAtCursor ? 'job-row cursor' : 'job-row'}
      current={isOpen}
    >
      <Thumbnail job={job} />
      <span class="job-title">
        <strong>{title ?? 'Untitled'}</strong>
        <span class="job-place">
          {printer.name} <span class="hint">on {computer.name}</span>
        </span>
      </span>
      <span class="job-sheets">{amountOf(job)}</span>
      <StateChip state={state} />
      <span class="job-id">#{id}</span>
      <Age sinceMs={createdMs} />
    </Link>
  );
}

function amountOf({ raw, sheets, qty }: JobSummary): string {
  const copies = qty > 1 ? ` · ${qty} ×` : '';
  if (raw) return `raw${copies}`;
  return sheets === 0 ? '' : `${count(sheets, 'sheet')}${copies}`;
}

/** How long ago something was, on the clock of the workbench. */
export function Age({ sinceMs }: { readonly sinceMs: number }): JSX.Element {
  const nowMs = useWorkbenchNow();
  return (
    <time class="age" dateTime={new Date(sinceMs).toISOString()} title={`${formatDateTime(sinceMs)} UTC`}>
      {formatAge(Math.max(0, nowMs - sinceMs))}
    </time>
  );
}
