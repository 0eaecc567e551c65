import { expect, it } from 'vitest';

import { Recorder } from '../../../src/load/measure/recorder.ts';
import { mergeLoadRecords } from '../../../src/load/merge.ts';
import type { LoadFacts } from '../../../src/record/load-record.ts';
import { ledgerOfRun, loadFacts, soundLoadFacts } from '../../support/load-facts.ts';

const SELF = { cpu: 0.5, rssBytes: 1e8, eventLoopDelayP99Us: 1_200 };

function shard(index: number, count: number, changes: Partial<LoadFacts> = {}): LoadFacts {
  const facts = soundLoadFacts(changes);
  return { ...facts, plan: { ...facts.plan, shards: count, present: [index] } };
}

/** Requests of one run, taken down by one recorder or by several, each with its own accounts. */
function recorded(isMine: (account: number) => boolean): Pick<LoadFacts, 'streams' | 'series' | 'fairness' | 'legs'> {
  const recorder = new Recorder({ streams: ['invoices'], accounts: 6 });
  for (let second = 0; second < 3; second++) {
    for (let request = 0; request < 500; request++) {
      const account = (request * 7) % 6;
      if (!isMine(account)) continue;
      const atUs = second * 1_000_000 + request * 2_000;
      const tookUs = ((request * 7_919) % 90_000) + 50;
      recorder.ended(0, account, request % 50 === 0 ? 'failed' : 'ok', 200, atUs, atUs + 20, atUs + 40, atUs + tookUs);
      recorder.phase('accept', tookUs);
    }
    const jobs = { intended: second, accepted: 0, delivered: 0, printed: 0, reported: 0 };
    recorder.closeSecond((second + 1) * 1_000_000, jobs, SELF);
  }
  const { lateness: _lateness, ...rest } = recorder.toRecording();
  return rest;
}

function requests({ series }: LoadFacts): unknown[] {
  return series.map(({ second, arrivals, errors, response }) => ({ second, arrivals, errors, response }));
}

it('gives for several shards what one run would have given', () => {
  const whole = mergeLoadRecords([{ record: soundLoadFacts(recorded(() => true)) }]);
  const parts = [0, 1, 2].map((at) => ({
    record: shard(
      at + 1,
      3,
      recorded((account) => account % 3 === at),
    ),
  }));
  const merged = mergeLoadRecords(parts);
  expect(merged.streams).toEqual(whole.streams);
  expect(merged.legs).toEqual(whole.legs);
  expect(merged.fairness).toEqual(whole.fairness);
  expect(requests(merged)).toEqual(requests(whole));
  expect(merged.missingShards).toEqual([]);
});

it('names the shards that are missing, and calls the whole incomplete', () => {
  const merged = mergeLoadRecords([{ record: shard(2, 4) }, { record: shard(4, 4) }]);
  expect(merged.missingShards).toEqual([1, 3]);
  expect([merged.verdict, merged.reasons]).toEqual(['incomplete', ['missing of 4 shards: 1, 3']]);
});

it('refuses shards of another plan, another number of shards, and one that is given twice', () => {
  const other = shard(2, 2);
  const merging = (second: LoadFacts) => () => mergeLoadRecords([{ record: shard(1, 2) }, { record: second }]);
  expect(merging({ ...other, plan: { ...other.plan, hash: 'ffff', seed: 8 } })).toThrow('different plans');
  expect(merging(shard(2, 3))).toThrow('one is of 2 shards, one of 3');
  expect(merging(shard(1, 2))).toThrow('shard 1 is given twice');
  expect(() => mergeLoadRecords([])).toThrow('there is no record to merge');
});

it('judges thresholds on the whole only', () => {
  const plan = { ...loadFacts().plan, thresholds: ['invoices.requests >= 200'] };
  const parts = [1, 2].map((index) => ({
    record: { ...shard(index, 2), plan: { ...plan, shards: 2, present: [index] } },
  }));
  expect(mergeLoadRecords(parts)).toMatchObject({
    verdict: 'pass',
    thresholds: [{ text: 'invoices.requests >= 200', measured: '200', kept: true }],
  });
});

it('joins ledgers, and finds a job id that two shards were given', () => {
  const [left, right] = [ledgerOfRun(97), ledgerOfRun(97)];
  const merged = mergeLoadRecords([
    { record: shard(1, 2), ledger: left.toBytes() },
    { record: shard(2, 2), ledger: right.toBytes() },
  ]);
  expect(merged.ledger.totals).toMatchObject({ intents: 200, clashes: 97 });
  expect(merged.reasons).toEqual(['97 job ids were given to two submissions']);
});

it('keeps that a shard was interrupted or aborted', () => {
  const interrupted = mergeLoadRecords([{ record: shard(1, 2) }, { record: shard(2, 2, { ending: 'interrupted' }) }]);
  expect(interrupted.verdict).toBe('incomplete');
  const aborted = mergeLoadRecords([
    { record: shard(1, 2) },
    { record: shard(2, 2, { ending: 'aborted', abortedBy: 'ledger.lost > 1' }) },
  ]);
  expect(aborted.reasons).toEqual(['given up: ledger.lost > 1']);
});
