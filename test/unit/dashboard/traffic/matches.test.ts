import { expect, it } from 'vitest';

import { requestMatches } from '../../../../src/dashboard/traffic/matches.ts';
import type { TrafficEntry } from '../../../../src/record/control-types.ts';

const ENTRY: TrafficEntry = {
  id: 1,
  timeMs: 0,
  requestId: 'abc',
  method: 'POST',
  path: '/printjobs',
  status: 400,
  durationMs: 1,
  accountId: 1,
  requestHeaders: {},
  requestBody: { text: '{"title":"Invoice"}', bytes: 19, cut: false },
  responseHeaders: {},
  responseBody: null,
  curl: null,
};

it.each(['post', '400 printjobs', 'invoice', ' POST  abc '])('%j finds the request', (filter) => {
  expect(requestMatches(ENTRY, filter)).toBe(true);
});

it.each(['get', '400 printers', 'receipt'])('%j does not', (filter) => {
  expect(requestMatches(ENTRY, filter)).toBe(false);
});
