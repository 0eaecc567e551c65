import { expect, it } from 'vitest';

import { harOf } from '../../../../src/dashboard/traffic/har.ts';
import type { TrafficEntry } from '../../../../src/record/control-types.ts';

const ENTRY: TrafficEntry = {
  id: 1,
  timeMs: 0,
  requestId: 'a',
  method: 'POST',
  path: '/printjobs?dry=1',
  status: 201,
  durationMs: 2.5,
  accountId: 1,
  requestHeaders: { 'content-type': 'application/json' },
  requestBody: { text: '{}', bytes: 2, cut: false },
  responseHeaders: { 'content-type': 'application/json' },
  responseBody: { text: '7', bytes: 1, cut: false },
  curl: null,
};

it('holds requests with bodies and headers, the oldest first', () => {
  const older = { ...ENTRY, id: 0, method: 'GET', requestBody: null, responseBody: null, responseHeaders: null };
  expect(harOf([ENTRY, older], 'http://127.0.0.1:8631', '1.2.3')).toMatchObject({
    log: {
      version: '1.2',
      creator: { name: 'platen', version: '1.2.3' },
      entries: [
        { request: { method: 'GET', bodySize: -1 }, response: { content: { size: 0, mimeType: '' } } },
        {
          startedDateTime: '1970-01-01T00:00:00.000Z',
          time: 2.5,
          request: {
            method: 'POST',
            url: 'http://127.0.0.1:8631/printjobs?dry=1',
            queryString: [{ name: 'dry', value: '1' }],
            headers: [{ name: 'content-type', value: 'application/json' }],
            postData: { mimeType: 'application/json', text: '{}' },
          },
          response: { status: 201, content: { size: 1, mimeType: 'application/json', text: '7' } },
        },
      ],
    },
  });
});
