import { expect, it } from 'vitest';

import type { CallerRecord, MomentRecord } from '../../../../src/record/caller-record.ts';
import { headOfRun } from '../../../../src/record/head-of-run.ts';
import { viewOfCaller } from '../../../../src/report/view/caller-view.ts';

function moment(told: Partial<MomentRecord>): MomentRecord {
  return {
    id: 'POST /printjobs#1 cut',
    does: 'the connection ends',
    verdict: 'printed-twice',
    story: ['Label 1 came out 2 times; without it, once.'],
    advice: '',
    exitCode: 0,
    pictures: [],
    output: [],
    again: '',
    durationMs: 1,
    ...told,
  };
}

function recordOf(moments: readonly MomentRecord[]): CallerRecord {
  return {
    ...headOfRun('caller', { runId: 'caller-1', startedAt: '2026-01-01T00:00:00.000Z', durationMs: 1 }),
    seed: 1,
    target: { name: 'npm test' },
    unharmed: { requests: 1, jobs: 1, durationMs: 1, differences: [] },
    unreached: [],
    moments: [...moments],
    clauses: [],
    summary: { moments: { total: moments.length }, exitCode: 1 },
  };
}

it('tells a finding once, and names the other moments that show it', () => {
  const { results, sentence } = viewOfCaller(
    recordOf([
      moment({ id: 'POST /printjobs#1 lost-after' }),
      moment({ id: 'POST /printjobs#2 cut', story: ['Label 2 came out 3 times; without it, once.'] }),
      moment({ id: 'POST /printjobs#1 slow', verdict: 'printed-once', story: [] }),
    ]),
  );
  expect(results.map(({ id, followsFrom, followers }) => [id, followsFrom, followers.length])).toEqual([
    ['POST /printjobs#1 lost-after', '', 1],
    ['POST /printjobs#2 cut', 'POST /printjobs#1 lost-after', 0],
    ['POST /printjobs#1 slow', '', 0],
  ]);
  expect(sentence).toContain('1 finding in 3 moments');
});

it('keeps apart what is found at another place, in another way or of something else', () => {
  const { results } = viewOfCaller(
    recordOf([
      moment({}),
      moment({ id: 'GET /whoami#1 error' }),
      moment({ id: 'POST /printjobs#1 busy', verdict: 'lost' }),
      moment({ id: 'POST /printjobs#2 cut', story: ['Receipt 1 came out 2 times; without it, once.'] }),
      moment({ id: 'POST /printjobs#3 cut', verdict: 'hung', story: [] }),
      moment({ id: 'POST /printjobs#4 cut', verdict: 'hung', story: [] }),
    ]),
  );
  expect(results.every(({ followsFrom }) => followsFrom === '')).toBe(true);
});

it('says how the app ended', () => {
  const recorded = [0, 1, null].map((exitCode) => recordOf([moment({ exitCode })]));
  expect(recorded.map((record) => viewOfCaller(record).results[0]?.notes.at(-1))).toEqual([
    'The app ended with exit code 0: its tests saw nothing.',
    'The app ended with exit code 1.',
    'The app was killed.',
  ]);
});
