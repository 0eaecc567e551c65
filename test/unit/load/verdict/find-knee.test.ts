import { describe, expect, it } from 'vitest';

import { planLoad } from '../../../../src/load/plan/load-plan.ts';
import { findKnee, scaled, type Knee } from '../../../../src/load/verdict/find-knee.ts';
import { judgeLoad } from '../../../../src/load/verdict/judge-load.ts';
import type { LoadFacts } from '../../../../src/record/load-record.ts';
import type { LoadVerdict } from '../../../../src/record/words.ts';
import { soundLoadFacts } from '../../../support/load-facts.ts';
import { loadStream, plainLoad } from '../../../support/load-parts.ts';

const SCENARIO = plainLoad({
  streams: [loadStream({ arrivals: { kind: 'open', pacer: { kind: 'constant', rate: 100 } } })],
});

/** What became of a hundred requests. */
type Counts = LoadFacts['streams'][number]['counts'];
const ALL_GOOD: Counts = { ok: 100, limited: 0, refused: 0, failed: 0, timeout: 0, broken: 0, shed: 0 };

function factsOf(counts: Counts): LoadFacts {
  const facts = soundLoadFacts();
  return { ...facts, streams: facts.streams.map((stream) => ({ ...stream, counts })) };
}

/** A service and a generator, each with the most requests per second that it can handle. */
function search(bears: number, makes = Infinity, countsAt = (_rate: number): Counts => ALL_GOOD): Promise<Knee> {
  const rateOf = (scenario: typeof SCENARIO): number => planLoad(scenario).estimate.peakRate;
  return findKnee({
    scenario: SCENARIO,
    stepMs: 1_000,
    peakRateOf: rateOf,
    run: (scenario) => {
      const rate = rateOf(scenario);
      const verdict: LoadVerdict = rate > makes ? 'invalid' : rate > bears ? 'fail' : 'pass';
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
    const { best, steps } = await search(Infinity, Infinity, (rate) =>
      rate > 450 ? { ...ALL_GOOD, ...counts } : ALL_GOOD,
    );
    expect(best?.peakRate).toBeLessThanOrEqual(450);
    expect(best?.peakRate).toBeGreaterThan(380);
    expect(steps.find(({ peakRate }) => peakRate === 800)?.reasons).toContain(why);
  });

  it('finds none at a service that refuses nearly everything', async () => {
    const { best } = await search(Infinity, Infinity, () => ({ ...ALL_GOOD, ok: 1, limited: 99 }));
    expect(best).toBeNull();
  });

  it('ends where the generator is the limit', async () => {
    const { best, endedBy } = await search(Infinity, 500);
    expect(endedBy).toBe('generator');
    expect(best?.peakRate).toBe(400);
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
