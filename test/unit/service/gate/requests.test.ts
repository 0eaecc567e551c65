import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runService, type RunningService } from '../../../support/running-service.ts';

let service: RunningService;
beforeEach(async () => {
  service = await runService();
});
afterEach(() => service[Symbol.asyncDispose]());

describe('authentication', () => {
  it('takes the API key as user name, with and without a colon', async () => {
    for (const credentials of ['first-key:', 'first-key']) {
      const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
      const answer = await service.call('GET', '/noop', { key: null, headers: { authorization } });
      expect(answer).toMatchObject({ status: 200, headers: { 'x-account': '1', 'x-auth-with': 'ApiKey' } });
      expect(answer.body).toBe(answer.headers['request-id']);
    }
  });

  it.each([
    ['no Authorization header', undefined],
    ['an unknown key', `Basic ${Buffer.from('wrong:').toString('base64')}`],
    ['a password', `Basic ${Buffer.from('first-key:secret').toString('base64')}`],
    ['another scheme', 'Bearer first-key'],
    ['something that is not base64', 'Basic !!!'],
    ['an empty key', `Basic ${Buffer.from(':').toString('base64')}`],
  ])('refuses %s with a challenge', async (_what, authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await service.call('GET', '/noop', { key: null, headers });
    expect(answer).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Basic realm=Api' },
      body: { code: 'InvalidCredentials', uid: answer.headers['request-id'] },
    });
    expect(answer.headers['x-account']).toBeUndefined();
  });

  it('goes on and ends with the key, however often its header was seen', async () => {
    const { body: key } = await service.call('POST', '/account/apikey/temporary');
    const call = async (): Promise<number> =>
      (await service.call('GET', '/noop', { key: String(key) })).status;
    expect([await call(), await call()]).toEqual([200, 200]);
    await service.call('DELETE', '/account/apikey/temporary');
    expect([await call(), await call()]).toEqual([401, 401]);
  });

  it('is not needed for /ping', async () => {
    expect(await service.call('GET', '/ping', { key: null })).toMatchObject({ status: 200, body: 'OK' });
  });
});

describe('every response', () => {
  it('has exactly application/json as its type, a length, an MD5 and an id of its own', async () => {
    const answers = [
      await service.call('GET', '/whoami'),
      await service.call('GET', '/nowhere'),
      await service.call('POST', '/printjobs', { body: '{' }),
    ];
    for (const { headers, text } of answers) {
      expect(headers['content-type']).toBe('application/json');
      expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
      expect(headers['content-md5']).toMatch(/^[A-Za-z0-9+/]{22}==$/);
      expect(Number(headers['elapsed'])).toBeGreaterThanOrEqual(0);
      expect(headers['api-version']).toMatch(/^\d+\.\d+\.\d+$/);
      expect(headers['access-control-allow-origin']).toBe('*');
    }
    expect(new Set(answers.map(({ headers }) => headers['request-id'])).size).toBe(3);
  });

  it('is the error object for an unknown path and an unknown method', async () => {
    expect(await service.call('GET', '/nowhere')).toMatchObject({ status: 404, body: { code: 'NotFound' } });
    const answer = await service.call('PUT', '/printjobs', { body: {} });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST, GET, DELETE' } });
    expect(Object.keys(answer.body as object)).toEqual(['uid', 'code', 'message']);
  });

  it('works with a trailing slash, a doubled leading slash and encoded commas', async () => {
    expect((await service.call('GET', '/whoami/')).status).toBe(200);
    expect((await service.call('GET', '//printjobs/1%2C2')).body).toEqual([]);
  });
});

describe('bodies', () => {
  it.each([
    ['broken JSON', '{"printerId":'],
    ['an invalid number', '{"printerId":01}'],
  ])('of %s are refused as InvalidContent', async (_what, body) => {
    const answer = await service.call('POST', '/printjobs', { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'InvalidContent' } });
  });

  it('over 50 MB are refused with 413 before they have arrived', async () => {
    const answer = await service.call('POST', '/printjobs', { body: ' '.repeat(50 * 1024 * 1024 + 1) });
    expect(answer).toMatchObject({ status: 413, body: { uid: answer.headers['request-id'] } });
    expect((await service.call('GET', '/noop')).status).toBe(200);
  });

  it('of exactly 50 MB are read', async () => {
    const answer = await service.call('POST', '/printjobs', { body: ' '.repeat(50 * 1024 * 1024) });
    expect(answer).toMatchObject({ status: 400, body: { code: 'InvalidContent' } });
  });
});

describe('page parameters', () => {
  it.each(['limit=0', 'limit=-1', 'limit=x', 'limit=1.5', 'after=x', 'after=0', 'dir=up'])(
    'refuse %s',
    async (query) => {
      const answer = await service.call('GET', `/printjobs?${query}`);
      expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest' } });
    },
  );

  it('that are empty or unknown are ignored', async () => {
    expect((await service.call('GET', '/printjobs?limit=&after=&dir=&colour=blue')).status).toBe(200);
  });
});
