import { expect, it } from 'vitest';

import { createRandom } from '../../../../src/common/random.ts';
import { Durations } from '../../../../src/load/measure/histogram.ts';
import { compareLoad } from '../../../../src/load/verdict/compare.ts';
import { judgeLoad } from '../../../../src/load/verdict/judge-load.ts';
import type { DurationRecord, LoadFacts, LoadRecord, SecondRecord } from '../../../../src/record/load-record.ts';
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

/** Requests that took these times, in microseconds, each as often as it is said. */
function took(times: readonly number[], often: number): DurationRecord {
  const durations = new Durations();
  for (let turn = 0; turn < often; turn++) for (const time of times) durations.record(time);
  return durations.toRecord();
}

function stream(name: string, response: DurationRecord, counts: Counts = {}): LoadFacts['streams'] {
  return STREAM ? [{ ...STREAM, name, response, counts: { ...STREAM.counts, ok: 0, timeout: 0, ...counts } }] : [];
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
  expect(lines.map(({ metric, change }) => [metric, change])).toEqual([
    // One second, and not enough requests for a 99th percentile.
    ['response.p50 of a second', 'not-enough'],
    ['response.p99 of a second', 'not-enough'],
    ['invoices.response.p50', 'not-enough'],
    ['invoices.response.p99', 'not-enough'],
    ['looks.response.p50', 'not-enough'],
    ['looks.response.p99', 'not-enough'],
    ['requests answered well', 'same'],
    ['errors', 'same'],
  ]);
});

it('says that it compares with another plan', () => {
  expect(compareLoad(SOUND, { ...SOUND, plan: { ...SOUND.plan, hash: 'other' } }).isSamePlan).toBe(false);
});

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + Math.max(1, value), 0) / values.length;

const often = (values: readonly number[], turns = 5): readonly number[] =>
  Array.from({ length: turns }, () => values).flat();

it.each<[string, readonly number[], readonly number[], string, number]>([
  ['the same', [100, 100], [100, 100], 'same', 1],
  ['twice as slow', [100, 100], [200, 200], 'worse', 2],
  ['twice as fast', [200, 200], [100, 100], 'better', 0.5],
  ['slower by 2 %', [100, 100], [102, 102], 'same', 1.02],
  ['slower by more', [100, 100], [103, 103], 'worse', 1.03],
  ['faster by 2 %', [100, 100], [98, 98], 'same', 0.98],
  ['faster by more', [100, 100], [97, 97], 'better', 0.97],
  ['slower by chance', [100, 300, 100, 300], [100, 300, 300, 300], 'not-enough', 1.25],
  ['too fast to measure', [0, 0], [0, 0], 'same', 1],
])('compares seconds: %s', (_, before, after, change, ratio) => {
  const found = lines(run({ series: seconds(often(before)) }), run({ series: seconds(often(after)) }));
  const expected = { baseline: mean(before), now: mean(after), ratio, change };
  expect(found.get('response.p50 of a second')).toMatchObject(expected);
  expect(found.get('response.p99 of a second')).toMatchObject(expected);
});

it('does not tell anything from fewer than ten seconds of either run', () => {
  const [nine, ten] = [seconds(often([100], 9)), seconds(often([200], 10))];
  for (const [before, after] of [
    [nine, ten],
    [ten, nine],
  ] as const) {
    const found = lines(run({ series: before }), run({ series: after }));
    expect(found.get('response.p50 of a second')).toMatchObject({ range: null, change: 'not-enough' });
  }
});

it('compares each percentile with its own', () => {
  const [ten, five, nine] = [often([10]), often([500]), often([900])].map((values) => often(values, 2));
  const found = lines(run({ series: seconds(ten ?? [], five) }), run({ series: seconds(ten ?? [], nine) }));
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

const SPREAD = Array.from({ length: 100 }, (_, index) => 1_000 + index);
const times = (factor: number): readonly number[] => SPREAD.map((time) => Math.round(time * factor));

it.each<[string, readonly number[], readonly number[], number, string, string]>([
  ['the same', SPREAD, SPREAD, 10, 'same', 'same'],
  ['slower by less than chance and 2 %', SPREAD, times(1.01), 10, 'same', 'same'],
  ['slower by more', SPREAD, times(1.2), 10, 'worse', 'worse'],
  ['faster by more', times(1.2), SPREAD, 10, 'better', 'better'],
  ['slower, in two requests', [1_000, 1_000], [1_150, 1_150], 1, 'not-enough', 'not-enough'],
  ['slower, in too few for a 99th percentile', SPREAD, times(1.2), 3, 'worse', 'not-enough'],
  ['three in a hundred very slow', SPREAD, [...SPREAD, 9_000, 9_000, 9_000], 10, 'same', 'worse'],
])('compares a stream: %s', (_, before, after, turns, p50, p99) => {
  const found = lines(
    run({ streams: stream('a', took(before, turns)) }),
    run({ streams: stream('a', took(after, turns)) }),
  );
  expect(found.get('a.response.p50')).toMatchObject({ change: p50 });
  expect(found.get('a.response.p99')).toMatchObject({ change: p99 });
});

const count = (length: number): readonly number[] => Array.from({ length }, (_, index) => index + 1);

it('gives the ranks between which chance would find a percentile', () => {
  const same = run({ streams: stream('a', took(count(1_000), 1)) });
  const found = lines(same, same);
  // 500 ± 31 of 1,000, and 990 ± 6.
  expect(found.get('a.response.p50')).toMatchObject({ range: [470 / 531, 531 / 470], change: 'same' });
  expect(found.get('a.response.p99')).toMatchObject({ range: [984 / 997, 997 / 984], change: 'same' });
});

it('takes a time that is too short to measure for a microsecond', () => {
  const [before, after] = [run({ streams: stream('a', took([0], 10)) }), run({ streams: stream('a', took([3], 10)) })];
  expect(lines(before, after).get('a.response.p50')).toMatchObject({ ratio: null, range: [3, 3], change: 'worse' });
});

it.each([
  ['p50', 7, 'not-enough'],
  ['p50', 8, 'same'],
  ['p99', 380, 'not-enough'],
  ['p99', 381, 'same'],
])('tells %s of %i requests: %s', (percentile, requests, change) => {
  const same = run({ streams: stream('a', took([10], requests)) });
  expect(lines(same, same).get(`a.response.${percentile}`)).toMatchObject({ change });
});

it('finds no change between two halves of the same requests, 19 times of 20', () => {
  const random = createRandom(1);
  const draw = (): LoadFacts['streams'] =>
    stream(
      'a',
      took(
        Array.from({ length: 2_000 }, () => Math.round(1_000 / (1.001 - random.fraction()))),
        1,
      ),
    );
  const changes = Array.from({ length: 100 }, () => lines(run({ streams: draw() }), run({ streams: draw() })));
  for (const metric of ['a.response.p50', 'a.response.p99']) {
    const wrong = changes.filter((found) => /worse|better/.test(JSON.stringify(found.get(metric))));
    expect(wrong.length).toBeLessThanOrEqual(5);
  }
});

it('compares streams by their names, and leaves out new ones', () => {
  const [slow, fast] = [took([80], 500), took([40], 500)];
  const before = [...stream('a', fast), ...stream('b', fast)];
  const after = [...stream('b', slow), ...stream('c', slow)];
  const found = lines(run({ streams: before }), run({ streams: after }));
  expect([...found.keys()]).toEqual(['b.response.p50', 'b.response.p99', 'requests answered well', 'errors']);
  expect(found.get('b.response.p99')).toMatchObject({ baseline: 40, now: 80, ratio: 2, change: 'worse' });
});

const twice = (counts: Counts): LoadFacts['streams'] => [
  ...stream('a', took([], 0), counts),
  ...stream('b', took([], 0), { ...counts, shed: 1 }),
];

it.each<[string, Counts, Counts, string, string]>([
  ['as many', { ok: 100, failed: 5 }, { ok: 100, failed: 5 }, 'same', 'same'],
  ['more', { ok: 100, failed: 50 }, { ok: 200, failed: 100 }, 'better', 'worse'],
  ['fewer', { ok: 200, failed: 100 }, { ok: 100, failed: 50 }, 'worse', 'better'],
  ['a few more', { ok: 5_000, failed: 0 }, { ok: 5_010, failed: 1 }, 'same', 'not-enough'],
  ['some where there were hardly any', { ok: 5_000, failed: 0 }, { ok: 5_000, failed: 10 }, 'same', 'worse'],
])('compares %s of each kind of answer', (_, before, after, answers, errors) => {
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

const errors = (failed: number): LoadRecord => run({ streams: stream('a', took([], 0), { failed }) });

it.each([
  [4, 9, 2.25, 0.69, 6.48],
  [0, 10, null, 1.23, 358.39],
])('gives the range of a count that was %i and is %i', (before, after, ratio, low, high) => {
  const found = compareLoad(errors(before), errors(after)).lines.find(({ metric }) => metric === 'errors');
  expect(found).toMatchObject({ baseline: before, now: after, ratio });
  expect(found?.range?.map((end) => Math.round(end * 100) / 100)).toEqual([low, high]);
});
