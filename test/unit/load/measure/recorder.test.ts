import fc from 'fast-check';
import { expect, it } from 'vitest';

import { Durations, mergeDurations } from '../../../../src/load/measure/histogram.ts';
import { outcomeOfStatus, Recorder } from '../../../../src/load/measure/recorder.ts';

const SELF = { cpu: 0.5, rssBytes: 1e8, eventLoopDelayP99Us: 900 };
const JOBS = { intended: 1, accepted: 1, delivered: 0, printed: 0, reported: 0 };

it('counts response from the intended start, service from sending, lateness as its own', () => {
  const recorder = new Recorder({ streams: ['jobs'], accounts: 2 });
  recorder.ended(0, 0, 'ok', 201, 1_000, 1_400, 1_500, 4_000);
  const [stream] = recorder.toRecording().streams;
  expect([stream?.response.maxUs, stream?.service.maxUs, stream?.lateness.maxUs]).toEqual([3_000, 2_500, 400]);
  expect(stream?.statuses).toEqual({ 201: 1 });
});

it('counts what is intended in the warm-up, and leaves it out of the durations', () => {
  const recorder = new Recorder({ streams: ['jobs'], accounts: 1, warmUpUs: 1_000_000 });
  for (const intendedUs of [0, 999_999, 1_000_000]) {
    recorder.ended(0, 0, 'ok', 201, intendedUs, intendedUs, intendedUs, intendedUs + 5_000);
    recorder.phase('whole', 9_000, intendedUs);
  }
  recorder.closeSecond(1e6, JOBS, SELF);
  const { streams, legs, series } = recorder.toRecording();
  expect(streams[0]?.counts.ok).toBe(3);
  expect([streams[0]?.response.count, streams[0]?.lateness.count, legs[0]?.duration.count]).toEqual([1, 1, 1]);
  expect(series[0]?.ended).toBe(3);
});

it('charges a stall of the service to every request that had to wait', () => {
  const recorder = new Recorder({ streams: ['jobs'], accounts: 1 });
  for (let k = 0; k < 100; k++) {
    const intendedUs = k * 20_000;
    const endedUs = Math.max(intendedUs, 1_000_000) + 100;
    recorder.ended(0, 0, 'ok', 200, intendedUs, intendedUs, endedUs - 100, endedUs);
  }
  const [stream] = recorder.toRecording().streams;
  expect(stream?.service.p99Us).toBeLessThan(200);
  expect(stream?.response.p90Us).toBeGreaterThan(750_000);
});

it('merges shards into exactly what one shard would have recorded', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.integer({ min: 0, max: 4_000_000_000 }), { minLength: 1 }), {
        minLength: 1,
        maxLength: 4,
      }),
      (shards) => {
        const one = new Durations();
        const parts = shards.map((values) => {
          const part = new Durations();
          for (const value of values) {
            part.record(value);
            one.record(value);
          }
          return part.toRecord();
        });
        expect(mergeDurations(parts)).toEqual(one.toRecord());
      },
    ),
    { numRuns: 60 },
  );
});

it('is exact to three digits', () => {
  const durations = new Durations();
  for (let us = 1; us <= 100_000; us++) durations.record(us);
  for (const percent of [1, 50, 90, 99, 99.9]) {
    expect(Math.abs(durations.percentile(percent) / (percent * 1_000) - 1)).toBeLessThan(0.001);
  }
});

it('keeps a series of separate seconds', () => {
  const recorder = new Recorder({ streams: ['jobs'], accounts: 1 });
  recorder.ended(0, 0, 'ok', 201, 0, 0, 0, 5_000);
  recorder.closeSecond(1_000_000, JOBS, SELF);
  recorder.shed(0, 0);
  recorder.ended(0, 0, 'failed', 500, 1_000_000, 1_000_000, 1_000_000, 1_009_000);
  recorder.closeSecond(2_000_700, JOBS, SELF);
  const { series } = recorder.toRecording();
  expect(series.map(({ second, arrivals, ended, errors }) => [second, arrivals, ended, errors])).toEqual([
    [0, 1, 1, 0],
    [1, 2, 1, 2],
  ]);
  expect(series.map(({ response }) => Math.round(response.p99Us / 100))).toEqual([50, 90]);
});

it.each([
  [200, 'ok'],
  [201, 'ok'],
  [429, 'limited'],
  [404, 'refused'],
  [302, 'refused'],
  [503, 'failed'],
])('status %i counts as %s', (status, outcome) => {
  expect(outcomeOfStatus(status)).toBe(outcome);
});
