import { expect, it } from 'vitest';

import { Durations } from '../../../../src/load/measure/histogram.ts';
import { exitCodeOfLoad, judgeLoad } from '../../../../src/load/verdict/judge-load.ts';
import type { LoadFacts } from '../../../../src/record/load-record.ts';
import { ledgerOfRun, loadFacts, soundLoadFacts } from '../../../support/load-facts.ts';

const SOUND = soundLoadFacts();
const WORKER = { name: 'w', clockOffsetMs: 0, roundTripMs: 1, startLateMs: 0 };

function lateBy(us: number): LoadFacts['self'] {
  const lateness = new Durations();
  lateness.record(us);
  return { ...SOUND.self, lateness: lateness.toRecord() };
}

function withThresholds(...thresholds: readonly string[]): LoadFacts['plan'] {
  return { ...SOUND.plan, thresholds };
}

const POWER_CUT = {
  what: 'power-cut',
  atMs: 1_000,
  hit: 1,
  lowestConnected: 0,
  mostBacklog: 0,
  recoveredMs: 0,
} as const;

function halfRefused(): LoadFacts['streams'] {
  return SOUND.streams.map((stream) => ({ ...stream, counts: { ...stream.counts, refused: stream.counts.ok } }));
}

it.each<[string, Partial<LoadFacts>, string, number]>([
  ['nothing is wrong', { plan: withThresholds('invoices.response.p99 <= 1s') }, 'pass', 0],
  ['a threshold is broken', { plan: withThresholds('invoices.response.p99 <= 1ms') }, 'fail', 1],
  ['nothing was measured', { plan: withThresholds('looks.response.p99 <= 1s') }, 'fail', 1],
  ['the service refused half', { streams: halfRefused() }, 'fail', 1],
  [
    'the service refused half, and something was switched off',
    { streams: halfRefused(), disasters: [POWER_CUT] },
    'pass',
    0,
  ],
  [
    'the service refused half, as a threshold allows',
    { streams: halfRefused(), plan: withThresholds('invoices.errors < 51%') },
    'pass',
    0,
  ],
  [
    'the service refused half, as it should',
    { streams: halfRefused(), plan: withThresholds('invoices.refused > 0') },
    'pass',
    0,
  ],
  [
    'the service refused half, as a threshold on the others allows',
    { streams: halfRefused(), plan: withThresholds('invoices.ok >= 1') },
    'pass',
    0,
  ],
  [
    'a threshold is on another error',
    { streams: halfRefused(), plan: withThresholds('invoices.limited == 0') },
    'fail',
    1,
  ],
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
  ['the service says that a job is still on its way', { ledger: stillOnItsWay() }, 'incomplete', 2],
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

it('says what keeps a load below the rate of a service, where that refused requests', () => {
  const streams = SOUND.streams.map((stream) => ({
    ...stream,
    counts: { ...stream.counts, limited: stream.counts.ok },
  }));
  expect(judgeLoad({ ...SOUND, streams }).reasons.join()).toContain('--plan tells which traffic.accounts');
  expect(judgeLoad({ ...SOUND, streams: halfRefused() }).reasons.join()).not.toContain('--plan');
});

const WEBHOOKS = SOUND.webhooks ?? raise();

function raise(): never {
  throw new Error('there are no webhooks');
}

function totals(changes: Partial<LoadFacts['ledger']['totals']>): Partial<LoadFacts> {
  return { ledger: { ...SOUND.ledger, totals: { ...SOUND.ledger.totals, ...changes } } };
}

function classes(changes: Partial<LoadFacts['ledger']['totals']['classes']>): Partial<LoadFacts> {
  return totals({ classes: { ...SOUND.ledger.totals.classes, ...changes } });
}

function webhooks(changes: Partial<typeof WEBHOOKS>): Partial<LoadFacts> {
  return { webhooks: { ...WEBHOOKS, ...changes } };
}

const DISAGREEING = webhooks({
  reconciliation: [
    { counter: 'receivedEvents', service: 3, seen: 2, agrees: false },
    { counter: 'droppedEvents', service: 0, seen: 0, agrees: true },
  ],
});
const KILLED = { what: 'service-killed', atMs: 1, hit: 1, lowestConnected: 0, mostBacklog: 0, recoveredMs: 9 } as const;

it.each<[string, Partial<LoadFacts>, readonly string[]]>([
  ['all is well', {}, []],
  ['a job is lost', { ...loadFacts(), self: SOUND.self }, ['1 job lost']],
  [
    'jobs are printed twice, by others, and not at all',
    classes({ 'delivered-once': 90, duplicated: 2, 'wrong-account': 1, lost: 4 }),
    ['2 jobs duplicated', '4 jobs lost', '1 job wrong-account'],
  ],
  ['the classes do not add up', totals({ intents: 101 }), ['the classes add up to 100, not to 101 jobs']],
  [
    'a report was not acknowledged',
    totals({ unreported: 1 }),
    ['1 job printed, whose report the service never acknowledged'],
  ],
  [
    'reports were not acknowledged',
    totals({ unreported: 2 }),
    ['2 jobs printed, whose report the service never acknowledged'],
  ],
  ['ids were given twice', totals({ clashes: 1 }), ['1 job ids were given to two submissions']],
  ['events are lost', webhooks({ classes: { ...WEBHOOKS.classes, lost: 2 } }), ['2 webhook events lost']],
  [
    'events came beside the account',
    webhooks({ strays: { ...WEBHOOKS.strays, again: 5, unreadable: 1 } }),
    ['1 webhook events beside the account: unreadable'],
  ],
  ['counters disagree', DISAGREEING, ['the service counts 3 receivedEvents, the receivers saw 2']],
  ['counters disagree after the service was killed', { ...DISAGREEING, disasters: [KILLED] }, []],
  [
    'counters disagree after a power cut',
    { ...DISAGREEING, disasters: [{ ...KILLED, what: 'power-cut' }] },
    ['the service counts 3 receivedEvents, the receivers saw 2'],
  ],
  ['there are no receivers', { webhooks: null }, []],
  [
    'responses broke a clause',
    {
      responses: { judged: 9, broken: [{ clause: 'x/y', count: 2, example: { expected: 'a', actual: 'b', at: 'c' } }] },
    },
    ['2 responses broke x/y: expected a, got b'],
  ],
  [
    'the ledger, webhooks and responses are broken',
    {
      ...totals({ clashes: 2 }),
      ...webhooks({ classes: { ...WEBHOOKS.classes, early: 1 } }),
      responses: { judged: 9, broken: [{ clause: 'x/y', count: 2, example: { expected: 'a', actual: 'b', at: 'c' } }] },
    },
    ['2 job ids were given to two submissions', '1 webhook events early', '2 responses broke x/y: expected a, got b'],
  ],
  [
    'the generator was late',
    { self: lateBy(12_000) },
    [
      'the generator itself was 12ms late at the 99th percentile (at most 10ms): its figures are not those of the service',
    ],
  ],
  [
    'the generator was as late as it may be',
    { self: { ...SOUND.self, lateness: { ...SOUND.self.lateness, p99Us: 10_000 } } },
    [],
  ],
  [
    'a threshold on lateness is broken, and another',
    { self: lateBy(5_000), plan: withThresholds(' lateness.p99 <= 2ms', 'ledger.lost > 0') },
    [' lateness.p99 <= 2ms: measured 5ms'],
  ],
  [
    'thresholds are broken',
    { plan: withThresholds('ledger.lost > 0', 'ledger.lost == 0', 'looks.response.p99 <= 1s') },
    ['ledger.lost > 0: measured 0', 'looks.response.p99 <= 1s: nothing was measured'],
  ],
  [
    'a threshold cannot be read',
    { plan: withThresholds('invoice.response') },
    ['invoice.response: nothing was measured'],
  ],
  ['it was given up and interrupted', { abortedBy: 'a > 1', ending: 'interrupted' }, ['given up: a > 1']],
  [
    'shards are missing, and it was interrupted before a request',
    {
      plan: { ...SOUND.plan, shards: 3, present: [2] },
      ending: 'interrupted',
      streams: SOUND.streams.map((stream) => ({ ...stream, counts: { ...stream.counts, ok: 0, timeout: 0 } })),
      workers: [
        { ...WORKER, shard: 1, finding: 'w1 was lost' },
        { ...WORKER, shard: 2, finding: 'w2 was slow' },
        { ...WORKER, shard: 3, finding: '' },
      ],
    },
    ['w1 was lost', 'missing of 3 shards: 1, 3', 'it was interrupted before its end', 'not one request was made'],
  ],
  [
    'not one request was made',
    { streams: SOUND.streams.map((stream) => ({ ...stream, counts: { ...stream.counts, ok: 0, timeout: 0 } })) },
    ['not one request was made'],
  ],
])('says why: %s', (_, changes, reasons) => {
  expect(judgeLoad({ ...SOUND, ...changes }).reasons).toEqual(reasons);
});

it('counts the thresholds that were kept', () => {
  const record = judgeLoad({
    ...SOUND,
    plan: withThresholds('ledger.lost > 0', 'ledger.lost == 0', 'ledger.lost <= 1'),
  });
  expect(record.summary).toEqual({ exitCode: 1, thresholds: { total: 3, pass: 2, fail: 1 } });
  expect(record.thresholds).toEqual([
    { text: 'ledger.lost > 0', measured: '0', kept: false },
    { text: 'ledger.lost == 0', measured: '0', kept: true },
    { text: 'ledger.lost <= 1', measured: '0', kept: true },
  ]);
  expect(record).not.toHaveProperty('losses');
});

it.each([
  ['pass', 'complete', 0],
  ['pass', 'interrupted', 130],
  ['fail', 'complete', 1],
  ['aborted', 'aborted', 1],
  ['invalid', 'complete', 2],
  ['incomplete', 'complete', 2],
] as const)('exits after %s, %s with %i', (verdict, ending, exitCode) => {
  expect(exitCodeOfLoad({ verdict, ending })).toBe(exitCode);
});

function stillOnItsWay(): LoadFacts['ledger'] {
  const ledger = ledgerOfRun(96);
  ledger.said(96, 'waiting');
  ledger.drained();
  return { totals: ledger.totals(), samples: [] };
}
