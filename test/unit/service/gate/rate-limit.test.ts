import { array, assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { TokenBuckets } from '../../../../src/service/gate/rate-limit.ts';
import { runService, SECOND_KEY } from '../../../support/running-service.ts';

describe('the buckets', () => {
  it('let a burst of thirty through and refuse the next with the time to wait', () => {
    const buckets = new TokenBuckets();
    expect(Array.from({ length: 30 }, () => buckets.take('a', 1_000))).toEqual(Array(30).fill(0));
    expect(buckets.take('a', 1_000)).toBe(100);
    expect(buckets.take('a', 1_060)).toBe(40);
    expect(buckets.take('a', 1_100)).toBe(0);
    expect(buckets.take('b', 1_000)).toBe(0);
  });

  it('let ten a second through for ever, and never more than the burst above that', () => {
    const gaps = array(integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 300 });
    assert(
      property(gaps, (gapsMs) => {
        const buckets = new TokenBuckets();
        let nowMs = 0;
        const takenAtMs: number[] = [];
        const refusedAfterMs: number[] = [];
        for (const gapMs of gapsMs) {
          nowMs += gapMs;
          if (buckets.take('a', nowMs) === 0) takenAtMs.push(nowMs);
          else refusedAfterMs.push(gapMs);
        }
        expect(refusedAfterMs.every((gapMs) => gapMs < 100)).toBe(true);
        for (const [first, fromMs] of takenAtMs.entries()) {
          const [last = fromMs] = takenAtMs.slice(-1);
          expect(takenAtMs.length - first).toBeLessThanOrEqual(30 + (last - fromMs) / 100 + 1e-9);
        }
      }),
    );
  });

  it('charge nothing for what they refuse', () => {
    const buckets = new TokenBuckets();
    for (let count = 0; count < 1_000; count++) buckets.take('a', 0);
    expect(buckets.take('a', 100)).toBe(0);
  });

  it('forget callers that have been quiet, and no others', () => {
    const buckets = new TokenBuckets();
    for (let count = 0; count < 30; count++) buckets.take('busy', 0);
    for (let caller = 0; caller < 1_000; caller++) buckets.take(`caller ${caller}`, 2_900);
    expect(buckets.take('busy', 2_900)).toBe(0);
    for (let count = 0; count < 28; count++) expect(buckets.take('busy', 3_000)).toBe(0);
    buckets.take('busy', 3_000);
    expect(buckets.take('busy', 3_000)).toBeGreaterThan(0);
    for (let second = 4; second < 12; second++) buckets.take('busy', second * 1_000);
    expect(buckets.size).toBe(1);
  });

  it('do not lock a caller out when the clock is set back', () => {
    const buckets = new TokenBuckets();
    buckets.take('a', 3_600_000);
    expect(buckets.take('a', 0)).toBe(0);
  });
});

describe('a service that counts requests', () => {
  it('does nothing for a refused request: its idempotency key stays free', async () => {
    await using service = await runService({ limits: 'spec' });
    for (let count = 0; count < 30; count++) await service.call('GET', '/noop');
    const options = { body: { printerId: 1 }, headers: { 'X-Idempotency-Key': 'once' } };
    expect((await service.call('POST', '/printjobs', options)).status).toBe(429);
    await service.clock.advance(1_000);
    expect((await service.call('POST', '/printjobs', options)).status).toBe(400);
  });

  it('counts by address instead where that is chosen, for all callers together', async () => {
    await using service = await runService({ limits: 'spec', choices: { rateLimitScope: 'address' } });
    for (let count = 0; count < 30; count++) await service.call('GET', '/ping', { key: null });
    expect((await service.call('GET', '/noop')).status).toBe(429);
    expect((await service.call('GET', '/noop', { key: 'wrong' })).status).toBe(429);
  });

  it('counts by both where that is chosen', async () => {
    await using service = await runService({ limits: 'spec', choices: { rateLimitScope: 'both' } });
    for (let count = 0; count < 15; count++) await service.call('GET', '/noop');
    for (let count = 0; count < 15; count++) await service.call('GET', '/noop', { key: SECOND_KEY });
    expect((await service.call('GET', '/noop')).status).toBe(429);
  });

  it('is the default of a service', async () => {
    await using service = await runService({ limits: undefined });
    for (let count = 0; count < 30; count++) await service.call('GET', '/noop');
    expect((await service.call('GET', '/noop')).status).toBe(429);
  });
});
