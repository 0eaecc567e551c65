/**
 * Requests: those that the service got, newest first, and one of them in full.
 */

import type { JSX } from 'preact';
import { useCallback, useMemo } from 'preact/hooks';

import { formatDuration } from '../../common/duration.ts';
import type { TrafficEntry } from '../../record/control-types.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatTime } from '../parts/format.ts';
import { Section } from '../parts/section.tsx';
import { StatusChip } from '../parts/status-chip.tsx';
import { useCursor } from '../parts/use-cursor.ts';
import { VirtualList } from '../parts/virtual-list.tsx';
import { Link } from '../routing/link.tsx';
import { changeQuery, useRoute } from '../routing/navigation.ts';
import { useStore } from '../state/store.ts';
import { traffic } from '../state/traffic-store.ts';
import { BodyBlock } from './body-block.tsx';
import { CloseEntry } from './close-entry.tsx';
import { HeadersTable } from './headers-table.tsx';
import { requestMatches } from './matches.ts';

const ROW_HEIGHT_PX = 40;

export function RequestList(): JSX.Element {
  const { query } = useRoute();
  const { requests } = useStore(traffic);
  const filter = query['q'] ?? '';
  const openId = Number(query['id'] ?? 0);
  const shown = useMemo(
    () => (filter === '' ? requests : requests.filter((entry) => requestMatches(entry, filter))),
    [requests, filter],
  );
  const cursor = useCursor({
    length: shown.length,
    openIndex: shown.findIndex(({ id }) => id === openId),
    open: (index, options) => changeQuery({ id: String(shown[index]?.id ?? '') }, options),
  });
  const renderRow = useCallback(
    (entry: TrafficEntry, index: number) => (
      <RequestRow entry={entry} isOpen={entry.id === openId} isAtCursor={index === cursor} />
    ),
    [openId, cursor],
  );
  if (requests.length === 0) {
    return (
      <EmptyState icon="arrow" title="No request yet">
        <p>Every request to the service appears here as it is answered, with its headers and bodies.</p>
      </EmptyState>
    );
  }
  if (shown.length === 0) return <EmptyState icon="search" title="No request has these words" />;
  return (
    <VirtualList
      name="Requests"
      items={shown}
      rowHeightPx={ROW_HEIGHT_PX}
      keyOf={idOf}
      renderRow={renderRow}
      cursor={cursor}
    />
  );
}

interface RequestRowProps {
  readonly entry: TrafficEntry;
  readonly isOpen: boolean;
  readonly isAtCursor: boolean;
}

function RequestRow({ entry, isOpen, isAtCursor }: RequestRowProps): JSX.Element {
  const { query } = useRoute();
  const { id, timeMs, method, path, status, durationMs } = entry;
  return (
    <Link
      to={{ page: 'traffic', query: { ...query, id: String(id) } }}
      class={isAtCursor ? 'traffic-row cursor' : 'traffic-row'}
      current={isOpen}
    >
      <time class="hint">{formatTime(timeMs)}</time>
      <span class="method">{method}</span>
      <span class="grow path">{path}</span>
      <span class="hint duration">{formatDuration(durationMs)}</span>
      <StatusChip status={status} />
    </Link>
  );
}

export function RequestDetail(): JSX.Element {
  const { query } = useRoute();
  const { requests, isLoaded } = useStore(traffic);
  const entry = requests.find(({ id }) => id === Number(query['id']));
  if (!entry) {
    return (
      <article class="detail" aria-label="Request">
        <CloseEntry />
        {isLoaded && <EmptyState icon="warning" title="This request is not kept any more" />}
      </article>
    );
  }
  const { method, path, status, requestId, timeMs, durationMs, accountId, curl } = entry;
  return (
    <article class="detail" aria-label="Request">
      <CloseEntry />
      <header class="detail-head">
        <p class="hint">
          Request {requestId} · {formatTime(timeMs)} · {formatDuration(durationMs)}
          {accountId !== null && ` · account ${accountId}`}
        </p>
        <h2 class="mono">
          {method} {path}
        </h2>
        <p class="facts">
          <StatusChip status={status} />
          {curl !== null && <CopyButton text={curl} what="the request as curl" label="curl" />}
        </p>
      </header>
      <Section title="Request">
        <BodyBlock body={entry.requestBody} what="the request body" />
        <HeadersTable headers={entry.requestHeaders} />
      </Section>
      <Section title="Answer">
        <BodyBlock body={entry.responseBody} what="the answer" />
        <HeadersTable headers={entry.responseHeaders} />
      </Section>
    </article>
  );
}

const idOf = ({ id }: TrafficEntry): number => id;
