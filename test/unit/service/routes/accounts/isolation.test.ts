import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createChild, type CreatedChild } from '../../../../support/child-account.ts';
import { runService, SECOND_KEY, type RunningService } from '../../../../support/running-service.ts';
import { ScriptedComputer } from '../../../../support/scripted-computer.ts';

const JOB = { printerId: 1, contentType: 'raw_base64', content: 'AAAA' };
const HOOK = { url: 'https://receiver.example.test/', secret: 'a secret', messages: ['*'] };

/** Who must neither see nor change what belongs to the first account: [who, how its requests look]. */
type Stranger = readonly [
  who: string,
  options: (child: CreatedChild) => { key?: string; headers?: Record<string, string> },
];

const STRANGERS: readonly Stranger[] = [
  ['a Single Account', () => ({ key: SECOND_KEY })],
  ['a child with its own key', ({ key }) => ({ key })],
  ['an Integrator that acts as its child', ({ headers }) => ({ headers })],
];

let service: RunningService;
let child: CreatedChild;
beforeEach(async () => {
  service = await runService();
  child = await createChild(service);
  const computer = await ScriptedComputer.connect(service.url);
  await computer[Symbol.asyncDispose]();
  await service.call('POST', '/printjobs', { body: JOB });
  await service.call('POST', '/webhook', { body: HOOK });
  await service.call('POST', '/account/tag/mine', { body: '"first"' });
  await service.call('POST', '/account/apikey/mine');
});
afterEach(() => service[Symbol.asyncDispose]());

/** All that the first account can see of itself, without what the passing of time changes. */
async function everything(): Promise<unknown[]> {
  const seen = [];
  for (const path of [
    '/whoami',
    '/computers',
    '/printers',
    '/printjobs',
    '/printjobs/states',
    '/webhooks',
    '/account/apikey/mine',
    '/download/clients',
  ]) {
    const { status, body } = await service.call('GET', path);
    seen.push([path, status, body]);
  }
  return seen;
}

describe.each(STRANGERS)('%s', (_who, optionsOf) => {
  it.each([
    '/computers',
    '/computers/1',
    '/printers',
    '/printers/1',
    '/computers/1/printers',
    '/computers/1/printers/1',
    '/printjobs',
    '/printjobs/1',
    '/printers/1/printjobs',
    '/printers/1/printjobs/1',
    '/printjobs/states',
    '/printjobs/1/states',
    '/webhooks',
    '/account/controllable',
  ])('sees nothing of another account at GET %s', async (path) => {
    const answer = await service.call('GET', path, optionsOf(child));
    expect(answer).toMatchObject({ status: 200, body: [] });
    expect(answer.headers['records-total'] ?? '0').toBe('0');
  });

  it.each([
    ['GET', '/account/tag/mine', undefined, 404],
    ['DELETE', '/account/tag/mine', undefined, 404],
    ['GET', '/account/apikey/mine', undefined, 404],
    ['DELETE', '/account/apikey/mine', undefined, 404],
    ['DELETE', '/computers/1', undefined, 200],
    ['DELETE', '/computers', undefined, 200],
    ['DELETE', '/printjobs/1', undefined, 200],
    ['DELETE', '/printjobs', undefined, 200],
    ['DELETE', '/printers/1/printjobs', undefined, 200],
    ['POST', '/printjobs', JOB, 400],
    ['PATCH', '/webhook/1', { url: 'https://elsewhere.example.test/' }, 404],
    ['DELETE', '/webhook/1', undefined, 404],
    ['PATCH', '/download/clients/7', { enabled: false }, 200],
    ['PATCH', '/account', { firstname: 'Mallory' }, 200],
  ])('changes nothing of another account with %s %s', async (method, path, body, status) => {
    const before = await everything();
    const answer = await service.call(method, path, { ...optionsOf(child), body });
    expect(answer.status).toBe(status);
    expect(await everything()).toEqual(before);
  });
});

describe('an idempotency key', () => {
  it('of one account is free for another', async () => {
    const own = await ScriptedComputer.connect(service.url, { key: child.key });
    await own[Symbol.asyncDispose]();
    const headers = { 'x-idempotency-key': 'same' };
    expect((await service.call('POST', '/printjobs', { body: JOB, headers })).status).toBe(201);
    const body = { ...JOB, printerId: 2 };
    expect((await service.call('POST', '/printjobs', { key: child.key, headers, body })).status).toBe(201);
  });
});

describe('a deleted child', () => {
  it('leaves nothing that another account could see', async () => {
    const { headers } = child;
    await service.call('POST', '/webhook', { headers, body: HOOK });
    await service.call('DELETE', '/account', { headers });
    expect((await service.call('GET', '/whoami')).body).toMatchObject({ childAccounts: [] });
    const next = await createChild(service);
    for (const path of ['/webhooks', '/computers', '/printjobs']) {
      expect((await service.call('GET', path, { key: next.key })).body).toEqual([]);
    }
  });
});

describe('an error', () => {
  it('never shows a key or a password', async () => {
    const { text } = await service.call('GET', '/account/apikey/mine');
    const key = String(JSON.parse(text));
    const answers = [
      await service.call('GET', '/noop', { key: `${key}x` }),
      await service.call('GET', '/noop', { key, headers: { 'x-child-account-by-email': 'secret@x' } }),
      await service.call('PATCH', '/account', { key, body: { password: 'short' } }),
      await service.call('DELETE', `/account/apikey/unknown`, { key }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      for (const secret of [key, 'short', 'secret@x']) expect(answer.text).not.toContain(secret);
    }
  });
});
