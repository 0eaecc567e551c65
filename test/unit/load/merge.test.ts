import { describe, expect, it } from 'vitest';

import { Recorder } from '../../../src/load/measure/recorder.ts';
import { mergeLoadRecords, mergeSeries } from '../../../src/load/merge.ts';
import { Durations } from '../../../src/load/measure/histogram.ts';
import type { LedgerClass } from '../../../src/record/words.ts';
import type {
  DurationRecord,
  LedgerRowView,
  LoadFacts,
  LoadRecord,
  SecondRecord,
} from '../../../src/record/load-record.ts';
import { ledgerOfRun, soundLoadFacts } from '../../support/load-facts.ts';

const SOUND = soundLoadFacts();
const SELF = { cpu: 0.5, rssBytes: 1e8, eventLoopDelayP99Us: 1_200 };

function shard(index: number, count: number, changes: Partial<LoadFacts> = {}): LoadFacts {
  return { ...SOUND, plan: { ...SOUND.plan, shards: count, present: [index] }, ...changes };
}

it('names the shards that are missing, and calls the whole incomplete', () => {
  const merged = mergeLoadRecords([{ record: shard(2, 4) }, { record: shard(4, 4) }]);
  expect(merged.missingShards).toEqual([1, 3]);
  expect([merged.verdict, merged.reasons]).toEqual(['incomplete', ['missing of 4 shards: 1, 3']]);
});

it.each<[string, readonly LoadFacts[], string, string]>([
  [
    'of another file',
    [shard(1, 2), withPlan(2, { hash: 'ffff', seed: 8, title: 'Evening' })],
    "these records are of different plans: 'Morning rush' with seed 7 (0123456789abcdef), and 'Evening' with seed 8 (ffff)",
    'Merge only shards that ran the same file with the same seed and the same number of shards.',
  ],
  [
    'of another number of shards',
    [shard(1, 2), shard(2, 3)],
    'these records are of different plans: one is of 2 shards, one of 3',
    'Merge only shards that ran the same file with the same seed and the same number of shards.',
  ],
  ['that are given twice', [shard(1, 2), shard(1, 2)], 'shard 1 is given twice', 'Name each shard once.'],
  ['when there are none', [], 'there is no record to merge', 'Name the run.json of each shard.'],
])('refuses shards %s', (_, records, message, nextStep) => {
  const merging = (): LoadRecord => mergeLoadRecords(records.map((record) => ({ record })));
  expect(merging).toThrow(expect.objectContaining({ kind: 'usage', message, nextStep }));
});

function withPlan(index: number, plan: Partial<LoadFacts['plan']>): LoadFacts {
  const facts = shard(index, 2);
  return { ...facts, plan: { ...facts.plan, ...plan } };
}

function merged(...parts: readonly Partial<LoadFacts>[]): LoadRecord {
  const bare = { streams: [], series: [], legs: [] };
  return mergeLoadRecords(
    parts.map((changes, index) => ({ record: shard(index + 1, parts.length, { ...bare, ...changes }) })),
  );
}

function durations(...us: readonly number[]): DurationRecord {
  const all = new Durations();
  for (const one of us) all.record(one);
  return all.toRecord();
}

const times = (startedAt: string, durationMs: number): Partial<LoadFacts> => ({ startedAt, durationMs });

it('began with the first of its shards, and lasted as long as the longest', () => {
  const [early, late] = ['2026-01-01T08:00:00.000Z', '2026-01-01T08:00:05.000Z'];
  for (const parts of [
    [times(early, 9_000), times(late, 8_000)],
    [times(late, 8_000), times(early, 9_000)],
  ]) {
    expect(merged(...parts)).toMatchObject({ startedAt: early, durationMs: 9_000 });
  }
});

it('names its shards in order', () => {
  const parts = [10, 9, 2].map((index) => ({ record: shard(index, 10) }));
  expect(mergeLoadRecords(parts).plan.present).toEqual([2, 9, 10]);
});

it.each([
  [['complete', 'complete'], 'complete'],
  [['complete', 'interrupted'], 'interrupted'],
  [['interrupted', 'aborted'], 'aborted'],
  [['aborted', 'complete'], 'aborted'],
] as const)('ends as the worst of its shards: %j is %s', (endings, ending) => {
  expect(merged(...endings.map((one) => ({ ending: one }))).ending).toBe(ending);
});

it('shows the first rule that ended a shard', () => {
  expect(merged({}, {}).abortedBy).toBeNull();
  expect(merged({}, { abortedBy: 'a > 1' }, { abortedBy: 'b > 1' }).abortedBy).toBe('a > 1');
});

it('adds up streams by their names', () => {
  const [stream] = SOUND.streams;
  if (!stream) throw new Error('there is no stream');
  const one = {
    ...stream,
    name: 'a',
    statuses: { 201: 3, 500: 1 },
    response: durations(10),
    service: durations(20),
    lateness: durations(30),
  };
  const other = { ...stream, name: 'b', response: durations(100), service: durations(200), lateness: durations(300) };
  const [left, right] = merged(
    { streams: [one, other] },
    { streams: [other, { ...one, statuses: { 201: 4, 404: 2 }, response: durations(1_000) }] },
  ).streams;
  expect([left?.name, right?.name]).toEqual(['a', 'b']);
  expect(left?.counts).toEqual({ ...stream.counts, ok: 2 * stream.counts.ok, timeout: 2 * stream.counts.timeout });
  expect(left?.statuses).toEqual({ 201: 7, 500: 1, 404: 2 });
  expect(left?.response).toEqual(durations(10, 1_000));
  expect(left?.service).toEqual(durations(20, 20));
  expect(left?.lateness).toEqual(durations(30, 30));
  expect(right?.response).toEqual(durations(100, 100));
});

it('adds up phases that any shard has measured, in the order of a job', () => {
  const phase = (name: 'accept' | 'spool' | 'paper', us: number): LoadFacts['legs'][number] => ({
    name,
    duration: durations(us),
  });
  const { legs } = merged({ legs: [phase('paper', 3)] }, { legs: [phase('accept', 1), phase('paper', 4)] });
  expect(legs).toEqual([
    { name: 'accept', duration: durations(1) },
    { name: 'paper', duration: durations(3, 4) },
  ]);
});

function second(number: number, us: number): SecondRecord {
  const { p50Us, p99Us, histogram } = durations(us);
  return {
    second: number,
    arrivals: us,
    ended: us + 1,
    errors: us + 2,
    response: { p50Us, p99Us, histogram },
    latenessP99Us: us + 3,
    jobs: { intended: us + 4, accepted: us + 5, delivered: us + 6, printed: us + 7, reported: us + 8 },
    self: { cpu: us + 9, rssBytes: us + 10, eventLoopDelayP99Us: us + 11 },
  };
}

describe('the seconds of several shards', () => {
  it('are one second each, in order', () => {
    const { p50Us, p99Us, histogram } = durations(100, 200);
    expect(mergeSeries([second(1, 100), second(0, 50), second(1, 200)])).toEqual([
      second(0, 50),
      {
        second: 1,
        arrivals: 300,
        ended: 302,
        errors: 304,
        response: { p50Us, p99Us, histogram },
        latenessP99Us: 203,
        jobs: { intended: 308, accepted: 310, delivered: 312, printed: 314, reported: 316 },
        self: { cpu: 318, rssBytes: 320, eventLoopDelayP99Us: 211 },
      },
    ]);
  });

  it('keep the figures of a second that only one shard had', () => {
    const only = { ...second(0, 50), response: { p50Us: 1, p99Us: 2, histogram: 'as it is' } };
    expect(mergeSeries([only])[0]?.response).toBe(only.response);
  });

  it('are empty where no record has any', () => {
    expect(mergeSeries([])).toEqual([]);
  });
});

it('adds up chaos events in their order, and is as slow to recover as the slowest', () => {
  const event = { what: 'power-cut', atMs: 10, hit: 1, lowestConnected: 2, mostBacklog: 3, recoveredMs: 400 } as const;
  const later = { ...event, what: 'reconnect-storm', atMs: 20 } as const;
  const { disasters } = merged(
    { disasters: [event, later] },
    {
      disasters: [
        { ...event, hit: 10, recoveredMs: 300 },
        { ...later, recoveredMs: null },
      ],
    },
  );
  expect(disasters).toEqual([
    { ...event, hit: 11, lowestConnected: 4, mostBacklog: 6, recoveredMs: 400 },
    { ...later, hit: 2, lowestConnected: 4, mostBacklog: 6, recoveredMs: null },
  ]);
  expect(merged({ disasters: [event] }, { disasters: [] }).disasters).toEqual([event]);
});

it('adds up webhooks, where any shard has receivers', () => {
  const { webhooks } = SOUND;
  expect(merged({ webhooks: null }, { webhooks: null }).webhooks).toBeNull();
  expect(merged({ webhooks: null }, { webhooks }).webhooks).toEqual(webhooks);
  expect(merged({ webhooks }, { webhooks }).webhooks?.events).toBe(2);
});

const broken = (clause: string, count: number, actual: string): LoadFacts['responses']['broken'][number] => ({
  clause,
  count,
  example: { expected: 'e', actual, at: 'there' },
});

it('adds up responses by the clause they broke, with the first example', () => {
  const { responses } = merged(
    { responses: { judged: 10, broken: [broken('a/b', 1, 'first'), broken('c/d', 2, 'only')] } },
    { responses: { judged: 5, broken: [broken('a/b', 4, 'second')] } },
  );
  expect(responses).toEqual({ judged: 15, broken: [broken('a/b', 5, 'first'), broken('c/d', 2, 'only')] });
});

it('adds up settlements, leaks, and the workers that played', () => {
  const worker = { shard: 1, name: 'w1', clockOffsetMs: 0, roundTripMs: 1, startLateMs: 2, finding: '' };
  const other = { ...worker, shard: 2, name: 'w2' };
  const whole = merged(
    {
      settlement: { wereAccepted: 1, submittedAgain: 2, refused: 3, open: 4 },
      leaks: { accounts: [7] },
      workers: [worker],
    },
    {
      settlement: { wereAccepted: 10, submittedAgain: 20, refused: 30, open: 40 },
      leaks: { accounts: [8, 9] },
      workers: [other],
    },
  );
  expect(whole.settlement).toEqual({ wereAccepted: 11, submittedAgain: 22, refused: 33, open: 44 });
  expect(whole.leaks).toEqual({ accounts: [7, 8, 9] });
  expect(whole.workers).toEqual([worker, other]);
  expect(merged({}, { workers: [other] }).workers).toEqual([other]);
  expect(merged({}, {})).not.toHaveProperty('workers');
});

it('adds up what the generators took, and takes the highest floor', () => {
  const floor = { responseP50Us: 4, responseP99Us: 50, latenessP99Us: 6, requestsPerSecond: 700 };
  const self = { lateness: durations(5), cpu: 0.5, rssBytes: 100, eventLoopDelayP99Us: 9, floor };
  const whole = merged(
    { self },
    {
      self: {
        lateness: durations(7),
        cpu: 0.25,
        rssBytes: 200,
        eventLoopDelayP99Us: 8,
        floor: { responseP50Us: 5, responseP99Us: 40, latenessP99Us: 7, requestsPerSecond: 300 },
      },
    },
  );
  expect(whole.self).toEqual({
    lateness: durations(5, 7),
    cpu: 0.75,
    rssBytes: 300,
    eventLoopDelayP99Us: 9,
    floor: { responseP50Us: 5, responseP99Us: 50, latenessP99Us: 7, requestsPerSecond: 1_000 },
  });
  expect(merged({ self: { ...self, floor: null } }, { self }).self.floor).toEqual(floor);
  expect(merged({ self: { ...self, floor: null } }).self.floor).toBeNull();
});

function row(name: LedgerClass, number: number, printed?: number): LedgerRowView {
  const stamps = printed === undefined ? {} : { printed };
  return {
    row: number,
    class: name,
    jobId: number,
    account: 0,
    printer: 0,
    document: 0,
    copies: 1,
    copiesPrinted: 1,
    deliveries: 1,
    intendedUs: 1_000,
    stamps,
  };
}

function samplesOf(...parts: readonly (readonly LedgerRowView[])[]): readonly number[] {
  const { totals } = SOUND.ledger;
  return merged(...parts.map((samples) => ({ ledger: { totals, samples } }))).ledger.samples.map((one) => one.row);
}

const totals = (): LoadFacts['ledger']['totals'] => ({
  ...SOUND.ledger.totals,
  unreported: 1,
  redelivered: 2,
  clashes: 3,
});

describe('the ledgers of several shards', () => {
  it('show the slowest jobs first, and others as they came', () => {
    expect(
      samplesOf([row('delivered-once', 1, 2_000), row('lost', 2)], [row('lost', 3), row('delivered-once', 4, 9_000)]),
    ).toEqual([4, 1, 2, 3]);
    expect(samplesOf([row('wrong-bytes', 1, 2_000)], [row('wrong-bytes', 2, 9_000)])).toEqual([1, 2]);
    expect(samplesOf([row('delivered-once', 1)], [row('delivered-once', 2, 1_001)])).toEqual([2, 1]);
    const late = { ...row('delivered-once', 1, 9_000), intendedUs: 8_000 };
    expect(samplesOf([late], [row('delivered-once', 2, 3_000)])).toEqual([2, 1]);
  });

  it('show twenty of each class', () => {
    const many = Array.from({ length: 15 }, (_, index) => row('lost', index));
    expect(samplesOf(many, many, [row('shed', 99)])).toEqual(
      [...many, ...many.slice(0, 5), row('shed', 99)].map((one) => one.row),
    );
  });

  it('are the one that there is, where there is one', () => {
    const record = shard(1, 1, { ledger: { totals: totals(), samples: [] } });
    expect(mergeLoadRecords([{ record, ledger: ledgerOfRun(97).toBytes() }]).ledger.totals).toEqual(
      SOUND.ledger.totals,
    );
    expect(mergeLoadRecords([{ record }]).ledger.totals).toEqual(totals());
  });

  it.each([
    ['of all of them', true, { intents: 200, clashes: 97 }],
    ['of none of them', false, { intents: 200, unreported: 2, redelivered: 4, clashes: 6 }],
    ['of only some of them', 'one', { intents: 200, unreported: 2, redelivered: 4, clashes: 6 }],
  ] as const)('are joined row by row where there are ledgers %s', (_, there, expected) => {
    const ledger = { totals: totals(), samples: [] };
    const bytes = { ledger: ledgerOfRun(97).toBytes() };
    const whole = mergeLoadRecords([
      { record: shard(1, 2, { ledger }), ...(there !== false && bytes) },
      { record: shard(2, 2, { ledger }), ...(there === true && bytes) },
    ]);
    expect(whole.ledger.totals).toMatchObject(expected);
    expect(whole.ledger.totals.classes['delivered-once']).toBe(194);
  });
});

it('judges thresholds on the whole only', () => {
  const plan = { ...SOUND.plan, thresholds: ['invoices.requests >= 200'] };
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
      recorder.phase('accept', tookUs, 0);
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
  const whole = mergeLoadRecords([{ record: { ...SOUND, ...recorded(() => true) } }]);
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
