/**
 * Job row: a line of the list: the first sheet, what it is, how it stands.
 */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { JobSummary } from '../../record/control-types.ts';
import { paperToCome } from '../../record/paper-words.ts';
import { titleInWords } from '../../record/title-words.ts';
import { pictureOf } from '../api/workbench.ts';
import { after } from '../browser/timing.ts';
import { count, formatAge, formatDateTime } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { StateChip } from '../parts/state-chip.tsx';
import { Link } from '../routing/link.tsx';
import { useWorkbenchNow } from '../state/workbench-store.ts';

interface JobRowProps {
  readonly job: JobSummary;
  readonly q: string;
  readonly isOpen: boolean;
  readonly isAtCursor: boolean;
}

export function JobRow({ job, q, isOpen, isAtCursor }: JobRowProps): JSX.Element {
  const { id, title, printer, computer, state, createdMs, held, problem } = job;
  const trouble = held === null ? problem : paperToCome(job);
  return (
    <Link
      to={{ page: 'jobs', id: String(id), query: { q } }}
      class={isAtCursor ? 'job-row cursor' : 'job-row'}
      current={isOpen}
    >
      <Thumbnail job={job} />
      <span class="job-title">
        <strong dir="auto">{titleInWords(title)}</strong>
        {trouble === null ? (
          <span class="job-place">
            {printer.name} <span class="hint">on {computer.name}</span>
          </span>
        ) : (
          <span class={held === null ? 'job-place problem' : 'job-place held'}>{trouble}</span>
        )}
      </span>
      <span class="job-sheets">{amountOf(job)}</span>
      <StateChip state={state} />
      <span class="job-id">#{id}</span>
      <Age sinceMs={createdMs} />
    </Link>
  );
}

function amountOf({ raw, sheets, sheetsDue, qty }: JobSummary): string {
  const copies = qty > 1 ? ` · ${qty} ×` : '';
  if (raw) return `raw${copies}`;
  if (sheets < sheetsDue) return `${sheets} of ${count(sheetsDue, 'sheet')}`;
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

/**
 * The first side that came out of a printer, or what stands for it. A picture is asked for
 * once its row has stayed in view for a moment: who scrolls past a thousand jobs asks for none.
 */
const WIDTH_PX = 96;
const IN_VIEW_MS = 120;

type ThumbnailJob = Pick<JobSummary, 'id' | 'sides' | 'raw'>;

function Thumbnail({ job: { id, sides, raw } }: { readonly job: ThumbnailJob }): JSX.Element {
  const [isWanted, setWanted] = useState(false);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => after(IN_VIEW_MS, () => setWanted(true)), []);
  if (sides === 0 || isBroken) {
    return (
      <span class={raw ? 'thumbnail label' : 'thumbnail blank'}>
        <Icon name={raw ? 'label' : 'sheet'} />
      </span>
    );
  }
  return (
    <span class="thumbnail">
      {isWanted && (
        <img src={pictureOf(id, 1, WIDTH_PX)} alt="" decoding="async" loading="lazy" onError={() => setBroken(true)} />
      )}
    </span>
  );
}
