import { expect, it } from 'vitest';

import type { JobSummary } from '../../../../src/record/control-types.ts';
import { mismatches, nearMisses, type Candidate } from '../../../../src/workbench/views/job-query.ts';
import { TitlePattern } from '../../../../src/workbench/views/title-pattern.ts';
import { jobSummary } from '../../../support/job-summary.ts';

it('takes every job when nothing is asked', () => {
  expect(mismatches(job({}), {})).toEqual([]);
});

it.each([
  [{ id: 7 }],
  [{ title: 'invoice' }],
  [{ title: new TitlePattern('^Invoice \\d+$', '') }],
  [{ printer: 'Laser' }],
  [{ state: 'done' }],
  [{ state: ['error', 'done'] }],
  [{ after: 6 }],
  [{ printouts: 1 }],
])('finds the job by %j', (query) => {
  expect(mismatches(job({}), query)).toEqual([]);
});

it.each([
  [{ id: 8 }, 'it is job 7, not 8'],
  [{ title: 'Letter' }, 'its title is "Invoice 12", not Letter'],
  [{ title: new TitlePattern('letter', 'i') }, 'its title is "Invoice 12", not /letter/i'],
  [{ printer: 'laser' }, 'it went to Laser, not laser'],
  [{ state: ['error', 'expired'] }, 'it is done, not error or expired'],
  [{ after: 7 }, 'it is not younger than job 7'],
  [{ printouts: 2 }, '1 of 2 printouts have come out'],
])('says for %j why the job is not it', (query, why) => {
  expect(mismatches(job({}), query)).toEqual([why]);
});

it('says what holds the paper that is waited for', () => {
  const held = job({ held: 'Laser has media-jam' });
  expect(mismatches(held, { printouts: 2 })).toEqual(['1 of 2 printouts have come out: Laser has media-jam']);
});

it('takes a job without a title for none that is looked for by title', () => {
  expect(mismatches(job({ title: null }), { title: '' })).toHaveLength(1);
});

it('puts the job that misses least first, and among equals the newest', () => {
  const jobs = [
    job({ id: 1, state: 'new' }),
    job({ id: 2 }),
    job({ id: 3, title: 'Letter', state: 'new' }),
    job({ id: 4 }),
  ];
  const misses = nearMisses(jobs, { title: 'Receipt', state: 'done' }, 3);
  expect(misses.map((miss) => miss.job.id)).toEqual([4, 2, 3]);
});

function job(changes: Partial<JobSummary>): Candidate {
  return { job: jobSummary(changes), printouts: 1 };
}
