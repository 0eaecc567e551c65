/**
 * Requests: those that the service got, and one of them in full.
 */

import type { JSX } from 'preact';

import { formatDuration } from '../../common/duration.ts';
import type { TrafficEntry } from '../../record/control-types.ts';
import { clearRequests } from '../api/workbench.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatTime } from '../parts/format.ts';
import { Section } from '../parts/section.tsx';
import { StatusChip } from '../parts/state-chip.tsx';
import { useRoute } from '../routing/navigation.ts';
import { attempt } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { loadTraffic, traffic } from '../state/traffic-store.ts';
import { workbench } from '../state/workbench-store.ts';
import { EntryList, OpenEntry } from './entry-list.tsx';
import { harOf } from './har.ts';
import { requestMatches } from './matches.ts';
import { BodyBlock, HeadersTable } from './message.tsx';

export function RequestList(): JSX.Element {
  const { requests } = useStore(traffic);
  return (
    <EntryList name="Requests" noun="request" entries={requests} matches={requestMatches} draw={drawRow}>
      <EmptyState icon="arrow" title="No requests yet">
        <p>Every request to the service appears here as it is answered, with its headers and bodies.</p>
      </EmptyState>
    </EntryList>
  );
}

/** What can be done with all of them. */
export function RequestActions(): JSX.Element | null {
  const { requests } = useStore(traffic);
  const { info } = useStore(workbench);
  const { query } = useRoute();
  if (requests.length === 0 || !info) return null;
  const filter = query['q'] ?? '';
  const shown = requests.filter((entry) => filter === '' || requestMatches(entry, filter));
  return (
    <>
      <button
        type="button"
        title="The requests shown, as an HTTP archive"
        onClick={() => download('platen.har', JSON.stringify(harOf(shown, info.url, info.version)))}
      >
        HAR
      </button>
      <ConfirmButton name="Clear the requests" question="Forget them?" onConfirm={() => void clear()}>
        Clear
      </ConfirmButton>
    </>
  );
}

async function clear(): Promise<void> {
  if (await attempt(clearRequests())) await loadTraffic();
}

function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function drawRow({ timeMs, method, path, status, durationMs }: TrafficEntry): JSX.Element {
  return (
    <>
      <time class="hint">{formatTime(timeMs)}</time>
      <span class="method">{method}</span>
      <span class="grow path">{path}</span>
      <span class="hint duration">{formatDuration(durationMs)}</span>
      <StatusChip status={status} />
    </>
  );
}

export function RequestDetail(): JSX.Element {
  const { requests } = useStore(traffic);
  return <OpenEntry name="Request" noun="request" entries={requests} draw={drawRequest} />;
}

function drawRequest(entry: TrafficEntry): JSX.Element {
  const { method, path, status, requestId, timeMs, durationMs, accountId, curl } = entry;
  return (
    <>
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
        <BodyBlock body={entry.requestBody} isKept={entry.requestHeaders !== null} what="the request body" />
        <HeadersTable headers={entry.requestHeaders} />
      </Section>
      <Section title="Answer">
        <BodyBlock body={entry.responseBody} isKept={entry.responseHeaders !== null} what="the answer" />
        <HeadersTable headers={entry.responseHeaders} />
      </Section>
    </>
  );
}
