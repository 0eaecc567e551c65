import { expect, it } from 'vitest';

import { compareLoad } from '../../../../src/load/verdict/compare.ts';
import { judgeLoad } from '../../../../src/load/verdict/judge-load.ts';
import type { LoadFacts, LoadRecord, SecondRecord } from '../../../../src/record/load-record.ts';
import { soundLoadFacts } from '../../../support/load-facts.ts';

const SOUND = judgeLoad(soundLoadFacts());
const [SECOND] = SOUND.series;
const [STREAM] = SOUND.streams;

/** Seconds whose median and 99th percentile are these, in microseconds. */
function seconds(p50s: readonly number[], p99s = p50s): readonly SecondRecord[] {
  return p50s.flatMap((p50Us, index) =>
    SECOND
      ? [{ ...SECOND, second: index, ended: 10, response: { ...SECOND.response, p50Us, p99Us: p99s[index] ?? 0 } }]
      : [],
  );
}

type Counts = Partial<LoadFacts['streams'][number]['counts']>;

function stream(name: string, p50Us: number, p99Us: number, counts: Counts = {}): LoadFacts['streams'] {
  return STREAM
    ? [
        {
          ...STREAM,
          name,
          response: { ...STREAM.response, p50Us, p99Us },
          counts: { ...STREAM.counts, ok: 0, timeout: 0, ...counts },
        },
      ]
    : [];
}

function run(changes: Partial<LoadRecord>): LoadRecord {
  return { ...SOUND, streams: [], series: [], ...changes };
}

/** The lines by metric. */
function lines(baseline: LoadRecord, now: LoadRecord): ReadonlyMap<string, unknown> {
  return new Map(compareLoad(baseline, now).lines.map(({ metric, ...line }) => [metric, line]));
}

it('finds nothing changed in the same run', () => {
  const { isSamePlan, lines } = compareLoad(SOUND, SOUND);
  expect(isSamePlan).toBe(true);
  expect(lines.map(({ change }) => change)).toEqual(lines.map(() => 'same'));
  expect(lines.map(({ metric }) => metric)).toEqual([
    'response.p50 of a second',
    'response.p99 of a second',
    'invoices.response.p50',
    'invoices.response.p99',
    'looks.response.p50',
    'looks.response.p99',
    'requests answered well',
    'errors',
  ]);
});

it('says that it compares with another plan', () => {
  expect(compareLoad(SOUND, { ...SOUND, plan: { ...SOUND.plan, hash: 'other' } }).isSamePlan).toBe(false);
});

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + Math.max(1, value), 0) / values.length;

it.each<[string, readonly number[], readonly number[], string, number]>([
  ['the same', [100, 100], [100, 100], 'same', 1],
  ['twice as slow', [100, 100], [200, 200], 'worse', 2],
  ['twice as fast', [200, 200], [100, 100], 'better', 0.5],
  ['slower by chance', [100, 300, 100, 300], [100, 300, 300, 300], 'same', 1.25],
  ['too fast to measure', [0, 0], [0, 0], 'same', 1],
])('compares seconds: %s', (_, before, after, change, ratio) => {
  const found = lines(run({ series: seconds(before) }), run({ series: seconds(after) }));
  const expected = { baseline: mean(before), now: mean(after), ratio, change };
  expect(found.get('response.p50 of a second')).toMatchObject(expected);
  expect(found.get('response.p99 of a second')).toMatchObject(expected);
});

it('compares each percentile with its own', () => {
  const found = lines(run({ series: seconds([10, 10], [500, 500]) }), run({ series: seconds([10, 10], [900, 900]) }));
  expect(found.get('response.p50 of a second')).toMatchObject({ baseline: 10, now: 10, range: [1, 1] });
  expect(found.get('response.p99 of a second')).toMatchObject({ baseline: 500, now: 900, range: [1.8, 1.8] });
});

it('gives the middle 95 % of what chance would make of the change', () => {
  const spread = Array.from({ length: 40 }, (_, index) => 100 + ((index * 37) % 101));
  const found = compareLoad(run({ series: seconds(spread) }), run({ series: seconds(spread) })).lines[0];
  // The means of 40 draws differ by a standard deviation of 4 %: 8 % to either side.
  expect(found?.range).toEqual([0.9225092250922509, 1.09264399722415]);
});

it('leaves out seconds in which nothing ended, and runs that have no others', () => {
  const [idle] = seconds([9_999]).map((second) => ({ ...second, ended: 0 }));
  const [one] = seconds([100]).map((second) => ({ ...second, ended: 1 }));
  if (!idle || !one) throw new Error('there are no seconds');
  const found = lines(run({ series: [idle, one] }), run({ series: [one, idle] }));
  expect(found.get('response.p50 of a second')).toMatchObject({ baseline: 100, now: 100 });
  for (const [before, after] of [
    [idle, one],
    [one, idle],
  ] as const) {
    expect([...lines(run({ series: [before] }), run({ series: [after] })).keys()]).toEqual([
      'requests answered well',
      'errors',
    ]);
  }
});

it.each<[string, number, number, string, number | null]>([
  ['the same', 1_000, 1_000, 'same', 1],
  ['slower by less than 2 %', 1_000, 1_020, 'same', 1.02],
  ['slower by more', 1_000, 1_021, 'worse', 1.021],
  ['faster by less than 2 %', 1_000, 980, 'same', 0.98],
  ['faster by more', 1_000, 979, 'better', 0.979],
  ['slower than nothing', 0, 1, 'worse', null],
  ['nothing as before', 0, 0, 'same', null],
])('compares a stream: %s', (_, before, after, change, ratio) => {
  const found = lines(run({ streams: stream('a', before, 7) }), run({ streams: stream('a', after, 7) }));
  expect(found.get('a.response.p50')).toEqual({ baseline: before, now: after, ratio, range: null, change });
  expect(found.get('a.response.p99')).toMatchObject({ baseline: 7, now: 7, change: 'same' });
});

it('compares streams by their names, and leaves out new ones', () => {
  const before = [...stream('a', 10, 20), ...stream('b', 30, 40)];
  const after = [...stream('b', 30, 80), ...stream('c', 50, 60)];
  const found = lines(run({ streams: before }), run({ streams: after }));
  expect([...found.keys()]).toEqual(['b.response.p50', 'b.response.p99', 'requests answered well', 'errors']);
  expect(found.get('b.response.p99')).toMatchObject({ baseline: 40, now: 80, ratio: 2, change: 'worse' });
});

const twice = (counts: Counts): LoadFacts['streams'] => [
  ...stream('a', 1, 1, counts),
  ...stream('b', 1, 1, { ...counts, shed: 1 }),
];

it.each<[string, Counts, Counts, string, string]>([
  ['more', { ok: 100, failed: 5 }, { ok: 200, failed: 10 }, 'better', 'worse'],
  ['fewer', { ok: 200, failed: 10 }, { ok: 100, failed: 5 }, 'worse', 'better'],
])('takes %s answers and %s errors for what they are', (_, before, after, answers, errors) => {
  const found = lines(run({ streams: twice(before) }), run({ streams: twice(after) }));
  expect(found.get('requests answered well')).toMatchObject({
    baseline: 2 * (before.ok ?? 0),
    now: 2 * (after.ok ?? 0),
    change: answers,
  });
  expect(found.get('errors')).toMatchObject({
    baseline: 2 * (before.failed ?? 0) + 1,
    now: 2 * (after.failed ?? 0) + 1,
    change: errors,
  });
});
