import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runService, type RunningService } from '../../../support/running-service.ts';

let service: RunningService;
beforeEach(async () => {
  service = await runService();
});
afterEach(() => service[Symbol.asyncDispose]());

describe('authentication', () => {
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
    const call = async (): Promise<number> => (await service.call('GET', '/noop', { key: String(key) })).status;
    expect([await call(), await call()]).toEqual([200, 200]);
    await service.call('DELETE', '/account/apikey/temporary');
    expect([await call(), await call()]).toEqual([401, 401]);
  });
});

describe('bodies', () => {
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
