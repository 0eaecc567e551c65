import { createHash } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ACCESS_CONTROL_HEADERS, LIST_HEADERS, RESPONSE_HEADERS } from '../../../../src/specification/headers.ts';
import { exchangeRaw, RawClient } from '../../../support/raw-client.ts';
import { runService, SECOND_KEY, type RunningService } from '../../../support/running-service.ts';

let service: RunningService;
beforeEach(async () => {
  service = await runService();
});
afterEach(() => service[Symbol.asyncDispose]());

describe('headers of a response', () => {
  it('are all there, on answers and on refusals, on those of no request too', async () => {
    await using client = await RawClient.connect(service.port);
    const responses = [
      await client.ask('GET /printers HTTP/1.1'),
      await client.ask('GET /nowhere HTTP/1.1'),
      await exchangeRaw(service.port, 'GET /noop HTTP/1.1\r\nHost: service.test\r\n\r\n'),
      await exchangeRaw(service.port, 'GET / HTTP/9.9\r\n\r\n'),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 404, 401, 400]);
    for (const { headers, text } of responses) {
      const names = [...Object.values(RESPONSE_HEADERS), ...Object.values(ACCESS_CONTROL_HEADERS)].map((header) =>
        header.name.toLowerCase(),
      );
      expect([...headers.keys()]).toEqual(expect.arrayContaining(names));
      expect(headers.get('content-md5')).toBe(createHash('md5').update(text).digest('base64'));
    }
  });

  it('name the headers that a browser may read', async () => {
    const { headers } = await service.call('GET', '/printers');
    const exposed = String(headers['access-control-expose-headers']).split(', ');
    expect(exposed).toEqual(expect.arrayContaining(Object.values(LIST_HEADERS).map(({ name }) => name)));
    expect(Object.keys(headers)).toEqual(
      expect.arrayContaining(Object.values(LIST_HEADERS).map(({ name }) => name.toLowerCase())),
    );
  });
});

describe('OPTIONS', () => {
  it('is answered without an account, and says what is possible', async () => {
    const answer = await service.call('OPTIONS', '/printjobs', {
      key: null,
      headers: { Origin: 'https://app.test', 'Access-Control-Request-Method': 'POST' },
    });
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': expect.stringContaining('POST') as string,
        'access-control-allow-headers': expect.stringMatching(/Authorization.*X-Idempotency-Key/) as string,
        allow: 'POST, GET, DELETE, OPTIONS',
      },
    });
    expect(answer.headers['x-account']).toBeUndefined();
  });

  it('is answered for what does not exist too, and for the whole service', async () => {
    expect((await service.call('OPTIONS', '/nowhere', { key: null })).status).toBe(200);
    const star = 'OPTIONS * HTTP/1.1\r\nHost: service.test\r\n\r\n';
    expect((await exchangeRaw(service.port, star)).status).toBe(200);
  });
});

describe('HEAD', () => {
  it('has the headers of GET and no body, and the connection goes on', async () => {
    await using client = await RawClient.connect(service.port);
    const get = await client.ask('GET /printers HTTP/1.1');
    const head = await client.ask('HEAD /printers HTTP/1.1');
    expect(head.status).toBe(200);
    for (const name of ['content-length', 'content-md5', 'records-total'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    expect((await client.ask('HEAD /nowhere HTTP/1.1')).status).toBe(404);
    expect((await client.ask('GET /noop HTTP/1.1')).status).toBe(200);
    expect(client.unread).toBe('');
  });
});

describe('X-Pretty', () => {
  it('indents by two blanks and changes no value', async () => {
    const plain = await service.call('GET', '/whoami');
    for (const value of ['1', 'true', 'yes', '']) {
      const pretty = await service.call('GET', '/whoami', { headers: { 'X-Pretty': value } });
      expect(pretty.text).toBe(JSON.stringify(plain.body, null, 2));
      expect(pretty.headers['content-length']).toBe(String(Buffer.byteLength(pretty.text)));
    }
    expect((await service.call('GET', '/nowhere', { headers: { 'X-Pretty': '1' } })).text).toMatch(/^\{\n {2}"uid"/);
  });

  it.each(['0', 'false'])('of %s leaves the answer as it is', async (value) => {
    const plain = await service.call('GET', '/whoami');
    expect((await service.call('GET', '/whoami', { headers: { 'X-Pretty': value } })).text).toBe(plain.text);
  });
});

describe('Accept-Version', () => {
  it.each(['1.0.0', '~3', '<1.0.0', '', 'newest', `${' '.repeat(100_000)}-`])(
    'of %j changes nothing, since there is one version',
    async (range) => {
      await using client = await RawClient.connect(service.port);
      const answer = await client.ask('GET /noop HTTP/1.1', `Accept-Version: ${range}\r\n`);
      expect([answer.status, answer.headers.get('api-version')]).toEqual([200, '1.0.0']);
    },
  );
});

describe('an observer', () => {
  it('hears of each request and its answer', async () => {
    const answer = await service.call('GET', '/printers/1?limit=5', { key: SECOND_KEY });
    await service.call('POST', '/printjobs', { key: 'wrong-key', body: {} });
    await exchangeRaw(service.port, 'nonsense\r\n\r\n');
    expect(service.answered).toMatchObject([
      {
        timeMs: service.clock.now(),
        requestId: answer.headers['request-id'],
        method: 'GET',
        target: '/printers/1?limit=5',
        status: 200,
        accountId: 2,
      },
      { method: 'POST', target: '/printjobs', status: 401, accountId: undefined },
      { method: '', target: '', status: 400 },
    ]);
  });

  it('does not hear of a request with X-Dont-Log', async () => {
    for (const value of ['1', 'true', '0', 'false'])
      await service.call('GET', `/noop/${value}`, { headers: { 'X-Dont-Log': value } });
    expect(service.answered.map(({ target }) => target)).toEqual(['/noop/0', '/noop/false']);
  });
});
