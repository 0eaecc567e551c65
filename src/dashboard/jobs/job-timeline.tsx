/**
 * Job timeline: what happened to a job and when, counted from its creation.
 */

import type { JSX } from 'preact';

import { formatDuration } from '../../common/duration.ts';
import type { TimelineEntry } from '../../record/control-types.ts';
import { formatDateTime } from '../parts/format.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { StateChip } from '../parts/state-chip.tsx';

const MARKS: Readonly<Record<TimelineEntry['what'], IconName>> = {
  state: 'check',
  link: 'computer',
  paper: 'sheet',
  webhook: 'arrow',
};

export function JobTimeline({ timeline }: { readonly timeline: readonly TimelineEntry[] }): JSX.Element {
  return (
    <ol class="timeline">
      {timeline.map((entry, index) => (
        <TimelineLine key={index} entry={entry} />
      ))}
    </ol>
  );
}

function TimelineLine({ entry }: { readonly entry: TimelineEntry }): JSX.Element {
  const { atMs, ageMs, what, state, message, client } = entry;
  return (
    <li class={what}>
      <time title={`${formatDateTime(atMs)} UTC`} dateTime={new Date(atMs).toISOString()}>
        +{formatDuration(Math.max(0, ageMs))}
      </time>
      <span>
        {state === undefined ? (
          <span class="mark">
            <Icon name={MARKS[what]} />
            {what}
          </span>
        ) : (
          <StateChip state={state} />
        )}{' '}
        {message}
        {client !== undefined && <span class="hint"> · client {client}</span>}
      </span>
    </li>
  );
}
