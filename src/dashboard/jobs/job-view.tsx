/**
 * Job view: everything about one job: its sheets first, then how it came about.
 */

import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';

import type { JobDetail } from '../../record/control-types.ts';
import { BackLink } from '../parts/back-link.tsx';
import { CodeBlock } from '../parts/copy-button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatTime } from '../parts/format.ts';
import { Section } from '../parts/section.tsx';
import { StateChip, StatusChip } from '../parts/state-chip.tsx';
import { Link } from '../routing/link.tsx';
import { useRoute } from '../routing/navigation.ts';
import { closeJob, openJob, showJob } from '../state/job-store.ts';
import { useStore } from '../state/store.ts';
import { JobActions } from './job-actions.tsx';
import { JobOptions } from './job-options.tsx';
import { Age } from './job-row.tsx';
import { JobSheets } from './job-sheets.tsx';
import { JobTimeline } from './job-timeline.tsx';

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
  const { id, title, printer, computer, state, createdMs, source, curl, snippet, deliveries } = job;
  return (
    <>
      <header class="detail-head">
        <p class="hint">
          Job {id} · {printer.name} on {computer.name}
          {source !== null && ` · from ${source}`}
        </p>
        <h2>{title ?? 'Untitled'}</h2>
        <p class="facts">
          <StateChip state={state} />
          <Age sinceMs={createdMs} />
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
