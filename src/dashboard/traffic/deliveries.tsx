/**
 * Deliveries: requests that the service made to webhooks, and one of them in full: when it was due, what was answered,
 * and what follows from that.
 */

import type { JSX } from 'preact';

import { formatDuration } from '../../common/duration.ts';
import type { DeliveryEntry } from '../../record/control-types.ts';
import { redeliver } from '../api/workbench.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatDateTime, formatTime } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Section } from '../parts/section.tsx';
import { StateChip, StatusChip } from '../parts/state-chip.tsx';
import { attempt, notify } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { traffic } from '../state/traffic-store.ts';
import { EntryList, OpenEntry } from './entry-list.tsx';
import { deliveryMatches } from './matches.ts';
import { BodyBlock, HeadersTable } from './message.tsx';

export function DeliveryList(): JSX.Element {
  const { deliveries } = useStore(traffic);
  return (
    <EntryList name="Deliveries" noun="delivery" entries={deliveries} matches={deliveryMatches} draw={drawRow}>
      <EmptyState icon="arrow" title="No deliveries yet">
        <p>
          Register a webhook with <code>POST /webhook</code>; what is sent to it appears here, with every attempt.
        </p>
      </EmptyState>
    </EntryList>
  );
}

function drawRow({ sentMs, url, events, attempt: number, status, outcome }: DeliveryEntry): JSX.Element {
  return (
    <>
      <time class="hint">{formatTime(sentMs)}</time>
      <span class="event-words">{eventWords(events)}</span>
      <span class="grow path hint">{url}</span>
      <span class="hint duration">attempt {number}</span>
      <StatusChip status={status} />
      <StateChip state={outcome} />
    </>
  );
}

export function DeliveryDetail(): JSX.Element {
  const { deliveries } = useStore(traffic);
  return <OpenEntry name="Delivery" noun="delivery" entries={deliveries} draw={drawDelivery} />;
}

function drawDelivery(entry: DeliveryEntry): JSX.Element {
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
        <BodyBlock isKept body={entry.requestBody} what="the events" />
      </Section>
      <Section title="Headers of the answer">
        <HeadersTable headers={entry.responseHeaders} />
      </Section>
    </>
  );
}

function Attempts({ entry }: { readonly entry: DeliveryEntry }): JSX.Element {
  const { attempt: number, dueMs, sentMs, endedMs, next } = entry;
  const late = `${formatDuration(Math.max(0, sentMs - dueMs))} after it was due`;
  const lines: readonly (readonly [name: string, value: string | number, hint?: string])[] = [
    ['attempt', number],
    ['due', formatDateTime(dueMs)],
    ['sent', formatDateTime(sentMs), late],
    ['ended', formatDateTime(endedMs), `took ${formatDuration(Math.max(0, endedMs - sentMs))}`],
    ['next attempt', next === null ? 'none' : `due ${formatDateTime(next.dueMs)}`],
  ];
  return (
    <dl class="headers">
      {lines.map(([name, value, hint]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value} {hint !== undefined && <span class="hint">{hint}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * An event of a webhook, in a few words. Events of a type that the page does not know are
 * called by that.
 */
type WorkbenchEvent = DeliveryEntry['events'][number];

/** `job 9: done`; of several the first, and how many more there are. */
function eventWords(events: readonly WorkbenchEvent[]): string {
  const [first] = events;
  if (!first) return 'no event';
  const more = events.length > 1 ? ` and ${events.length - 1} more` : '';
  return `${wordsOf(first)}${more}`;
}

function wordsOf({ type, data }: WorkbenchEvent): string {
  const { printJobId, state } = (data ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof printJobId === 'number' && typeof state === 'string') {
    return `job ${printJobId}: ${state.replaceAll('_', ' ')}`;
  }
  const subject = typeof type === 'string' ? type : 'event';
  return typeof state === 'string' ? `${subject}: ${state}` : subject;
}
