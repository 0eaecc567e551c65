import { createHash } from 'node:crypto';

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

  it('counts how often a clause was broken, the most often broken first, and keeps the first example', () => {
    const watch = new ResponseWatch();
    watch.judge(success('a', { elapsed: '70' }));
    for (const id of ['b', 'c', 'c', 'c'])
      watch.judge({ ...success(id), request: { method: 'GET', path: `/${id}`, headers: [] } });
    expect(watch.broken).toEqual([
      {
        clause: 'service/request-id-unique',
        count: 2,
        example: {
          expected: 'one that no earlier response carries',
          actual: '"c" again',
          at: 'header Request-Id of GET /c',
        },
      },
      { clause: 'service/elapsed-seconds', count: 1, example: expect.objectContaining({ actual: '"70"' }) },
    ]);
    expect(watch.judged).toBe(5);
  });

  it('keeps the first example of a clause', () => {
    const watch = new ResponseWatch();
    for (const elapsed of ['70', '80']) watch.judge(success(elapsed, { elapsed }));
    expect(watch.broken).toMatchObject([{ count: 2, example: { actual: '"70"' } }]);
  });

  it('judges the content of a response, and its request id', () => {
    const watch = new ResponseWatch();
    watch.judge(success('a', { 'content-type': 'text/plain' }));
    expect(watch.broken.map(({ clause }) => clause)).toEqual(['service/json-content-type']);
  });

  it('judges by no clause that is less than a must, nor by a 5xx', () => {
    const watch = new ResponseWatch();
    const { request, response, ...times } = success('a', { 'content-type': 'application/json; charset=utf-8' });
    watch.judge({ request, response, ...times });
    const error = Buffer.from(JSON.stringify({ uid: 'b', code: 'C', message: 'm', more: 1 }));
    const { response: other } = success('b', { 'content-md5': createHash('md5').update(error).digest('base64') });
    watch.judge({ request, response: { ...other, status: 500, body: error }, ...times });
    expect(watch.broken).toEqual([]);
  });

  it.each([
    [50_000, []],
    [49_999, ['service/request-id-unique']],
  ])('forgets request ids after fifty thousand responses: after %i', (between, broken) => {
    const watch = new ResponseWatch();
    const first = success('a');
    watch.judge(first);
    const plain: ObservedExchange = { ...first, response: { status: 300, headers: [], body: new Uint8Array(0) } };
    for (let count = 1; count < between; count++) watch.judge(plain);
    watch.judge(first);
    expect(watch.broken.map(({ clause }) => clause)).toEqual(broken);
  });

  it('wants the first hundred successes, and then one in four', () => {
    const watch = new ResponseWatch();
    const wanted = Array.from({ length: 200 }, (_, index) => [index + 1, watch.wants(0, 200)] as const);
    const numbers = wanted.flatMap(([number, isWanted]) => (isWanted ? [number] : []));
    expect(numbers.slice(0, 102)).toEqual([...Array.from({ length: 100 }, (_, index) => index + 1), 104, 108]);
    expect(numbers).toHaveLength(125);
  });

  it.each([
    [199, 500],
    [200, 200],
    [299, 200],
    [300, 500],
    [429, 500],
  ])('wants of 500 responses with status %i %i', (status, count) => {
    const watch = new ResponseWatch();
    expect(Array.from({ length: 500 }, () => watch.wants(0, status)).filter(Boolean)).toHaveLength(count);
  });

  it('counts successes of each kind for themselves', () => {
    const watch = new ResponseWatch();
    for (let count = 0; count < 200; count++) watch.wants(0, 200);
    expect([watch.wants(0, 200), watch.wants(7, 200)]).toEqual([false, true]);
  });
});
