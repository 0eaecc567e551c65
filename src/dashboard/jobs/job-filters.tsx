/**
 * Job filters: the printers and states of the jobs, each a press away. A filter is a term of the search, so that
 * the address has it and the field shows how it is written.
 */

import type { JSX } from 'preact';

import { deleteJobs } from '../api/workbench.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { count } from '../parts/format.ts';
import { changeQuery } from '../routing/navigation.ts';
import type { JobsState } from '../state/jobs-store.ts';
import { attempt, notify } from '../state/notices.ts';
import { termOf, toggled, hasTerm } from './search-terms.ts';

/** States come and go: last, they move nothing that is about to be pressed. */
const FIELDS = ['printer', 'state'] as const;

export function JobFilters({ state }: { readonly state: JobsState }): JSX.Element | null {
  const { q, jobs, filters, more } = state;
  if (q === '' && jobs.length === 0) return null;
  return (
    <div class="job-filters">
      <div class="filter-chips" role="group" aria-label="Filters">
        {FIELDS.flatMap((field) =>
          filters[field].map((value) => {
            const term = termOf(field, value);
            return (
              <button
                key={term}
                type="button"
                class="filter-chip"
                aria-pressed={hasTerm(q, term)}
                onClick={() => changeQuery({ q: toggled(q, field, term) })}
              >
                {value.replaceAll('_', ' ')}
              </button>
            );
          }),
        )}
      </div>
      {q !== '' && jobs.length > 0 && (
        <ConfirmButton
          name="Delete the jobs that were found"
          question={more ? `Delete more than ${jobs.length} jobs?` : `Delete ${count(jobs.length, 'job')}?`}
          class="quiet"
          onConfirm={() => void deleteFound(q)}
        >
          Delete these
        </ConfirmButton>
      )}
    </div>
  );
}

async function deleteFound(q: string): Promise<void> {
  const deleted = await attempt(deleteJobs(q));
  if (!deleted) return;
  notify('done', `${count(deleted.ids.length, 'job')} deleted`);
  changeQuery({ q: undefined });
}
