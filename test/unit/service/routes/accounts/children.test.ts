import { once } from 'node:events';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { LINK_PATH, LINK_PROTOCOLS } from '../../../../../src/link/messages.ts';
import { createChild, type CreatedChild } from '../../../../support/child-account.ts';
import { basic, FIRST_KEY, runService, type RunningService } from '../../../../support/running-service.ts';
import { ScriptedComputer } from '../../../../support/scripted-computer.ts';

let service: RunningService;
let child: CreatedChild;
beforeEach(async () => {
  service = await runService();
  child = await createChild(service);
});
afterEach(() => service[Symbol.asyncDispose]());

const BY = {
  id: 'x-child-account-by-id',
  email: 'x-child-account-by-email',
  creatorRef: 'x-child-account-by-creatorref',
} as const;

describe('acting as a child', () => {
  it('finds a creatorRef beyond ASCII, sent as UTF-8', async () => {
    await service.call('PATCH', '/account', { headers: child.headers, body: { creatorRef: 'Zoë №1' } });
    const latin1 = Buffer.from('Zoë №1').toString('latin1');
    const answer = await service.call('GET', '/whoami', { headers: { [BY.creatorRef]: latin1 } });
    expect(answer).toMatchObject({ status: 200, body: { id: child.id } });
  });

  it('takes several headers that agree, and refuses those that do not', async () => {
    const second = await createChild(service, 2);
    const agreeing = await service.call('GET', '/whoami', {
      headers: { ...child.headers, [BY.email]: child.email },
    });
    expect(agreeing).toMatchObject({ status: 200, body: { id: child.id } });
    const contradicting = { ...child.headers, [BY.email]: second.email };
    expect((await service.call('GET', '/whoami', { headers: contradicting })).status).toBe(401);
  });

  it('is refused by an email that two children share', async () => {
    const second = await createChild(service, 2);
    await service.call('PATCH', '/account', { headers: second.headers, body: { email: child.email } });
    expect((await service.call('GET', '/noop', { headers: { [BY.email]: child.email } })).status).toBe(401);
    expect((await service.call('GET', '/noop', { headers: child.headers })).status).toBe(200);
  });

  it('does not let a client connect', async () => {
    const socket = new WebSocket(service.url.replace('http', 'ws') + LINK_PATH, [...LINK_PROTOCOLS], {
      headers: { authorization: basic(FIRST_KEY), ...child.headers },
    });
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
    expect(response.statusCode).toBe(401);
    socket.on('error', () => undefined);
    socket.terminate();
  });
});

describe('a deleted child', () => {
  it('has its clients disconnected and leaves nothing of its own', async () => {
    const computer = await ScriptedComputer.connect(service.url, { key: child.key });
    const closed = once(computer.socket, 'close');
    await service.call('DELETE', '/account', { headers: child.headers });
    expect((await closed)[0]).toBe(4401);
    const next = await createChild(service);
    for (const path of ['/computers', '/printers', '/printjobs']) {
      expect((await service.call('GET', path, { key: next.key })).body).toEqual([]);
    }
  });
});
