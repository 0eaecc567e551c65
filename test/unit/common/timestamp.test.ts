import { expect, it } from 'vitest';

import { datetimeMs, timestampMs } from '../../../src/common/timestamp.ts';

const MS = Date.UTC(2026, 10, 23, 0, 23, 38, 835);

it.each([
  '2026-11-23T00:23:38.835Z',
  '2026-11-23T00:23:38.835123Z',
  '2026-11-23T00:23:38.835+00:00',
  '2026-11-23T01:23:38.835+01',
  '2026-11-23T00:23:38,835Z',
  '20261123T002338.835Z',
  '20261122T235338,835-0030',
  '2026-11-23T00:23:38.835',
])('reads %s as ISO 8601', (text) => {
  expect(timestampMs(text)).toBe(MS);
  expect(datetimeMs(text)).toBe(MS);
});

it.each([
  '2026-11-23 00:23:38.835+00',
  '2026-11-23t00:23:38.835z',
  'Mon, 23 Nov 2026 00:23:38.835 +0000',
  '23 Nov 2026 00:23:38.835 GMT',
  MS,
  MS / 1_000,
])('reads %s as a datetime alone', (text) => {
  expect(timestampMs(text)).toBeUndefined();
  expect(datetimeMs(text)).toBe(MS);
});

it.each([String(MS), '2026-13-01T00:00:00Z', '2026-1123T00:00:00Z', '2026-11-23', 'Mon, 99 Nov 2026 00:23:38 GMT'])(
  'does not take %s for a time',
  (value) => {
    expect(timestampMs(value)).toBeUndefined();
    expect(datetimeMs(value)).toBeUndefined();
  },
);
