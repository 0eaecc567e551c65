import { expect, it } from 'vitest';

import { judgeLoad } from '../../../../src/load/verdict/judge-load.ts';
import type { DeclaredLoss, LoadFacts, LoadRecord, WorkerRecord } from '../../../../src/record/load-record.ts';
import { soundLoadFacts } from '../../../support/load-facts.ts';

const SOUND = soundLoadFacts();
const ONE: DeclaredLoss = { atMs: 2_000, withinMs: null, workers: 1 };

function worker(shard: number, lostAtMs?: number): WorkerRecord {
  const known = { shard, name: `w${shard}`, clockOffsetMs: 0, roundTripMs: 1, startLateMs: 0 };
  if (lostAtMs === undefined) return { ...known, finding: '' };
  return { ...known, finding: `w${shard} was lost`, lostAtMs };
}

/** Four shards, of which those that were not lost are there. */
function judged(declared: readonly DeclaredLoss[], workers: readonly WorkerRecord[]): LoadRecord {
  const present = workers.filter(({ finding }) => finding === '').map(({ shard }) => shard);
  const losses = { declared, submissions: [10, 20, 30, 40] };
  const plan: LoadFacts['plan'] = { ...SOUND.plan, shards: 4, present, losses };
  return judgeLoad({ ...SOUND, plan, workers });
}

it('is complete without a worker whose loss is declared, and reports its jobs', () => {
  const record = judged([ONE], [worker(1), worker(2, 2_400), worker(3), worker(4)]);
  expect(record).toMatchObject({ verdict: 'pass', missingShards: [], reasons: [] });
  expect(record.losses).toEqual([{ shard: 2, name: 'w2', atMs: 2_400, unknownJobs: 20 }]);
});

it('is incomplete when more are lost than declared, and names the extra one', () => {
  const record = judged([ONE], [worker(1, 3_000), worker(2, 2_400), worker(3), worker(4)]);
  expect(record).toMatchObject({ verdict: 'incomplete', missingShards: [1] });
  expect(record.reasons).toEqual(['w1 was lost', 'missing of 4 shards: 1']);
  expect(record.losses?.map(({ shard }) => shard)).toEqual([2]);
});

it.each([
  ['before its time', 999, 'incomplete'],
  ['at its first moment', 1_000, 'pass'],
  ['within its time', 4_000, 'pass'],
  ['at its last moment', 6_000, 'pass'],
  ['after its time', 6_001, 'incomplete'],
])('holds a loss %s against when it is declared', (_what, lostAtMs, verdict) => {
  const declared = [{ ...ONE, withinMs: 3_000 }];
  expect(judged(declared, [worker(1), worker(2, lostAtMs), worker(3), worker(4)]).verdict).toBe(verdict);
});

it('keeps the declaration that lasts longest for the latest loss', () => {
  const declared = [ONE, { ...ONE, withinMs: 1_000 }];
  const workers = [worker(1), worker(2, 9_000), worker(3, 2_500), worker(4)];
  expect(judged(declared, workers)).toMatchObject({ verdict: 'pass', missingShards: [] });
});

it('does not excuse a shard that is missing for another reason', () => {
  const failed = { ...worker(2), finding: 'shard 2 failed: out of paper' };
  const record = judged([ONE], [worker(1), failed, worker(3), worker(4)]);
  expect(record).toMatchObject({ verdict: 'incomplete', missingShards: [2], losses: [] });
});

it('reports no losses where the scenario declares none', () => {
  const plan = { ...SOUND.plan, shards: 2 };
  const record = judgeLoad({ ...SOUND, plan, workers: [worker(1), worker(2, 2_000)] });
  expect(record.verdict).toBe('incomplete');
  expect(record.losses).toBeUndefined();
});

it('knows of no jobs of a shard for which none are planned', () => {
  const plan: LoadFacts['plan'] = {
    ...SOUND.plan,
    shards: 2,
    present: [1],
    losses: { declared: [ONE], submissions: [10] },
  };
  const { losses } = judgeLoad({ ...SOUND, plan, workers: [worker(1), worker(2, 2_400)] });
  expect(losses).toEqual([{ shard: 2, name: 'w2', atMs: 2_400, unknownJobs: 0 }]);
});
