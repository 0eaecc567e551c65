import { expect, it } from 'vitest';

import { jainIndex, starving } from '../../../../src/load/measure/fairness.ts';
import { Durations } from '../../../../src/load/measure/histogram.ts';
import { compareLoad } from '../../../../src/load/verdict/compare.ts';
import { exitCodeOfLoad, judgeLoad } from '../../../../src/load/verdict/judge-load.ts';
import type { LoadFacts } from '../../../../src/record/load-record.ts';
import { loadFacts, soundLoadFacts } from '../../../support/load-facts.ts';

const SOUND = soundLoadFacts();

function lateBy(us: number): LoadFacts['self'] {
  const lateness = new Durations();
  lateness.record(us);
  return { ...SOUND.self, lateness: lateness.toRecord() };
}

function withThresholds(...thresholds: readonly string[]): LoadFacts['plan'] {
  return { ...SOUND.plan, thresholds };
}

it.each<[string, Partial<LoadFacts>, string, number]>([
  ['nothing is wrong', { plan: withThresholds('invoices.response.p99 <= 1s') }, 'pass', 0],
  ['a threshold is broken', { plan: withThresholds('invoices.response.p99 <= 1ms') }, 'fail', 1],
  ['nothing was measured', { plan: withThresholds('looks.response.p99 <= 1s') }, 'fail', 1],
  ['a job is lost', { ledger: loadFacts().ledger }, 'fail', 1],
  ['the generator was late', { self: lateBy(12_000) }, 'invalid', 2],
  ['a threshold allows the lateness', { self: lateBy(12_000), plan: withThresholds('lateness.p99 <= 1s') }, 'pass', 0],
  [
    'a threshold on lateness is broken',
    { self: lateBy(5_000), plan: withThresholds('lateness.p99 <= 2ms') },
    'invalid',
    2,
  ],
  ['a job is lost by a late generator', { self: lateBy(12_000), ledger: loadFacts().ledger }, 'fail', 1],
  ['a shard is missing', { plan: { ...SOUND.plan, shards: 2 } }, 'incomplete', 2],
  ['it was interrupted', { ending: 'interrupted' }, 'incomplete', 130],
  ['a rule gave it up', { ending: 'aborted', abortedBy: 'invoices.errors > 2%' }, 'aborted', 1],
  ['nothing was sent', { streams: [] }, 'incomplete', 2],
  [
    'responses broke a clause',
    {
      responses: {
        judged: 9,
        broken: [{ clause: 'x/y', count: 2, example: { expected: 'a', actual: 'b', at: 'c' } }],
      },
    },
    'fail',
    1,
  ],
])('when %s', (_what, changes, verdict, exitCode) => {
  const record = judgeLoad({ ...SOUND, ...changes });
  expect(record.verdict).toBe(verdict);
  expect(record.reasons.length > 0).toBe(verdict !== 'pass');
  expect(exitCodeOfLoad(record)).toBe(exitCode);
});

it('gives the reasons as sentences', () => {
  const { reasons } = judgeLoad({ ...loadFacts(), plan: withThresholds('ledger.lost == 0') });
  expect(reasons).toEqual(['1 job lost']);
});

it("computes Jain's index at both extremes", () => {
  expect([jainIndex([3, 3, 3, 3]), jainIndex([9, 0, 0]), jainIndex([])]).toEqual([1, 1 / 3, 1]);
});

it('finds the account that waits far longer than the others, and the one that got nothing', () => {
  const share = { asked: 50, served: 50, meanResponseUs: 10_000 };
  const accounts = [
    { ...share, account: 0 },
    { ...share, account: 1 },
    { ...share, account: 2, meanResponseUs: 80_000 },
    { ...share, account: 3, served: 0, meanResponseUs: 0 },
    { ...share, account: 4, asked: 3, served: 0 },
  ];
  expect(starving({ jainIndex: 1, accounts }).map(({ account }) => account)).toEqual([2, 3]);
});

it('compares with an earlier run: what is the same, what is worse', () => {
  const before = judgeLoad(SOUND);
  expect(compareLoad(before, before).lines.every(({ change }) => change === 'same')).toBe(true);
  const slow = new Durations();
  for (let request = 1; request <= 100; request++) slow.record(request * 3_000);
  const [stream, ...rest] = SOUND.streams;
  const streams = stream ? [{ ...stream, response: slow.toRecord() }, ...rest] : [];
  const series = SOUND.series.map((second) => ({
    ...second,
    response: { ...second.response, p99Us: 300_000 },
  }));
  const { isSamePlan, lines } = compareLoad(before, judgeLoad({ ...SOUND, streams, series }));
  expect(isSamePlan).toBe(true);
  expect(lines.filter(({ change }) => change === 'worse').map(({ metric }) => metric)).toEqual([
    'response.p99 of a second',
    'invoices.response.p50',
    'invoices.response.p99',
  ]);
});
