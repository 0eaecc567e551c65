/**
 * What the paper of a day says of its jobs.
 */

import { expect, test } from 'vitest';

import type { Fate } from '../../../src/pipeline/caller.ts';
import { judgeDay, type MarkedPaper, type SeenDay, type SeenJob } from '../../../src/pipeline/judge-paper.ts';

const DONE: Fate = { kind: 'done', word: 'printed' };
const FAILED: Fate = { kind: 'failed', word: 'error' };
const UNCERTAIN: Fate = { kind: 'uncertain', word: 'unknown' };
const OPEN: Fate = { kind: 'open', word: 'printing' };

function job(mark: string, more: Partial<SeenJob> = {}): SeenJob {
  const base = {
    name: `job ${mark}`,
    mark,
    printer: 'kitchen',
    outcome: 'taken' as const,
    said: '',
    sentMs: 0,
    takenMs: 1,
  };
  return { ...base, fate: DONE, ...more };
}

function paper(mark: string, more: Partial<MarkedPaper> = {}): MarkedPaper {
  return { printer: 'kitchen', mark, copies: 1, isWhole: true, ...more };
}

function broken(jobs: readonly SeenJob[], papers: readonly MarkedPaper[], more: Partial<SeenDay> = {}): string[] {
  const day = { jobs, papers, hadTrouble: true, isRepeatable: true, ...more };
  return judgeDay(day).map(({ promise }) => promise);
}

test('a job on one paper, reported as printed, keeps all promises', () => {
  expect(broken([job('a')], [paper('a')])).toEqual([]);
});

test('paper of nobody is nothing', () => {
  expect(broken([job('a')], [paper('a'), paper('b'), { ...paper('a'), mark: null }])).toEqual([]);
});

test('paper that comes twice is excused by nothing', () => {
  for (const fate of [DONE, FAILED, UNCERTAIN]) {
    expect(broken([job('a', { fate })], [paper('a'), paper('a')])).toEqual(['printed-twice']);
  }
  expect(broken([job('a')], [paper('a', { copies: 2 })])).toEqual(['printed-twice']);
});

test('a job without paper that is reported as printed is reported untruly', () => {
  expect(broken([job('a')], [])).toEqual(['untrue-state']);
});

test('a job without paper may be reported as failed or uncertain, where something went wrong', () => {
  for (const fate of [FAILED, UNCERTAIN]) {
    expect(broken([job('a', { fate })], [])).toEqual([]);
    expect(broken([job('a', { fate })], [], { hadTrouble: false })).toEqual(['never-printed']);
  }
});

test('a job that is still under way in the end was never printed, or is not reported', () => {
  expect(broken([job('a', { fate: OPEN })], [])).toEqual(['never-printed']);
  expect(broken([job('a', { fate: undefined })], [])).toEqual(['never-printed']);
  expect(broken([job('a', { fate: OPEN })], [paper('a')])).toEqual(['untrue-state']);
});

test('a job that was printed is not to be reported as failed; uncertain is true of any', () => {
  expect(broken([job('a', { fate: FAILED })], [paper('a')])).toEqual(['untrue-state']);
  expect(broken([job('a', { fate: UNCERTAIN })], [paper('a')])).toEqual([]);
});

test('paper at another printer is at the wrong one', () => {
  expect(broken([job('a')], [paper('a', { printer: 'bar' })])).toEqual(['wrong-printer']);
});

test('paper that was cut short is excused by a report that says so', () => {
  const cut = [paper('a', { isWhole: false })];
  expect(broken([job('a')], cut)).toEqual(['cut-short']);
  expect(broken([job('a', { fate: undefined })], cut)).toEqual(['cut-short']);
  expect(broken([job('a', { fate: UNCERTAIN })], cut)).toEqual([]);
});

test('jobs that were submitted one after the other come out so', () => {
  const jobs = [job('a', { takenMs: 5 }), job('b', { sentMs: 10, takenMs: 12 })];
  expect(broken(jobs, [paper('a'), paper('b')])).toEqual([]);
  expect(broken(jobs, [paper('b'), paper('a')])).toEqual(['out-of-order']);
});

test('jobs that were under way at the same time may come out in any order', () => {
  const jobs = [job('a', { takenMs: 15 }), job('b', { sentMs: 10, takenMs: 12 })];
  expect(broken(jobs, [paper('b'), paper('a')])).toEqual([]);
});

test('a job that is not taken in the end is a breach where it could be submitted again', () => {
  const refused = [job('a', { outcome: 'refused', fate: undefined, takenMs: undefined, said: '500' })];
  expect(broken(refused, [])).toEqual(['not-taken']);
  expect(broken(refused, [], { isRepeatable: false })).toEqual([]);
  expect(broken(refused, [], { isRepeatable: false, hadTrouble: false })).toEqual(['not-taken']);
});

test('a job of which nobody knows whether it was taken may be printed or not, but not twice', () => {
  const unknown = [job('a', { outcome: 'unknown', fate: undefined, takenMs: undefined })];
  const once = { isRepeatable: false };
  expect(broken(unknown, [], once)).toEqual([]);
  expect(broken(unknown, [paper('a')], once)).toEqual([]);
  expect(broken(unknown, [paper('a'), paper('a')], once)).toEqual(['printed-twice']);
});
