/**
 * What a report tells of a day that was played.
 */

import { expect, test } from 'vitest';

import { buildPlayedRecord } from '../../../src/pipeline/pipeline-records.ts';
import type { PlayedDay } from '../../../src/pipeline/play-day.ts';
import type { Pipeline } from '../../../src/pipeline/pipeline-file.ts';

test('the story of a job has what happened to that job, and not to one whose name begins alike', () => {
  const jobs = ['job 1', 'job 10'].map((name) => ({
    name,
    mark: `PLT ${name}`,
    printer: 'till',
    outcome: 'taken' as const,
    said: '',
    sentMs: 0,
    takenMs: 1,
    fate: undefined,
  }));
  const played: PlayedDay = {
    broken: [],
    seen: { jobs, papers: [], hadTrouble: false, isRepeatable: false },
    papers: [],
    log: [
      { atMs: 0, what: 'submit till' },
      ...jobs.map(({ name }, index) => ({ atMs: index + 1, what: `paper at till: ${name}`, job: name })),
    ],
    lines: [],
    durationMs: 5,
  };
  const record = buildPlayedRecord(
    { file: 'day.yaml', day: { title: 'day', why: '', steps: [] }, played },
    {
      runId: 'run-1',
      startedAt: '2026-01-01T00:00:00Z',
      pipeline: { title: 'till' } as Pipeline,
      wasInterrupted: false,
    },
  );
  expect(record.scenarios[0]?.stories.map(({ timeline }) => timeline)).toEqual([
    ['     1ms  paper at till: job 1'],
    ['     2ms  paper at till: job 10'],
  ]);
});
