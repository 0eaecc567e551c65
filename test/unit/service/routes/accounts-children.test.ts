import { once } from 'node:events';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { LINK_PATH, LINK_PROTOCOLS } from '../../../../src/link/messages.ts';
import type { NewAccount } from '../../../../src/service/domain/account.ts';
import { createChild, type CreatedChild } from '../../../support/child-account.ts';
import {
  basic,
  FIRST_KEY,
  runService,
  SECOND_KEY,
  type RunningService,
} from '../../../support/running-service.ts';
import { ScriptedComputer } from '../../../support/scripted-computer.ts';

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
  it.each(['id', 'email', 'creatorRef'] as const)('works by %s, and the response says so', async (by) => {
    const answer = await service.call('GET', '/whoami', { headers: { [BY[by]]: String(child[by]) } });
    expect(answer).toMatchObject({
      status: 200,
      body: { id: child.id },
      headers: {
        [BY[by]]: String(child[by]),
        'x-authorized-as': '1',
        'x-account': String(child.id),
        'x-auth-with': 'ApiKey',
      },
    });
    for (const other of Object.values(BY).filter((name) => name !== BY[by])) {
      expect(answer.headers[other]).toBeUndefined();
    }
  });

  it('is not mentioned by a response to an account that acts for itself', async () => {
    const { headers } = await service.call('GET', '/whoami');
    for (const name of ['x-authorized-as', ...Object.values(BY)]) expect(headers[name]).toBeUndefined();
  });

  it('finds a creatorRef beyond ASCII, sent as UTF-8', async () => {
    await service.call('PATCH', '/account', { headers: child.headers, body: { creatorRef: 'Zoë №1' } });
    const latin1 = Buffer.from('Zoë №1').toString('latin1');
    const answer = await service.call('GET', '/whoami', { headers: { [BY.creatorRef]: latin1 } });
    expect(answer).toMatchObject({ status: 200, body: { id: child.id } });
  });

  it.each([
    ['an unknown id', { [BY.id]: '999' }],
    ['the id of the Integrator itself', { [BY.id]: '1' }],
    ['the id of an account that is no child', { [BY.id]: '2' }],
    ['an id that is no number', { [BY.id]: 'three' }],
    ['an id with a fraction', { [BY.id]: '3.0' }],
    ['an empty id', { [BY.id]: '' }],
    ['an unknown email', { [BY.email]: 'nobody@example.test' }],
    ['the email of the Integrator', { [BY.email]: 'integra@example.test' }],
    ['an unknown creatorRef', { [BY.creatorRef]: 'customer-2' }],
    ['an empty creatorRef', { [BY.creatorRef]: '' }],
    ['a good id and an unknown email', { [BY.id]: '3', [BY.email]: 'nobody@example.test' }],
  ])('is refused with %s, and nothing happens to the Integrator', async (_what, headers) => {
    const answer = await service.call('POST', '/account/tag/touched', { headers, body: '"yes"' });
    expect(answer).toMatchObject({
      status: 401,
      body: { code: 'InvalidCredentials' },
      headers: { 'www-authenticate': 'Basic realm=Api' },
    });
    expect(answer.headers['x-account']).toBeUndefined();
    expect((await service.call('GET', '/whoami')).body).toMatchObject({ Tags: [] });
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

  it('is refused to Single and Child Accounts, and to the Integrator of others', async () => {
    await using others = await runService({
      accounts: [integrator('one', FIRST_KEY), integrator('two', SECOND_KEY)],
    });
    const own = await createChild(others);
    expect((await others.call('GET', '/noop', { headers: own.headers })).status).toBe(200);
    for (const name of ['id', 'email', 'creatorRef'] as const) {
      const headers = { [BY[name]]: String(own[name]) };
      expect((await others.call('GET', '/noop', { key: SECOND_KEY, headers })).status).toBe(401);
      expect((await others.call('GET', '/noop', { key: own.key, headers })).status).toBe(401);
    }
    for (const key of [SECOND_KEY, child.key]) {
      expect((await service.call('GET', '/noop', { key, headers: child.headers })).status).toBe(401);
    }
  });

  it('works for computers and print jobs: they are the child its own', async () => {
    await using computer = await ScriptedComputer.connect(service.url, { key: child.key });
    expect((await service.call('GET', '/computers', { headers: child.headers })).body).toHaveLength(1);
    const job = { printerId: 1, contentType: 'raw_base64', content: 'AAAA' };
    expect((await service.call('POST', '/printjobs', { body: job })).status).toBe(400);
    const submitted = await service.call('POST', '/printjobs', { body: job, headers: child.headers });
    expect(submitted.status).toBe(201);
    await computer.hear('job');
    expect((await service.call('GET', '/printjobs')).body).toEqual([]);
    expect((await service.call('GET', '/printjobs', { key: child.key })).body).toHaveLength(1);
  });

  it('is no way for a client to connect', async () => {
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
  it('has its clients sent away and leaves nothing of its own', async () => {
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

function integrator(name: string, key: string): NewAccount {
  return {
    firstname: name,
    lastname: '-',
    email: `${name}@example.test`,
    creatorRef: null,
    parentId: null,
    isIntegrator: true,
    tags: {},
    apiKeys: { default: key },
  };
}
