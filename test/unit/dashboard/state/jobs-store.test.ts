import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { mergeJobs } from '../../../../src/dashboard/state/jobs-store.ts';
import type { JobSummary } from '../../../../src/record/control-types.ts';
import { jobSummary } from '../../../support/job-summary.ts';

describe('news of jobs', () => {
  it('replace what is shown of a job where it stands', () => {
    const merged = mergeJobs([job(3), job(2), job(1)], [job(2, 'done')], true);
    expect(merged.map(({ id, state }) => `${id} ${state}`)).toEqual(['3 new', '2 done', '1 new']);
  });

  it('put newer jobs on top, newest first', () => {
    const merged = mergeJobs([job(2)], [job(3), job(5), job(4)], true);
    expect(merged.map(({ id }) => id)).toEqual([5, 4, 3, 2]);
  });

  it('count as the last one says, when several are about one job', () => {
    const [merged] = mergeJobs([], [job(1, 'new'), job(1, 'sent_to_client'), job(1, 'done')], true);
    expect(merged?.state).toBe('done');
  });

  it('leave jobs out that are older than the list', () => {
    expect(mergeJobs([job(9), job(8)], [job(3)], true).map(({ id }) => id)).toEqual([9, 8]);
  });

  it('add nothing to a search, which only the workbench can judge', () => {
    expect(mergeJobs([job(2)], [job(3)], false).map(({ id }) => id)).toEqual([2]);
  });

  it('give the same list when they change nothing of it', () => {
    const shown = [job(2)];
    expect(mergeJobs(shown, [job(3)], false)).toBe(shown);
  });

  it('keep the list in order and free of doubles, whatever comes', () => {
    const ids = fc.array(fc.integer({ min: 1, max: 60 }));
    fc.assert(
      fc.property(ids, ids, (first, second) => {
        const shown = mergeJobs(
          [],
          first.map((id) => job(id)),
          true,
        );
        const merged = mergeJobs(
          shown,
          second.map((id) => job(id, 'done')),
          true,
        ).map(({ id }) => id);
        expect(merged).toEqual([...new Set(merged)].toSorted((a, b) => b - a));
        for (const id of first) expect(merged).toContain(id);
      }),
    );
  });
});

function job(id: number, state = 'new'): JobSummary {
  return jobSummary({ id, state });
}
