/**
 * Job deliveries: the webhook requests about a job.
 */

import type { JSX } from 'preact';

import type { DeliveryEntry } from '../../record/control-types.ts';
import { formatTime } from '../parts/format.ts';
import { StateChip } from '../parts/state-chip.tsx';
import { StatusChip } from '../parts/status-chip.tsx';
import { Link } from '../routing/link.tsx';

export function JobDeliveries({
  deliveries,
}: {
  readonly deliveries: readonly DeliveryEntry[];
}): JSX.Element {
  return (
    <ul class="lines">
      {deliveries.map(({ id, url, attempt, status, sentMs, outcome }) => (
        <li key={id}>
          <Link to={{ page: 'traffic', query: { show: 'deliveries', id: String(id) } }}>
            <time class="hint">{formatTime(sentMs)}</time>
            <span class="grow">{url}</span>
            <span class="hint">attempt {attempt}</span>
            <StatusChip status={status} />
            <StateChip state={outcome} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
