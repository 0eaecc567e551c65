import { once } from 'node:events';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createChild } from '../../../../support/child-account.ts';
import { runService, type RunningService } from '../../../../support/running-service.ts';
import { ScriptedComputer } from '../../../../support/scripted-computer.ts';

let service: RunningService;
beforeEach(async () => {
  service = await runService();
});
afterEach(() => service[Symbol.asyncDispose]());

describe('/account/tag/{name}', () => {
  it('creates, updates, reads and deletes a tag', async () => {
    const path = '/account/tag/floor';
    expect(await service.call('POST', path, { body: '"first"' })).toMatchObject({
      status: 201,
      body: 'created',
    });
    expect((await service.call('GET', path)).body).toBe('first');
    expect(await service.call('POST', path, { body: '"second"' })).toMatchObject({
      status: 200,
      body: 'updated',
    });
    expect((await service.call('GET', path)).body).toBe('second');
    expect((await service.call('GET', '/whoami')).body).toMatchObject({ Tags: { floor: 'second' } });
    expect(await service.call('DELETE', path)).toMatchObject({ status: 200, body: true });
    expect((await service.call('GET', '/whoami')).body).toMatchObject({ Tags: [] });
  });

  it.each(['GET', 'DELETE'])('answers 404 to %s of a tag that does not exist', async (method) => {
    for (const name of ['floor', '__proto__', 'constructor', 'toString', 'size']) {
      const answer = await service.call(method, `/account/tag/${name}`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'NotFound' } });
    }
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty', '0', 'a.b-c_D', 'a'.repeat(64)])(
    'takes the name %s',
    async (name) => {
      await service.call('POST', `/account/tag/${name}`, { body: '"value"' });
      expect((await service.call('GET', `/account/tag/${name}`)).body).toBe('value');
      expect((await service.call('GET', '/whoami')).text).toContain(`"Tags":{"${name}":"value"}`);
    },
  );

  it('takes raw text sent as text/plain', async () => {
    const headers = { 'content-type': 'text/plain' };
    const answer = await service.call('POST', '/account/tag/floor', { headers, body: 'just words' });
    expect(answer).toMatchObject({ status: 201, body: 'created' });
    expect((await service.call('GET', '/account/tag/floor')).body).toBe('just words');
  });
});

describe('/account/apikey/{description}', () => {
  it('creates a key that works at once, and shows it again under its name', async () => {
    const created = await service.call('POST', '/account/apikey/front%20desk');
    expect(created).toMatchObject({ status: 201, body: expect.stringMatching(/^[0-9a-f]{40}$/) });
    const key = String(created.body);
    expect((await service.call('GET', '/whoami', { key })).body).toMatchObject({ id: 1 });
    expect((await service.call('GET', '/account/apikey/front+desk')).body).toBe(key);
    expect(await service.call('POST', '/account/apikey/front%20desk')).toMatchObject({
      status: 200,
      body: key,
    });
  });

  it('ignores the body, also an empty one sent as JSON', async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await service.call('POST', '/account/apikey/one', { headers })).status).toBe(201);
    expect((await service.call('POST', '/account/apikey/two', { headers, body: '{}' })).status).toBe(201);
  });

  it('takes any number of keys, under any name', async () => {
    const names = ['__proto__', 'constructor', 'a%2Fb', '%00', '%F0%9F%98%80'];
    const keys = [];
    for (const name of names) keys.push((await service.call('POST', `/account/apikey/${name}`)).body);
    expect(new Set(keys).size).toBe(names.length);
    for (const key of keys) expect((await service.call('GET', '/noop', { key: String(key) })).status).toBe(200);
  });

  it.each(['GET', 'DELETE'])('answers 404 to %s of a key that does not exist', async (method) => {
    for (const name of ['nothing', '__proto__', 'constructor']) {
      expect((await service.call(method, `/account/apikey/${name}`)).status).toBe(404);
    }
  });

  it('disconnects the clients of a deleted key with 4401, and no others', async () => {
    const key = String((await service.call('POST', '/account/apikey/temporary')).body);
    await using stays = await ScriptedComputer.connect(service.url, { installationId: 'stays' });
    const goes = await ScriptedComputer.connect(service.url, { key, installationId: 'goes' });
    const closed = once(goes.socket, 'close');
    await service.call('DELETE', '/account/apikey/temporary');
    expect((await closed)[0]).toBe(4401);
    await stays.report({ type: 'printers', printers: [] });
    expect((await service.call('GET', '/whoami')).body).toMatchObject({ numComputers: 2, connected: [1] });
  });

  it('keeps the last key, but for a child, whose Integrator can make it another', async () => {
    expect(await service.call('DELETE', '/account/apikey/default')).toMatchObject({
      status: 403,
      body: { code: 'Forbidden' },
    });
    expect((await service.call('GET', '/noop')).status).toBe(200);
    const child = await createChild(service);
    const deleted = await service.call('DELETE', '/account/apikey/own', { headers: child.headers });
    expect(deleted.status).toBe(200);
    expect((await service.call('GET', '/noop', { key: child.key })).status).toBe(401);
    const { body } = await service.call('POST', '/account/apikey/own', { headers: child.headers });
    expect((await service.call('GET', '/whoami', { key: String(body) })).body).toMatchObject({
      id: child.id,
    });
  });
});
