/**
 * Job view: everything about one job: its sheets first, then how it came about.
 */

import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';

import { formatDuration } from '../../common/duration.ts';
import { formatBytes } from '../../common/format-bytes.ts';
import type { JobDetail, OptionsView, TimelineEntry } from '../../record/control-types.ts';
import { titleInWords } from '../../record/title-words.ts';
import { deleteJob, documentOf, printAgain, sheetsPdfOf } from '../api/workbench.ts';
import { BackLink } from '../parts/back-link.tsx';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { CodeBlock, CopyButton } from '../parts/copy-button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatDateTime, formatTime } from '../parts/format.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Section } from '../parts/section.tsx';
import { StateChip, StatusChip } from '../parts/state-chip.tsx';
import { Link } from '../routing/link.tsx';
import { goTo, useRoute } from '../routing/navigation.ts';
import { closeJob, openJob, showJob } from '../state/job-store.ts';
import { attempt, notify } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { Age } from './job-row.tsx';
import { isOfEarlierStart } from './earlier-start.ts';
import { JobSheets } from './job-sheets.tsx';

export function JobView({ id }: { readonly id: number }): JSX.Element {
  const { query } = useRoute();
  const { job, problem } = useStore(openJob);
  useEffect(() => {
    showJob(id);
    return () => closeJob(id);
  }, [id]);
  return (
    <article class="detail" aria-label={`Job ${id}`}>
      <BackLink to={{ page: 'jobs', query: { q: query['q'] } }} />
      {problem !== undefined && <EmptyState icon="warning" title={problem} />}
      {job?.id === id && <JobBody job={job} />}
    </article>
  );
}

function JobBody({ job }: { readonly job: JobDetail }): JSX.Element {
  const { id, title, printer, computer, state, createdMs, source, curl, snippet, deliveries, problem } = job;
  return (
    <>
      <header class="detail-head">
        <p class="hint">
          Job {id} · {printer.name} on {computer.name}
          {source !== null && ` · from ${source}`}
        </p>
        <h2 dir="auto">{titleInWords(title)}</h2>
        <p class="facts">
          <StateChip state={state} />
          <Age sinceMs={createdMs} />
          {problem !== null && <span class="problem">{problem}</span>}
        </p>
        <JobActions job={job} />
      </header>
      <JobSheets job={job} />
      <div class="two-columns">
        <Section title="Timeline">
          <JobTimeline timeline={job.timeline} />
        </Section>
        <Section title="Options">
          <JobOptions options={job.options} />
        </Section>
      </div>
      {deliveries.length > 0 && (
        <Section title="Webhooks it caused">
          <JobDeliveries deliveries={deliveries} />
        </Section>
      )}
      <Section title="The request, as curl">
        <CodeBlock code={curl} what="the curl command" />
      </Section>
      <Section title="A test that expects it">
        <CodeBlock code={snippet} what="the vitest test" />
      </Section>
    </>
  );
}

/** The webhook requests about a job. */
function JobDeliveries({ deliveries }: Pick<JobDetail, 'deliveries'>): JSX.Element {
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

/** What was asked for beside what was done, and why where they differ. */
function JobOptions({ options }: { readonly options: OptionsView }): JSX.Element {
  const { asked, applied, ignored } = options;
  const names = [...new Set([...Object.keys(asked), ...Object.keys(applied)])];
  if (names.length === 0) return <p class="hint">None asked for; the printer's own settings held.</p>;
  return (
    <table class="options">
      <thead>
        <tr>
          <th scope="col">Option</th>
          <th scope="col">Asked</th>
          <th scope="col">Applied</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name} class={ignored[name] === undefined ? '' : 'ignored'}>
            <th scope="row">{name}</th>
            <td>{shown(asked[name])}</td>
            <td>
              {shown(applied[name])}
              {ignored[name] !== undefined && <span class="reason">{ignored[name]}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function shown(value: unknown): string {
  if (value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function JobActions({ job }: { readonly job: JobDetail }): JSX.Element {
  const { id, document, sides, curl, snippet } = job;
  const again = async (): Promise<void> => {
    const printed = await attempt(printAgain(id));
    if (!printed) return;
    notify('done', `Job ${printed.id} prints the document of job ${id} again`);
    goTo({ page: 'jobs', id: String(printed.id) });
  };
  const { query } = useRoute();
  const remove = async (): Promise<void> => {
    // It is closed first: what is open would be asked for again.
    goTo({ page: 'jobs', query: { q: query['q'] } });
    if (await attempt(deleteJob(id))) notify('done', `Job ${id} was deleted`);
  };
  return (
    <div class="actions">
      {!isOfEarlierStart(job) && (
        <button type="button" class="primary" onClick={() => void again()}>
          <Icon name="again" />
          Print again
        </button>
      )}
      {document.available && (
        <a class="button" href={documentOf(id)} download>
          <Icon name="download" />
          Document <span class="hint">{formatBytes(document.bytes)}</span>
        </a>
      )}
      {sides > 0 && (
        <a class="button" href={sheetsPdfOf(id)} target="_blank" rel="noreferrer">
          <Icon name="sheet" />
          Sheets as PDF
        </a>
      )}
      <CopyButton text={curl} what="the request as curl" label="curl" />
      <CopyButton text={snippet} what="a vitest test" label="vitest" />
      <ConfirmButton name={`Delete job ${id}`} question="Delete it?" onConfirm={() => void remove()}>
        <Icon name="trash" />
        Delete
      </ConfirmButton>
    </div>
  );
}

/** What happened to a job and when, counted from its creation. */
const MARKS: Readonly<Record<TimelineEntry['what'], IconName>> = {
  state: 'check',
  link: 'computer',
  paper: 'sheet',
  webhook: 'arrow',
};

function JobTimeline({ timeline }: { readonly timeline: readonly TimelineEntry[] }): JSX.Element {
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
