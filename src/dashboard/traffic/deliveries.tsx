/**
 * Deliveries: requests that the service made to webhooks, newest first, and one of them in full: when
 * it was due, what was answered, and what follows from that.
 */

import type { JSX } from 'preact';
import { useCallback, useMemo } from 'preact/hooks';

import { formatDuration } from '../../common/duration.ts';
import type { DeliveryEntry } from '../../record/control-types.ts';
import { redeliver } from '../api/workbench.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatDateTime, formatTime } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Section } from '../parts/section.tsx';
import { StateChip } from '../parts/state-chip.tsx';
import { StatusChip } from '../parts/status-chip.tsx';
import { useCursor } from '../parts/use-cursor.ts';
import { VirtualList } from '../parts/virtual-list.tsx';
import { Link } from '../routing/link.tsx';
import { changeQuery, useRoute } from '../routing/navigation.ts';
import { attempt, notify } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { traffic } from '../state/traffic-store.ts';
import { BodyBlock } from './body-block.tsx';
import { CloseEntry } from './close-entry.tsx';
import { eventWords } from './event-words.ts';
import { HeadersTable } from './headers-table.tsx';
import { deliveryMatches } from './matches.ts';

const ROW_HEIGHT_PX = 40;

export function DeliveryList(): JSX.Element {
  const { query } = useRoute();
  const { deliveries } = useStore(traffic);
  const filter = query['q'] ?? '';
  const openId = Number(query['id'] ?? 0);
  const shown = useMemo(
    () => (filter === '' ? deliveries : deliveries.filter((entry) => deliveryMatches(entry, filter))),
    [deliveries, filter],
  );
  const cursor = useCursor({
    length: shown.length,
    openIndex: shown.findIndex(({ id }) => id === openId),
    open: (index, options) => changeQuery({ id: String(shown[index]?.id ?? '') }, options),
  });
  const renderRow = useCallback(
    (entry: DeliveryEntry, index: number) => (
      <DeliveryRow entry={entry} isOpen={entry.id === openId} isAtCursor={index === cursor} />
    ),
    [openId, cursor],
  );
  if (deliveries.length === 0) {
    return (
      <EmptyState icon="arrow" title="No webhook request has been made">
        <p>
          Register one with <code>POST /webhook</code>; what is sent to it appears here, with every attempt.
        </p>
      </EmptyState>
    );
  }
  if (shown.length === 0) return <EmptyState icon="search" title="No delivery has these words" />;
  return (
    <VirtualList
      name="Deliveries"
      items={shown}
      rowHeightPx={ROW_HEIGHT_PX}
      keyOf={idOf}
      renderRow={renderRow}
      cursor={cursor}
    />
  );
}

interface DeliveryRowProps {
  readonly entry: DeliveryEntry;
  readonly isOpen: boolean;
  readonly isAtCursor: boolean;
}

function DeliveryRow({ entry, isOpen, isAtCursor }: DeliveryRowProps): JSX.Element {
  const { query } = useRoute();
  const { id, sentMs, url, events, attempt: number, status, outcome } = entry;
  return (
    <Link
      to={{ page: 'traffic', query: { ...query, id: String(id) } }}
      class={isAtCursor ? 'traffic-row cursor' : 'traffic-row'}
      current={isOpen}
    >
      <time class="hint">{formatTime(sentMs)}</time>
      <span class="event-words">{eventWords(events)}</span>
      <span class="grow path hint">{url}</span>
      <span class="hint duration">attempt {number}</span>
      <StatusChip status={status} />
      <StateChip state={outcome} />
    </Link>
  );
}

export function DeliveryDetail(): JSX.Element {
  const { query } = useRoute();
  const { deliveries, isLoaded } = useStore(traffic);
  const entry = deliveries.find(({ id }) => id === Number(query['id']));
  return (
    <article class="detail" aria-label="Delivery">
      <CloseEntry />
      {entry && <DeliveryBody entry={entry} />}
      {!entry && isLoaded && <EmptyState icon="warning" title="This delivery is not kept any more" />}
    </article>
  );
}

function DeliveryBody({ entry }: { readonly entry: DeliveryEntry }): JSX.Element {
  const { id, webhookId, url, status, error, outcome, okHeader, repeats } = entry;
  const sendAgain = async (): Promise<void> => {
    const sent = await attempt(redeliver(id).then(() => true));
    if (sent === true) notify('done', 'Sent once more: see the newest delivery');
  };
  return (
    <>
      <header class="detail-head">
        <p class="hint">
          Delivery {id} of webhook {webhookId}
          {repeats !== null && ` · repeats delivery ${repeats} by hand`}
        </p>
        <h2>{eventWords(entry.events)}</h2>
        <p class="mono">{url}</p>
        <p class="facts">
          <StatusChip status={status} />
          <StateChip state={outcome} />
        </p>
        <div class="actions">
          <button type="button" class="primary" onClick={() => void sendAgain()}>
            <Icon name="again" />
            Redeliver
          </button>
        </div>
      </header>
      <Section title="Attempt">
        <Attempts entry={entry} />
        {error !== null && <p class="failure">{error}</p>}
        {status !== null && !okHeader && (
          <p class="failure">The answer lacks the status header, so the service counts it as failed.</p>
        )}
      </Section>
      <Section title="Events">
        <BodyBlock body={entry.requestBody} what="the events" />
      </Section>
      <Section title="Headers of the answer">
        <HeadersTable headers={entry.responseHeaders} />
      </Section>
    </>
  );
}

function Attempts({ entry }: { readonly entry: DeliveryEntry }): JSX.Element {
  const { attempt: number, dueMs, sentMs, endedMs, next } = entry;
  return (
    <dl class="headers">
      <div>
        <dt>attempt</dt>
        <dd>{number}</dd>
      </div>
      <div>
        <dt>due</dt>
        <dd>{formatDateTime(dueMs)}</dd>
      </div>
      <div>
        <dt>sent</dt>
        <dd>
          {formatDateTime(sentMs)}{' '}
          <span class="hint">{formatDuration(Math.max(0, sentMs - dueMs))} after it was due</span>
        </dd>
      </div>
      <div>
        <dt>ended</dt>
        <dd>
          {formatDateTime(endedMs)}{' '}
          <span class="hint">took {formatDuration(Math.max(0, endedMs - sentMs))}</span>
        </dd>
      </div>
      <div>
        <dt>next attempt</dt>
        <dd>{next === null ? 'none' : `due ${formatDateTime(next.dueMs)}`}</dd>
      </div>
    </dl>
  );
}

const idOf = ({ id }: DeliveryEntry): number => id;
