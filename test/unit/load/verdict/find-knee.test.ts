import { describe, expect, it } from 'vitest';

import { planLoad } from '../../../../src/load/plan/load-plan.ts';
import type { LoadScenario, LoadStream } from '../../../../src/load/plan/load-scenario.ts';
import { findKnee, percent, scaled, type Knee } from '../../../../src/load/verdict/find-knee.ts';
import { judgeLoad } from '../../../../src/load/verdict/judge-load.ts';
import type { LoadFacts, LoadRecord } from '../../../../src/record/load-record.ts';
import type { LoadVerdict } from '../../../../src/record/words.ts';
import { soundLoadFacts } from '../../../support/load-facts.ts';
import { loadStream, plainLoad } from '../../../support/load-scenario.ts';

const SCENARIO = plainLoad({
  streams: [loadStream({ arrivals: { kind: 'open', pacer: { kind: 'constant', rate: 100 } } })],
});

const SOUND = soundLoadFacts();

/** What became of a hundred requests. */
type Counts = LoadFacts['streams'][number]['counts'];
const ALL_GOOD: Counts = { ok: 100, limited: 0, refused: 0, failed: 0, timeout: 0, broken: 0, shed: 0 };

function factsOf(counts: Counts): LoadFacts {
  return { ...SOUND, streams: SOUND.streams.map((stream) => ({ ...stream, counts })) };
}

const peakRateOf = (scenario: LoadScenario): number => planLoad(scenario).estimate.peakRate;

const always = (rate: number) => (): number => rate;

/** A service and a generator, each with the most requests per second that it can handle. */
function search(
  bears: number,
  makes = always(Infinity),
  countsAt = (_rate: number): Counts => ALL_GOOD,
): Promise<Knee> {
  return findKnee({
    scenario: SCENARIO,
    stepMs: 1_000,
    peakRateOf,
    run: (scenario) => {
      const rate = peakRateOf(scenario);
      const verdict: LoadVerdict = rate > makes() ? 'invalid' : rate > bears ? 'fail' : 'pass';
      return Promise.resolve({ ...judgeLoad(factsOf(countsAt(rate))), verdict });
    },
    signal: new AbortController().signal,
  });
}

describe('the search for the knee', () => {
  it.each([130, 450, 1_000, 7_777])('finds the rate that a service bears: %i', async (bears) => {
    const { best, endedBy } = await search(bears);
    expect(endedBy).toBe('found');
    expect(best?.peakRate).toBeLessThanOrEqual(bears);
    expect(best?.peakRate).toBeGreaterThan(bears * 0.85);
  });

  it('tries lower rates when the first step breaks a threshold', async () => {
    const { best } = await search(30);
    expect(best?.peakRate).toBeLessThanOrEqual(30);
    expect(best?.peakRate).toBeGreaterThan(25);
  });

  it.each([
    ['refuses', { ok: 1, limited: 99 }, 'only 1% of the requests were answered well'],
    ['lets wait until they are not sent', { ok: 99, shed: 1 }, '2 of them were not sent: too many were under way'],
  ])('takes no rate for sustained at which the service %s, whatever the thresholds say', async (_, counts, why) => {
    const { best, steps } = await search(Infinity, always(Infinity), (rate) =>
      rate > 450 ? { ...ALL_GOOD, ...counts } : ALL_GOOD,
    );
    expect(best?.peakRate).toBeLessThanOrEqual(450);
    expect(best?.peakRate).toBeGreaterThan(380);
    expect(steps.find(({ peakRate }) => peakRate === 800)?.reasons).toContain(why);
  });

  it('finds none at a service that refuses nearly everything', async () => {
    const { best } = await search(Infinity, always(Infinity), () => ({ ...ALL_GOOD, ok: 1, limited: 99 }));
    expect(best).toBeNull();
  });

  it('ends where the generator is the limit', async () => {
    const { best, endedBy } = await search(Infinity, always(500));
    expect(endedBy).toBe('generator');
    expect(best?.peakRate).toBe(400);
  });

  it('tries a step again in which the generator was late for a moment', async () => {
    let late = 0;
    const { best, endedBy } = await search(1_000, () => (late++ % 3 === 0 ? 0 : Infinity));
    expect(endedBy).toBe('found');
    expect(best?.peakRate).toBeGreaterThan(900);
  });

  it('makes steps of a constant rate, with all streams from the start', () => {
    const stream = loadStream({
      arrivals: { kind: 'open', pacer: { kind: 'ramp', from: 0, to: 200 } },
      startMs: 5_000,
      forMs: 60_000,
    });
    const [step] = scaled(plainLoad({ streams: [stream] }), 0.5, 10_000).streams;
    expect(step).toMatchObject({
      startMs: 0,
      forMs: 10_000,
      arrivals: { pacer: { kind: 'constant', rate: 100 } },
    });
  });
});

const SUSTAINED: LoadRecord = { ...judgeLoad(factsOf(ALL_GOOD)), verdict: 'pass', reasons: [] };

/** A run of the scenario whose steps end like this, one after the other. */
async function stepsOf(
  outcomes: readonly Partial<LoadRecord>[],
  options: { readonly abortAt?: number } = {},
): Promise<{ readonly knee: Knee; readonly seen: readonly number[] }> {
  const aborting = new AbortController();
  const seen: number[] = [];
  let step = 0;
  const knee = await findKnee({
    scenario: SCENARIO,
    stepMs: 1_000,
    peakRateOf,
    run: () => {
      const changes = outcomes[step] ?? {};
      step++;
      if (step === options.abortAt) aborting.abort();
      return Promise.resolve({ ...SUSTAINED, ...changes });
    },
    onStep: ({ factor }) => void seen.push(factor),
    signal: aborting.signal,
  });
  return { knee, seen };
}

const FAILED = { verdict: 'fail', reasons: ['too slow'] } as const;

it('doubles until a step fails, and halves into the gap until it is a twentieth of the rate', async () => {
  const { knee, seen } = await stepsOf([{}, {}, FAILED, {}, FAILED, {}, FAILED]);
  expect(seen).toEqual([1, 2, 4, 3, 3.5, 3.25, 3.375]);
  expect(knee).toMatchObject({ endedBy: 'found', best: { factor: 3.25, peakRate: 325, goodShare: 1, reasons: [] } });
  expect(knee.steps.map(({ factor, reasons }) => [factor, reasons])).toEqual([
    [1, []],
    [2, []],
    [4, ['too slow']],
    [3, []],
    [3.5, ['too slow']],
    [3.25, []],
    [3.375, ['too slow']],
  ]);
  expect(knee.broken).toBe(knee.steps.at(-1));
});

it('halves the rate where the first step fails, and then into the gap', async () => {
  const { seen } = await stepsOf([FAILED, {}, {}, {}, FAILED]);
  expect(seen).toEqual([1, 0.5, 0.75, 0.875, 0.9375, 0.90625]);
});

/** As often as a step is tried. */
const LATE = Array.from({ length: 3 }, () => ({ verdict: 'invalid' as const }));

it('takes no step for kept that has a reason, or that has not passed', async () => {
  const { knee } = await stepsOf([{ reasons: ['a reason'] }, { verdict: 'incomplete' }, ...LATE]);
  expect(knee).toMatchObject({ endedBy: 'generator', best: null });
  expect(knee.steps.map(({ factor }) => factor)).toEqual([1, 0.5, 0.25, 0.25, 0.25]);
});

it.each([
  ['a caller asks it to', [{}, {}], { abortAt: 2 }],
  ['a step was interrupted', [{}, { ending: 'interrupted' }], {}],
] as const)('ends where %s', async (_, outcomes, options) => {
  const { knee } = await stepsOf(outcomes, options);
  expect(knee).toMatchObject({ endedBy: 'interrupted', best: { factor: 1 } });
  expect(knee.steps).toHaveLength(2);
});

it('gives up after sixteen steps', async () => {
  const { knee } = await stepsOf([]);
  expect(knee).toMatchObject({ endedBy: 'most-steps', best: { factor: 2 ** 15 } });
  expect(knee.steps).toHaveLength(16);
});

it.each<[string, Partial<Counts>, number, readonly string[]]>([
  ['nearly all', { ok: 99, limited: 1 }, 0.99, []],
  ['a little less', { ok: 989, limited: 11 }, 0.989, ['only 98.9% of the requests were answered well']],
  ['nothing', { ok: 0 }, 0, ['only 0% of the requests were answered well']],
  ['all but what was not sent', { ok: 999, shed: 1 }, 0.999, ['2 of them were not sent: too many were under way']],
])('says why a service that answers %s well does not sustain the rate', async (_, counts, goodShare, reasons) => {
  const { knee } = await stepsOf([
    { ...judgeLoad(factsOf({ ...ALL_GOOD, ...counts })), verdict: 'pass', reasons: [] },
    { verdict: 'invalid' },
  ]);
  expect(knee.steps[0]).toMatchObject({ goodShare, reasons });
});

it('takes no rate for sustained at which a single request was not sent', async () => {
  const { streams } = factsOf({ ...ALL_GOOD, ok: 999, shed: 1 });
  const { knee } = await stepsOf([{ streams: streams.slice(0, 1) }, { verdict: 'invalid' }]);
  expect(knee.steps[0]?.reasons).toEqual(['1 of them were not sent: too many were under way']);
});

/** Seconds of a step in which this many answers came. */
function answered(perSecond: readonly number[]): LoadRecord['series'] {
  return perSecond.flatMap((ended, second) => SOUND.series.map((one) => ({ ...one, second, ended })));
}

const STEP_S = 10;
const every = (perSecond: number, seconds = STEP_S): readonly number[] =>
  Array.from({ length: seconds }, () => perSecond);

/** The knee of a service that answers everything well, in this many a second. */
function queueing(
  answersAt: (rate: number) => readonly number[],
  { streams = SCENARIO.streams, stepMs = STEP_S * 1_000 } = {},
): Promise<Knee> {
  return findKnee({
    scenario: { ...SCENARIO, streams },
    stepMs,
    peakRateOf,
    run: (scenario) => Promise.resolve({ ...SUSTAINED, series: answered(answersAt(peakRateOf(scenario))) }),
    signal: new AbortController().signal,
  });
}

describe('a service whose queue grows', () => {
  it.each([60, 200, 500, 1_000, 2_000])('that answers %i a second sustains that many, within a tenth', async (most) => {
    // What is left is answered after the step.
    const { best, broken } = await queueing((rate) => [...every(Math.min(rate, most)), 9_999]);
    expect(best?.peakRate).toBeGreaterThan(most * 0.9);
    expect(best?.peakRate).toBeLessThan(most * 1.1);
    expect(broken?.reasons).toEqual([expect.stringMatching(/^a queue grew: 9[\d.]+% as many answers as requests$/)]);
  });

  it('is not one that takes its time', async () => {
    const { endedBy } = await queueing((rate) => [0, 0, 0, 0, 0, ...every(rate, 5)]);
    expect(endedBy).toBe('most-steps');
  });

  it.each([
    ['nearly all', 96, []],
    ['fewer', 95, ['a queue grew: 95% as many answers as requests']],
  ])('is one that gives %s of the answers in the second half', async (_, perSecond, reasons) => {
    const { steps } = await queueing(() => [...every(0, 5), ...every(perSecond, 5)]);
    expect(steps[0]?.reasons).toEqual(reasons);
  });

  it.each([
    ['is not looked for in less than two seconds', 3_000, [0, 0, 0], []],
    ['is looked for in two', 4_000, [0, 0, 0, 0], ['a queue grew: 0% as many answers as requests']],
    ['is looked for in whole seconds', 4_500, [100, 100, 100, 100, 50], []],
    ['is not looked for in the first half', 5_000, [0, 0, 0, 100, 100], []],
  ])('%s', async (_, stepMs, answers, reasons) => {
    const { steps } = await queueing(() => answers, { stepMs });
    expect(steps[0]?.reasons).toEqual(reasons);
  });

  it('is not looked for where callers wait for their answers', async () => {
    const callers = loadStream({ arrivals: { kind: 'closed', loops: 3, thinkMs: 5 } });
    const { steps } = await queueing(() => every(1), { streams: [...SCENARIO.streams, callers] });
    expect(steps[0]?.reasons).toEqual([]);
  });
});

it.each([
  [1, '100%'],
  [0.9999, '99.9%'],
  [0.5, '50%'],
  [0, '0%'],
])('rounds the share %f down: %s', (share, text) => {
  expect(percent(share)).toBe(text);
});

function stepOf(arrivals: LoadStream['arrivals'], factor: number): LoadScenario {
  return scaled(plainLoad({ streams: [loadStream({ arrivals, startMs: 5_000, forMs: 10_000 })] }), factor, 1_000);
}

describe('a step of the search', () => {
  it.each([
    [10, 1.5, 15],
    [3, 0.5, 2],
    [1, 0.25, 1],
  ])('has of %i callers, times %f, %i', (loops, factor, expected) => {
    const step = stepOf({ kind: 'closed', loops, thinkMs: 5 }, factor);
    expect(step.streams[0]).toMatchObject({
      startMs: 0,
      forMs: 1_000,
      arrivals: { kind: 'closed', loops: expected, thinkMs: 5 },
    });
  });

  it.each<[string, readonly number[], number]>([
    ['its mean rate', [0, 10, 20, 2_000], 2],
    ['a rate that there can be, where it is one moment', [0], 1_000],
    ['nothing where it is empty', [], 0],
  ])('has of a trace %s', (_, timesMs, rate) => {
    const step = stepOf({ kind: 'open', pacer: { kind: 'trace', timesMs } }, 1);
    expect(step.streams[0]?.arrivals).toEqual({ kind: 'open', pacer: { kind: 'constant', rate } });
  });

  it('names its factor to a thousandth, and has no chaos', () => {
    const chaos: LoadScenario['chaos'] = [{ what: 'power-cut', atMs: 1, share: 1, forMs: 0, withinMs: 0 }];
    const scenario = plainLoad({ title: 'Rush', chaos });
    expect(scaled(scenario, 1 / 3, 1_000)).toMatchObject({ title: 'Rush × 0.333', chaos: [] });
  });
});
