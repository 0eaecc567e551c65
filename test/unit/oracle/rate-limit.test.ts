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

const request = (sentMs: number, receivedMs = sentMs, isRefused = false): CountedRequest => ({
  sentMs,
  receivedMs,
  isRefused,
});
const refused = (sentMs: number, receivedMs = sentMs): CountedRequest => request(sentMs, receivedMs, true);
/** Two at once, and one a second. */
const SMALL = { perSecond: 1, burstLeast: 2, burstMost: 2 };

it.each<[string, readonly CountedRequest[], boolean, number?]>([
  ['the third at once', [request(0), request(0), refused(0)], true],
  ['the second at once', [request(0), refused(0)], false],
  ['the third within a second', [request(0), request(0), refused(999)], true],
  ['the third after a second', [request(0), request(0), refused(1_000)], false],
  ['the third a second after two that took long', [request(0, 500), request(0, 500), refused(1_000)], true],
  ['one that itself took long', [refused(0, 5_000)], false],
  ['the third at once, of slow ones', [request(0, 5_000), request(0, 5_000), refused(0, 5_000)], true],
  ['the same where a thousandth of a second counts', [request(0, 5), request(0, 5), refused(0, 5)], true, 1_000],
  ['one before two others', [refused(0, 1), request(10_000), request(10_000), request(10_000)], false],
  ['one while two others were under way', [refused(0, 10), request(10), request(10)], true],
  ['one just before two others', [refused(0, 10), request(11), request(11)], false],
  ['one long after a burst', [request(0), request(0), request(0), refused(60_000)], false],
  ['one after a burst that goes on', [request(0), request(0), request(0), request(500), refused(1_500)], true],
])('judges the refusal of %s', (_, requests, isRight, perSecond = 1) => {
  const wrong = findWrongRefusal(requests, { ...SMALL, perSecond });
  expect(wrong).toEqual(isRight ? undefined : requests.find(({ isRefused }) => isRefused));
});

it('shows the first refusal that is wrong', () => {
  const [first, second] = [refused(0), refused(60_000)];
  expect(findWrongRefusal([first, second], SMALL)).toBe(first);
});

it.each<[string, readonly CountedRequest[], ReturnType<typeof findExcess>]>([
  ['two at once', [request(10_000), request(10_000)], undefined],
  ['three at once', [request(10_000), request(10_000), request(10_000)], { accepted: 3, seconds: 0 }],
  ['three in half a second', [10_000, 10_200, 10_500].map((atMs) => request(atMs)), { accepted: 3, seconds: 0.5 }],
  ['three in a second', [10_000, 10_500, 11_000].map((atMs) => request(atMs)), undefined],
  ['three sent at once and received late', [0, 0, 0].map((atMs) => request(atMs, 1_000)), undefined],
  ['three at once, one of them refused', [request(0), request(0), refused(0)], undefined],
  ['two, long after one another', [request(0), request(90_000)], undefined],
  [
    'four of which one was received later',
    [request(0), request(0), request(0, 5_000), request(0)],
    { accepted: 3, seconds: 0 },
  ],
  [
    'four of which one was sent earlier',
    [request(-5_000, 0), request(0), request(0), request(0)],
    { accepted: 3, seconds: 0 },
  ],
])('judges what was accepted: %s', (_, requests, window) => {
  expect(findExcess(requests, SMALL)).toEqual(window);
});

it.each<[string, readonly CountedRequest[], ReturnType<typeof measureRate>]>([
  ['nothing', [], { burst: 0, perSecond: 0 }],
  ['one request', [request(1_000)], { burst: 1, perSecond: 0 }],
  ['one refusal', [refused(1_000)], { burst: 0, perSecond: 0 }],
  [
    'a burst that is refilled while it lasts',
    [
      ...Array.from({ length: 10 }, (_, index) => request(5_000 + 100 * index)),
      refused(6_000),
      request(6_250),
      request(6_500),
    ],
    { burst: 6, perSecond: 4 },
  ],
  [
    'a burst with a part',
    [request(1_000), request(1_200), request(1_400), refused(1_600), request(1_800), refused(2_000, 2_100)],
    { burst: 2, perSecond: 2 },
  ],
  [
    'what is accepted with the first refusal',
    [request(0), refused(500), request(500), request(1_500)],
    { burst: 2, perSecond: 1 },
  ],
  ['no refusal', [request(1_000), request(1_500), request(3_000)], { burst: 1, perSecond: 1 }],
])('measures the burst, and the rate after it: %s', (_, requests, measured) => {
  expect(measureRate(requests)).toEqual(measured);
});

it('measures burst and rate', () => {
  const { burst, perSecond } = measureRate(history(steadily(40, 400)));
  expect(burst).toBeGreaterThanOrEqual(28);
  expect(burst).toBeLessThanOrEqual(32);
  expect(perSecond).toBeGreaterThan(9);
  expect(perSecond).toBeLessThan(11);
});
