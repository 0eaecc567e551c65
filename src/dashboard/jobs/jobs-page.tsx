/**
 * Jobs: the list, newest first, and beside it the job that is open.
 */

import type { JSX } from 'preact';
import { useCallback, useEffect } from 'preact/hooks';

import type { JobSummary } from '../../record/control-types.ts';
import { print } from '../api/service.ts';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { CodeBlock } from '../parts/copy-button.tsx';
import { EmptyState, NotLoaded } from '../parts/empty-state.tsx';
import { count } from '../parts/format.ts';
import { SearchBox } from '../parts/search-box.tsx';
import { useCursor } from '../parts/use-cursor.ts';
import { VirtualList } from '../parts/virtual-list.tsx';
import { Link } from '../routing/link.tsx';
import { goTo, useRoute } from '../routing/navigation.ts';
import { jobs, loadJobs, loadOlderJobs, showJobs, type JobsState } from '../state/jobs-store.ts';
import { attempt } from '../state/notices.ts';
import { loadRoom, room } from '../state/room-store.ts';
import { useStore } from '../state/store.ts';
import { workbench } from '../state/workbench-store.ts';
import { JobFilters } from './job-filters.tsx';
import { JobRow } from './job-row.tsx';
import { JobView } from './job-view.tsx';
import { PrintFile } from './print-file.tsx';
import { testPage } from './test-page.ts';

const ROW_HEIGHT_PX = 72;

export function JobsPage(): JSX.Element {
  const { id, query } = useRoute();
  const q = query['q'] ?? '';
  const state = useStore(jobs);
  const openId = /^\d+$/.test(id) ? Number(id) : undefined;
  useEffect(() => showJobs(q), [q]);
  useShortcuts({
    Escape: () => {
      if (openId !== undefined) goTo({ page: 'jobs', query: { q } });
    },
  });
  return (
    <div class={openId === undefined ? 'split' : 'split open'}>
      <div class="list-side">
        <div class="list-head">
          <SearchBox name="Search jobs" placeholder="Title, or printer: state: title: text:" />
          <PrintFile />
          <span class="hint">{state.status === 'ready' && shownCount(state)}</span>
          <JobFilters state={state} />
        </div>
        <JobList state={state} openId={openId} />
      </div>
      {openId !== undefined && <JobView key={openId} id={openId} />}
    </div>
  );
}

function JobList({ state, openId }: { readonly state: JobsState; readonly openId: number | undefined }): JSX.Element {
  const { q, jobs: list, status, problem } = state;
  const cursor = useCursor({
    length: list.length,
    openIndex: openId === undefined ? -1 : list.findIndex((job) => job.id === openId),
    open: (index, options) => {
      const job = list[index];
      if (job) goTo({ page: 'jobs', id: String(job.id), query: { q } }, options);
    },
  });
  const renderRow = useCallback(
    (job: JobSummary, index: number) => (
      <JobRow job={job} q={q} isOpen={job.id === openId} isAtCursor={index === cursor} />
    ),
    [q, openId, cursor],
  );
  if (status !== 'ready') return <div class="virtual" />;
  if (problem !== undefined && q === '')
    return <NotLoaded what="The jobs" why={problem} onRetry={() => void loadJobs()} />;
  if (problem !== undefined)
    return (
      <EmptyState icon="warning" title="This search failed">
        {problem}
      </EmptyState>
    );
  if (list.length === 0 && q === '') return <FirstPrint />;
  if (list.length === 0) return <NothingFound q={q} />;
  return (
    <VirtualList
      name="Jobs"
      items={list}
      rowHeightPx={ROW_HEIGHT_PX}
      keyOf={idOf}
      renderRow={renderRow}
      cursor={cursor}
      onNearEnd={loadOlder}
    />
  );
}

function NothingFound({ q }: { readonly q: string }): JSX.Element {
  return (
    <EmptyState icon="search" title="No job matches">
      <p>
        Nothing matches <code>{q}</code>. Words are looked for in titles; <code>printer:laser</code>,{' '}
        <code>state:error</code>, <code>title:"two words"</code> and <code>text:total</code> look elsewhere.
      </p>
      <button type="button" onClick={() => goTo({ page: 'jobs' })}>
        Show all jobs
      </button>
    </EmptyState>
  );
}

function shownCount({ jobs: list, more }: JobsState): string {
  return more ? `the newest ${list.length.toLocaleString('en')}` : count(list.length, 'job');
}

const idOf = ({ id }: JobSummary): number => id;
const loadOlder = (): void => void loadOlderJobs();

/** What to do while there are no jobs: a line for the terminal, and a button. */
function FirstPrint(): JSX.Element {
  const { info, apiKey = 'YOUR-KEY' } = useStore(workbench);
  const { computers, status } = useStore(room);
  const isLoaded = status === 'ready';
  useEffect(() => {
    if (!isLoaded) void loadRoom();
  }, [isLoaded]);
  const printers = computers.flatMap((computer) => computer.printers);
  if (isLoaded && printers.length === 0) return <NoPrinter />;
  const printer = printers.find(({ id }) => id !== undefined);
  const printerId = printer?.id ?? 1;
  const hello = testPage('Hello from platen');
  const printTestPage = (): void => void attempt(print({ printerId, title: 'Test page', ...hello }, apiKey));
  return (
    <EmptyState icon="printer" title="Nothing has been printed yet">
      <p>Print a document from a terminal, or from your program, and its sheets appear here:</p>
      <CodeBlock code={curlLine(info?.url ?? location.origin, apiKey, printerId, hello)} what="the curl line" />
      {printer && (
        <button type="button" class="primary" onClick={printTestPage}>
          Print a test page on {printer.name}
        </button>
      )}
    </EmptyState>
  );
}

function NoPrinter(): JSX.Element {
  return (
    <EmptyState icon="printer" title="There is no printer yet">
      <p>
        Add a computer and a printer in the <Link to={{ page: 'room' }}>room</Link>; what is printed there appears here.
      </p>
    </EmptyState>
  );
}

function curlLine(url: string, apiKey: string, printerId: number, hello: object): string {
  const body = JSON.stringify({ printerId, title: 'Hello', contentType: 'pdf_base64', ...hello });
  return `curl -u ${apiKey}: ${url}/printjobs -H 'Content-Type: application/json' -d '${body}'`;
}
