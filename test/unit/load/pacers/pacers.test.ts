import fc from 'fast-check';
import { expect, it } from 'vitest';

import { createRandom } from '../../../../src/common/random.ts';
import { createPacer, type PacerSettings } from '../../../../src/load/pacers/pacers.ts';

const random = createRandom('pacers');
const rate = fc.double({ min: 0.5, max: 400, noNaN: true });
const durationMs = fc.integer({ min: 1, max: 30_000 });

/** All there are: a kind that is missing here does not compile. */
const PACERS: {
  readonly [Kind in PacerSettings['kind']]: fc.Arbitrary<Extract<PacerSettings, { kind: Kind }>>;
} = {
  constant: fc.record({ kind: fc.constant('constant' as const), rate }),
  ramp: fc.record({ kind: fc.constant('ramp' as const), from: rate, to: rate }),
  step: fc.record({
    kind: fc.constant('step' as const),
    levels: fc.array(fc.record({ rate, forMs: durationMs }), { minLength: 1, maxLength: 5 }),
  }),
  spike: fc.record({
    kind: fc.constant('spike' as const),
    base: rate,
    peak: rate,
    atMs: durationMs,
    forMs: durationMs,
  }),
  sine: fc.record({
    kind: fc.constant('sine' as const),
    mean: rate,
    amplitude: rate,
    periodMs: fc.integer({ min: 500, max: 20_000 }),
  }),
  poisson: fc.record({ kind: fc.constant('poisson' as const), rate }),
  trace: fc.record({
    kind: fc.constant('trace' as const),
    timesMs: fc.array(fc.integer({ min: 0, max: 40_000 })),
  }),
};
const ANY_PACER: fc.Arbitrary<PacerSettings> = fc.oneof(...Object.values(PACERS));

function timesOf(settings: PacerSettings, ms: number): number[] {
  return [...createPacer(settings, ms).times(random.stream('times'))];
}

it('gives ascending times, from the start and all before the end', () => {
  fc.assert(
    fc.property(ANY_PACER, durationMs, (settings, ms) => {
      const times = timesOf(settings, ms);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.every((atMs) => atMs >= 0 && atMs <= ms)).toBe(true);
    }),
  );
});

it('brings exactly as many arrivals as it announces', () => {
  const exact = ANY_PACER.filter(({ kind }) => kind !== 'poisson');
  fc.assert(
    fc.property(exact, durationMs, (settings, ms) => {
      expect(timesOf(settings, ms)).toHaveLength(createPacer(settings, ms).expectedArrivals);
    }),
  );
});

it.each<[PacerSettings, number, number, string]>([
  [{ kind: 'constant', rate: 50 }, 1_000, 50, 'fifty a second'],
  [{ kind: 'constant', rate: 0.1 }, 30_000, 3, 'one in ten seconds'],
  [{ kind: 'constant', rate: 5_000 }, 20_000, 100_000, 'five thousand a second'],
  [{ kind: 'ramp', from: 0, to: 300 }, 60_000, 9_000, 'half the last rate on average'],
  [{ kind: 'ramp', from: 300, to: 0 }, 60_000, 9_000, 'the same downwards'],
  [
    {
      kind: 'step',
      levels: [
        { rate: 10, forMs: 1_000 },
        { rate: 20, forMs: 500 },
      ],
    },
    3_000,
    50,
    'the last level lasts',
  ],
  [{ kind: 'spike', base: 10, peak: 100, atMs: 1_000, forMs: 1_000 }, 3_000, 120, 'one second of a hundred'],
  [{ kind: 'sine', mean: 100, amplitude: 50, periodMs: 1_000 }, 2_000, 200, 'whole periods bring the mean'],
])('%j for %i ms brings %i arrivals: %s', (settings, ms, count) => {
  expect(timesOf(settings, ms)).toHaveLength(count);
});

it('does not drift: an hour on, each time is where arithmetic puts it', () => {
  const times = timesOf({ kind: 'constant', rate: 333 }, 3_600_000);
  expect(times).toHaveLength(333 * 3_600);
  expect(
    Math.max(...[0, 1, 999, 600_000, 1_198_799].map((k) => Math.abs((times[k] ?? 0) - (k / 333) * 1_000))),
  ).toBeLessThan(1e-6);
});

it('follows the rate of a ramp: arrival k is due where the integral reaches k', () => {
  const [from, to, seconds] = [20, 180, 10];
  for (const [k, atMs] of timesOf({ kind: 'ramp', from, to }, seconds * 1_000).entries()) {
    const t = atMs / 1_000;
    expect(from * t + ((to - from) * t * t) / (2 * seconds)).toBeCloseTo(k, 6);
  }
});

it('follows the rate of a sine', () => {
  for (const [k, atMs] of timesOf({ kind: 'sine', mean: 100, amplitude: 80, periodMs: 4_000 }, 10_000).entries()) {
    const t = atMs / 1_000;
    expect(100 * t + ((80 * 4) / (2 * Math.PI)) * (1 - Math.cos((2 * Math.PI * t) / 4))).toBeCloseTo(k, 2);
  }
});

it('draws Poisson gaps from the seed: as many as expected, and as irregular', () => {
  const times = timesOf({ kind: 'poisson', rate: 1_000 }, 20_000);
  expect(times).toEqual(timesOf({ kind: 'poisson', rate: 1_000 }, 20_000));
  expect(Math.abs(times.length - 20_000)).toBeLessThan(4 * Math.sqrt(20_000));
  const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length);
  expect(deviation / mean).toBeCloseTo(1, 1);
});

it('knows the densest second of a trace', () => {
  const pacer = createPacer({ kind: 'trace', timesMs: [900, 0, 950, 1_200, 5_000] }, 4_000);
  expect([pacer.expectedArrivals, pacer.peakRate]).toEqual([4, 3]);
});
