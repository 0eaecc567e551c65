import { once } from 'node:events';
import { request as httpRequest } from 'node:http';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createChild, type CreatedChild } from '../../../../support/child-account.ts';
import { basic, runService, SECOND_KEY, type RunningService } from '../../../../support/running-service.ts';
import { ScriptedComputer } from '../../../../support/scripted-computer.ts';

const JOB = { printerId: 1, contentType: 'raw_base64', content: 'AAAA' };

let service: RunningService;
let child: CreatedChild;
beforeEach(async () => {
  service = await runService();
  child = await createChild(service);
});
afterEach(() => service[Symbol.asyncDispose]());

function setState(state: 'active' | 'suspended'): ReturnType<RunningService['call']> {
  return service.call('PUT', '/account/state', { headers: child.headers, body: JSON.stringify(state) });
}

describe('/account/state', () => {
  it.each(['"paused"', '"Suspended"', '"constructor"', '["suspended"]', 'true', undefined])(
    'refuses %s and changes nothing',
    async (body) => {
      const answer = await service.call('PUT', '/account/state', { headers: child.headers, body });
      expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest' } });
      expect((await service.call('GET', '/account/state', { headers: child.headers })).body).toBe('active');
    },
  );

  it('cannot be set without naming a child', async () => {
    for (const key of ['first-key', SECOND_KEY, child.key]) {
      const answer = await service.call('PUT', '/account/state', { key, body: '"suspended"' });
      expect(answer).toMatchObject({ status: 403, body: { code: 'Forbidden' } });
      expect((await service.call('GET', '/account/state', { key })).body).toBe('active');
    }
  });
});

describe('a suspended child', () => {
  it('gets 401 for its own keys', async () => {
    await setState('suspended');
    const answer = await service.call('GET', '/noop', { key: child.key });
    expect(answer).toMatchObject({
      status: 401,
      body: { code: 'InvalidCredentials', message: 'the account is suspended' },
    });
  });

  it('has its clients disconnected with 4401 and refused until it is active again', async () => {
    const computer = await ScriptedComputer.connect(service.url, { key: child.key });
    const closed = once(computer.socket, 'close');
    await setState('suspended');
    expect((await closed)[0]).toBe(4401);
    expect((await service.call('GET', '/whoami', { headers: child.headers })).body).toMatchObject({
      numComputers: 1,
      connected: [],
    });
    await expect(ScriptedComputer.connect(service.url, { key: child.key })).rejects.toThrow('401');
    await setState('active');
    await using back = await ScriptedComputer.connect(service.url, { key: child.key });
    expect(await back.hear('welcome')).toMatchObject({ accountId: child.id, computerId: 1 });
  });

  it('keeps its queued jobs, which are delivered when it is active again', async () => {
    const before = await ScriptedComputer.connect(service.url, { key: child.key });
    await before[Symbol.asyncDispose]();
    const { body: jobId } = await service.call('POST', '/printjobs', { key: child.key, body: JOB });
    await setState('suspended');
    const { headers } = child;
    expect((await service.call('GET', `/printjobs/${String(jobId)}`, { headers })).body).toMatchObject([
      { state: 'new' },
    ]);
    await setState('active');
    await using after = await ScriptedComputer.connect(service.url, { key: child.key });
    expect(await after.hear('job')).toMatchObject({ jobId });
  });

  it('gets nothing more over a connection that is just ending', async () => {
    const computer = await ScriptedComputer.connect(service.url, { key: child.key });
    // One more than may be under way without an acknowledgement.
    for (let count = 0; count < 9; count++) {
      await service.call('POST', '/printjobs', { key: child.key, body: JOB });
    }
    const first = await computer.hear('job');
    // It has not yet read that it was sent away when it acknowledges.
    computer.socket.pause();
    await setState('suspended');
    computer.say({ type: 'ack', id: first['id'] });
    const closed = once(computer.socket, 'close');
    computer.socket.resume();
    expect((await closed)[0]).toBe(4401);
    const { body } = await service.call('GET', '/printjobs?limit=1', { headers: child.headers });
    expect(body).toMatchObject([{ state: 'new' }]);
  });

  it('takes no new jobs, though its Integrator can do everything else for it', async () => {
    const computer = await ScriptedComputer.connect(service.url, { key: child.key });
    await computer[Symbol.asyncDispose]();
    await service.call('POST', '/printjobs', { key: child.key, body: JOB });
    await setState('suspended');
    const { headers } = child;
    expect(await service.call('POST', '/printjobs', { headers, body: JOB })).toMatchObject({
      status: 403,
      body: { code: 'Forbidden' },
    });
    expect((await service.call('GET', '/printjobs', { headers })).body).toHaveLength(1);
    expect((await service.call('DELETE', '/printjobs', { headers })).body).toHaveLength(1);
    expect((await service.call('POST', '/account/tag/paid', { headers, body: '"no"' })).status).toBe(201);
    expect((await service.call('DELETE', '/account', { headers })).body).toBe(true);
  });
});

describe('a request whose body is still arriving', () => {
  it.each([
    ['is suspended', 'PUT', '/account/state', '"suspended"'],
    ['is deleted', 'DELETE', '/account', undefined],
  ])('is refused when its account %s meanwhile', async (_what, method, path, body) => {
    const slow = httpRequest(`${service.url}/account/tag/late`, {
      method: 'POST',
      headers: { authorization: basic(child.key), 'content-length': '6', expect: '100-continue' },
    });
    slow.flushHeaders();
    await once(slow, 'continue');
    await service.call(method, path, { headers: child.headers, body });
    slow.end('"late"');
    const [response] = (await once(slow, 'response')) as [{ statusCode: number; resume: () => void }];
    response.resume();
    expect(response.statusCode).toBe(401);
  });
});
