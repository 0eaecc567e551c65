import { describe, expect, it } from 'vitest';

import type { ObservedExchange } from '../../../src/oracle/invariant.ts';
import { ResponseWatch } from '../../../src/oracle/response-watch.ts';

function success(id: string, headers: Readonly<Record<string, string>> = {}): ObservedExchange {
  const sent = {
    'content-type': 'application/json',
    'request-id': id,
    elapsed: '0.001',
    'response-time': '1',
    'api-version': '1.0.0',
    'content-md5': 'Wzq/nBqnVWw6Nv6k5pXF0g==',
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*',
    'access-control-allow-methods': '*',
    'access-control-expose-headers': '*',
    ...headers,
  };
  return {
    request: { method: 'GET', path: '/ping', headers: [] },
    response: { status: 200, headers: Object.entries(sent), body: Buffer.from('"OK"') },
    sentMs: 0,
    receivedMs: 10,
  };
}

describe('response watch', () => {
  it('finds nothing wrong with a response that keeps the invariants', () => {
    const watch = new ResponseWatch();
    watch.judge(success('a'));
    expect(watch.broken).toEqual([]);
    expect(watch.judged).toBe(1);
  });

  it('counts how often a clause was broken and keeps the first example', () => {
    const watch = new ResponseWatch();
    for (const id of ['a', 'b', 'b', 'b']) watch.judge(success(id));
    const repeated = watch.broken.find(({ clause }) => clause === 'service/request-id-unique');
    expect(repeated).toMatchObject({ count: 2, example: { at: 'header Request-Id of GET /ping' } });
  });

  it('wants every error, the first successes, and then one in four', () => {
    const watch = new ResponseWatch();
    const wanted = Array.from({ length: 500 }, () => watch.wants(0, 200)).filter(Boolean).length;
    expect(wanted).toBe(200);
    expect(Array.from({ length: 500 }, () => watch.wants(0, 429)).every(Boolean)).toBe(true);
  });

  it('counts successes of each kind for themselves', () => {
    const watch = new ResponseWatch();
    for (let count = 0; count < 200; count++) watch.wants(0, 200);
    expect(watch.wants(7, 200)).toBe(true);
  });
});
