import { expect, it } from 'vitest';

import { LoadSoFar } from '../../../src/load/load-so-far.ts';
import { sumsOf } from '../../../src/common/sums.ts';
import { planLoad } from '../../../src/load/plan/load-plan.ts';
import type { ShardProgress } from '../../../src/load/shard/shard-monitor.ts';
import { Durations } from '../../../src/load/measure/histogram.ts';
import type { SecondRecord } from '../../../src/record/load-record.ts';
import { LEDGER_CLASSES } from '../../../src/record/words.ts';
import { SCHEMAS } from '../../../src/record/run-record.ts';
import { viewOf } from '../../../src/report/view/view-of.ts';
import { loadScenarios } from '../../../src/scenario/format/find-scenarios.ts';

const [file] = await loadScenarios('scenarios/load/ten-seconds.yaml');
const scenario = file?.load;
if (!scenario) throw new Error('the scenario has no traffic');
const plan = planLoad(scenario);
const arrivalSeconds = (plan.estimate.durationMs - scenario.drainMs) / 1_000;

function second(number: number, arrivals: number): SecondRecord {
  const response = { p50Us: 0, p99Us: 0, histogram: new Durations().toBase64() };
  const jobs = { intended: arrivals, accepted: arrivals, delivered: 0, printed: 0, reported: 0 };
  const self = { cpu: 0.1, rssBytes: 1, eventLoopDelayP99Us: 0 };
  return { second: number, arrivals, ended: arrivals, errors: 0, response, latenessP99Us: 0, jobs, self };
}

function progress(shard: number, phase: ShardProgress['phase'], at?: SecondRecord): ShardProgress {
  const figures = at ? figuresOf(at) : null;
  return { shard, phase, second: at ?? null, figures, connected: 0, inFlight: 0, abortedBy: null };
}

/** One of the jobs is on paper. */
function figuresOf({ jobs }: SecondRecord): NonNullable<ShardProgress['figures']> {
  const ledger = { ...sumsOf(LEDGER_CLASSES, []), 'delivered-once': 1 };
  return { streams: [], phases: [], jobs: { ...jobs, sent: jobs.intended, over: 1 }, ledger };
}

function played(shards = 2): LoadSoFar {
  return new LoadSoFar({ plan, runId: 'load-1', target: { name: 'here', baseUrl: 'http://127.0.0.1:1' }, shards });
}

it('is a record of the load, before its first second and while two processes play it', () => {
  const soFar = played();
  soFar.take(progress(1, 'connecting'));
  const before = SCHEMAS.load.parse(soFar.record());
  expect(before).toMatchObject({
    kind: 'load',
    series: [],
    progress: { done: 0, total: arrivalSeconds, remainingMs: arrivalSeconds * 1_000, doing: 'connecting' },
  });

  soFar.take(progress(1, 'running', second(0, 3)));
  soFar.take(progress(2, 'running', second(0, 4)));
  const record = SCHEMAS.load.parse(soFar.record());
  expect(record).toMatchObject({
    series: [{ second: 0, arrivals: 7, jobs: { accepted: 7 } }],
    plan: { shards: 2, present: [1, 2] },
    progress: { done: 1, doing: 'running' },
  });
});

it('counts what became of the jobs of all processes; the rest are under way', () => {
  const soFar = played();
  soFar.take(progress(2, 'running', second(0, 4)));
  soFar.take(progress(1, 'running', second(0, 3)));
  soFar.take(progress(1, 'running', second(1, 5)));
  const record = soFar.record();
  expect(record.ledger.totals).toMatchObject({ intents: 9, classes: { 'delivered-once': 2, unknown: 7, lost: 0 } });
  const rows = viewOf(record).tables.flatMap((table) => table.rows);
  expect(rows.find(({ cells: [name] }) => name === 'unknown')).toMatchObject({
    tone: 'plain',
    cells: ['unknown', '7', 'still under way'],
  });
});

it('shows a second once every process has reported it, or is long late with it', () => {
  const soFar = played();
  for (const shard of [1, 2]) soFar.take(progress(shard, 'running', second(0, 5)));
  soFar.take(progress(1, 'running', second(1, 5)));
  const shown = (): readonly number[] => soFar.record().series.map(({ arrivals }) => arrivals);
  expect(shown()).toEqual([10]);
  for (const at of [2, 3, 4]) soFar.take(progress(1, 'running', second(at, 5)));
  expect(shown()).toEqual([10, 5]);
});

it('is as far as the process that is furthest behind', () => {
  const soFar = played();
  soFar.take(progress(1, 'running', second(0, 1)));
  soFar.take(progress(2, 'connecting'));
  expect(soFar.record().progress).toMatchObject({ doing: 'connecting' });
  soFar.take(progress(2, 'clearing up'));
  soFar.take(progress(1, 'draining'));
  expect(soFar.record().progress).toMatchObject({ doing: 'draining' });
});

it('drains early where someone stops it, and does not say what would have been left', () => {
  const soFar = played(1);
  soFar.take(progress(1, 'running', second(0, 1)));
  soFar.take(progress(1, 'draining', second(1, 0)));
  expect(soFar.record().progress).toEqual({ done: 2, total: arrivalSeconds, remainingMs: null, doing: 'draining' });
});

it('does not say how long the drain takes', () => {
  const soFar = played();
  for (let at = 0; at < arrivalSeconds; at++) soFar.take(progress(1, 'running', second(at, 1)));
  soFar.take(progress(1, 'draining'));
  expect(soFar.record().progress).toEqual({
    done: arrivalSeconds,
    total: arrivalSeconds,
    remainingMs: null,
    doing: 'draining',
  });
});
