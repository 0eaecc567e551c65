/**
 * The rate limit judged by intervals: histories made by hand, and by token buckets of known make.
 */

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findExcess, findWrongRefusal, measureRate, type CountedRequest } from '../../../src/oracle/rate-limit.ts';

const RULE = { perSecond: 10, burstLeast: 27, burstMost: 40 };

/** A token bucket that counts each request at some time between sent and received. */
function history(
  arrivals: readonly number[],
  { perSecond = 10, burst = 30, delayMs = (): number => 0 } = {},
): readonly CountedRequest[] {
  let tokens = burst;
  let lastMs = arrivals[0] ?? 0;
  return arrivals.map((sentMs) => {
    const countedMs = Math.max(lastMs, sentMs + delayMs());
    tokens = Math.min(burst, tokens + ((countedMs - lastMs) * perSecond) / 1_000);
    lastMs = countedMs;
    const isRefused = tokens < 1;
    if (!isRefused) tokens--;
    return { sentMs, receivedMs: countedMs + delayMs(), isRefused };
  });
}

const atOnce = (count: number): readonly number[] => Array.from({ length: count }, () => 0);
const steadily = (perSecond: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => (index * 1_000) / perSecond);

describe('findWrongRefusal', () => {
  it('lets a burst of 30 and ten a second pass', () => {
    expect(findWrongRefusal(history(atOnce(60)), RULE)).toBeUndefined();
    expect(findWrongRefusal(history(steadily(40, 200)), RULE)).toBeUndefined();
  });

  it.each([
    ['a burst of 10', history(atOnce(25), { burst: 10 })],
    ['five a second', history([...atOnce(20), ...steadily(10, 80)], { perSecond: 5 })],
  ])('finds %s', (_, requests) => {
    expect(findWrongRefusal(requests, RULE)).toMatchObject({ isRefused: true });
  });

  it('gives the service the benefit of not knowing when a request arrived', () => {
    const slow = [...atOnce(28)].map(() => ({ sentMs: 0, receivedMs: 5_000, isRefused: true }));
    expect(findWrongRefusal(slow, RULE)).toBeUndefined();
    expect(findWrongRefusal(slow.slice(0, 27), RULE)).toBeDefined();
  });
});

describe('findExcess', () => {
  it('lets what the rule allows pass', () => {
    expect(findExcess(history(steadily(40, 200)), RULE)).toBeUndefined();
    expect(findExcess(history(atOnce(100), { burst: 40 }), RULE)).toBeUndefined();
  });

  it.each([
    ['no limit', history(steadily(40, 200), { burst: 1_000 })],
    ['20 a second', history(steadily(40, 200), { perSecond: 20 })],
    ['a burst of 60', history(atOnce(100), { burst: 60 })],
  ])('finds %s', (_, requests) => {
    expect(findExcess(requests, RULE)).toMatchObject({ accepted: expect.any(Number) });
  });
});

it('never blames a token bucket that keeps the rule, however slow the way there is', () => {
  const delays = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 20 });
  const arrivals = fc.array(fc.integer({ min: 0, max: 8_000 }), { maxLength: 150 });
  fc.assert(
    fc.property(arrivals, delays, fc.integer({ min: 28, max: 40 }), (times, ways, burst) => {
      let next = 0;
      const delayMs = (): number => ways[next++ % ways.length] ?? 0;
      const requests = history(
        times.toSorted((left, right) => left - right),
        { burst, delayMs },
      );
      expect(findWrongRefusal(requests, RULE)).toBeUndefined();
      expect(findExcess(requests, RULE)).toBeUndefined();
    }),
    { numRuns: 100 },
  );
});

it('measures burst and rate', () => {
  const { burst, perSecond } = measureRate(history(steadily(40, 400)));
  expect(burst).toBeGreaterThanOrEqual(28);
  expect(burst).toBeLessThanOrEqual(32);
  expect(perSecond).toBeGreaterThan(9);
  expect(perSecond).toBeLessThan(11);
});
