/**
 * Job actions: what can be done with a job.
 */

import type { JSX } from 'preact';

import type { JobDetail } from '../../record/control-types.ts';
import { documentOf, printAgain, sheetsPdfOf } from '../api/workbench.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { formatBytes } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { goTo } from '../routing/navigation.ts';
import { attempt, notify } from '../state/notices.ts';

export function JobActions({ job }: { readonly job: JobDetail }): JSX.Element {
  const { id, document, sides, curl, snippet } = job;
  const again = async (): Promise<void> => {
    const printed = await attempt(printAgain(id));
    if (!printed) return;
    notify('done', `Job ${printed.id} prints the document of job ${id} again`);
    goTo({ page: 'jobs', id: String(printed.id) });
  };
  return (
    <div class="actions">
      <button type="button" class="primary" onClick={() => void again()}>
        <Icon name="again" />
        Print again
      </button>
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
    </div>
  );
}
