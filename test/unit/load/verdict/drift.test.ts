/**
 * Hours of soaks in a moment: the seconds of a run made up from a seed, with what happens to real ones: noise that
 * lasts, a heap that is collected, a start that is slow.
 */

import { describe, expect, it } from 'vitest';

import { createRandom, type Random } from '../../../../src/common/random.ts';
import { driftOf } from '../../../../src/load/verdict/drift.ts';
import { judgeLoad } from '../../../../src/load/verdict/judge-load.ts';
import type { LoadFacts, SecondRecord } from '../../../../src/record/load-record.ts';
import { viewOf } from '../../../../src/report/view/view-of.ts';
import { Ledger } from '../../../../src/oracle/ledger.ts';
import { soundLoadFacts } from '../../../support/load-facts.ts';

const HOUR_S = 3_600;
const MEGABYTE = 1e6;
const FACTS = soundLoadFacts();

interface Soak {
  readonly seed?: number;
  readonly seconds?: number;
  /** The share by which responses get slower in an hour. */
  readonly slowerBy?: number;
  readonly leaksMbPerMinute?: number;
  readonly jobsAnHour?: number;
  readonly rateGrowsBy?: number;
}

/** About normal, with a standard deviation of 1. */
/** As much as the ledger keeps of each. */
const BYTES_A_JOB = 100;

function noise(random: Random): number {
  return Array.from({ length: 12 }, () => random.fraction()).reduce((sum, one) => sum + one, -6);
}

function soak({
  seed = 1,
  seconds = HOUR_S,
  slowerBy = 0,
  leaksMbPerMinute = 0,
  rateGrowsBy = 0,
  jobsAnHour = 0,
}: Soak): LoadFacts {
  const random = createRandom(seed).stream('soak');
  const template = FACTS.series[0];
  if (!template) throw new Error('the facts have no second');
  const serviceMemory: number[] = [];
  let mood = 0;
  const series = Array.from({ length: seconds }, (_, second): SecondRecord => {
    const hours = second / HOUR_S;
    mood = 0.6 * mood + 0.04 * noise(random);
    const warmUp = 1 + 0.8 * Math.exp(-second / 20);
    const p50Us = 3_000 * (1 + slowerBy * hours) * warmUp * Math.exp(mood);
    const garbage = 25 * ((second % 47) / 47) + noise(random);
    const heap = 160 - 60 * Math.exp(-second / 40) + garbage;
    serviceMemory.push((heap + (leaksMbPerMinute * second) / 60) * MEGABYTE);
    const arrivals = Math.round(50 * (1 + rateGrowsBy * hours) + 3 * noise(random));
    const intended = Math.round(jobsAnHour * hours);
    const self = { ...template.self, rssBytes: (120 + 10 * ((second % 31) / 31)) * MEGABYTE + intended * BYTES_A_JOB };
    const jobs = { ...template.jobs, intended };
    return { ...template, second, arrivals, ended: arrivals, response: { ...template.response, p50Us }, jobs, self };
  });
  return { ...FACTS, durationMs: seconds * 1_000, series, serviceMemory };
}

function drifting(facts: LoadFacts): readonly string[] | undefined {
  return driftOf(facts)
    ?.trends.filter(({ isDrift }) => isDrift)
    .map(({ what }) => what);
}

const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1);

describe.each(SEEDS)('an hour with seed %i', (seed) => {
  it.each([
    { what: 'a sound service', given: {}, found: [] },
    { what: 'one that slows by 5 %', given: { slowerBy: 0.05 }, found: ['response'] },
    { what: 'one that leaks 1 MB a minute', given: { leaksMbPerMinute: 1 }, found: ['service-memory'] },
    {
      what: 'one that does both',
      given: { slowerBy: 0.05, leaksMbPerMinute: 1 },
      found: ['response', 'service-memory'],
    },
  ])('names what drifts in $what', ({ given, found }) => {
    expect(drifting(soak({ ...given, seed }))).toEqual(found);
  });
});

it('does not take what the ledger keeps of each job for drift', () => {
  expect(drifting(soak({ jobsAnHour: 1_000_000 }))).toEqual([]);
});

it('gives the interval that the true growth lies in', () => {
  const trends = driftOf(soak({ slowerBy: 0.05, leaksMbPerMinute: 1 }))?.trends ?? [];
  const actual = { response: 0.05, 'service-memory': 60 * MEGABYTE, 'generator-memory': 0 };
  for (const { what, low, high } of trends) {
    expect(low).toBeLessThanOrEqual(actual[what]);
    expect(high).toBeGreaterThanOrEqual(actual[what]);
  }
  expect(trends).toHaveLength(3);
});

it('says nothing of a run that is too short, or in which something was done on purpose', () => {
  expect(driftOf(soak({ seconds: 500, slowerBy: 0.9 }))).toBeUndefined();
  const killed = {
    what: 'service-killed',
    atMs: 5,
    hit: 1,
    lowestConnected: 0,
    mostBacklog: 0,
    recoveredMs: 1,
  } as const;
  expect(driftOf({ ...soak({ slowerBy: 0.05 }), disasters: [killed] })).toBeUndefined();
});

it('does not blame the service for answers that slow down as the rate grows', () => {
  expect(drifting(soak({ slowerBy: 0.5, rateGrowsBy: 1 }))).toEqual([]);
});

it('says in the last line what drifts, and how sure that is', () => {
  const leaking = soak({ leaksMbPerMinute: 1 });
  const record = judgeLoad(leaking);
  expect(record.drift).toEqual(driftOf(leaking));
  const { sentence } = viewOf(record);
  expect(sentence).toMatch(
    /is accounted for\. Drift: the service's memory grows by \d+\.\d MB an hour \(\d+\.\d to \d+\.\d\) \(99 % sure\)\.$/,
  );
});

it('fails a soak that loses 1 job in 100,000', () => {
  const ledger = new Ledger();
  for (let job = 0; job < 100_000; job++) {
    const row = ledger.intend({ intendedUs: job, account: 0, printer: 0, document: 0, copies: 1 });
    ledger.sent(row, job);
    ledger.accepted(row, job + 1, job);
    if (job === 77_777) continue;
    ledger.printed(row, { printer: 0, documentMatches: true, copies: 1, optionsMatch: true, titleMatches: true }, job);
    ledger.reported(row, 'done', job);
  }
  ledger.drained();
  const judged = judgeLoad({ ...soak({}), ledger: { totals: ledger.totals(), samples: [] } });
  expect(judged).toMatchObject({ verdict: 'fail', reasons: ['1 job lost'] });
});
