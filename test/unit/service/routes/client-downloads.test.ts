import { once } from 'node:events';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createChild } from '../../../support/child-account.ts';
import { runService, type RunningService } from '../../../support/running-service.ts';
import { ScriptedComputer } from '../../../support/scripted-computer.ts';

const UUID = '0b6f1c0e-5a52-4d0b-9c57-3f0a7a1e2d11';
const KEY_PATH = `/client/key/${UUID}?edition=standard&version=4.10.0`;

interface Download {
  readonly id: number;
  readonly enabled: boolean;
  readonly edition: string;
  readonly version: string;
  readonly os: string;
}

let service: RunningService;
beforeEach(async () => {
  service = await runService();
});
afterEach(() => service[Symbol.asyncDispose]());

async function downloads(path = '/download/clients', key = 'first-key'): Promise<Download[]> {
  return (await service.call('GET', path, { key })).body as Download[];
}

async function setEnabled(ids: readonly number[], enabled: boolean): Promise<unknown> {
  const path = `/download/clients/${ids.join(',')}`;
  return (await service.call('PATCH', path, { body: { enabled } })).body;
}

describe('GET /client/key/{uuid}', () => {
  it('gives a key of 47 characters, the same one to the same client', async () => {
    const first = await service.call('GET', KEY_PATH);
    expect(first).toMatchObject({ status: 200, body: expect.stringMatching(/^ck-[A-Za-z0-9]{44}$/) });
    expect((await service.call('GET', KEY_PATH.replace('4.10.0', '5.0.0'))).body).toBe(first.body);
    expect((await service.call('GET', KEY_PATH.replace(UUID, UUID.toUpperCase()))).body).toBe(first.body);
  });

  it.each([
    ['something else than a UUID', '/client/key/1?edition=standard&version=4.10.0'],
    ['a UUID of version 1', KEY_PATH.replace('-4d0b', '-1d0b')],
    ['no edition', KEY_PATH.replace('edition', 'issue')],
    ['an empty edition', KEY_PATH.replace('standard', '')],
    ['no version', KEY_PATH.replace('version', 'issue')],
  ])('refuses %s', async (_what, path) => {
    expect(await service.call('GET', path)).toMatchObject({ status: 400, body: { code: 'BadRequest' } });
  });

  it('lets a client connect, to the account that asked, and does nothing else', async () => {
    const child = await createChild(service);
    const key = String((await service.call('GET', KEY_PATH, { headers: child.headers })).body);
    await using computer = await ScriptedComputer.connect(service.url, { key });
    expect(await computer.hear('welcome')).toMatchObject({ accountId: child.id });
    expect(await service.call('GET', '/whoami', { key })).toMatchObject({
      status: 401,
      body: { code: 'InvalidCredentials' },
    });
  });

  it('is good until its account is deleted', async () => {
    const child = await createChild(service);
    const key = String((await service.call('GET', KEY_PATH, { headers: child.headers })).body);
    const computer = await ScriptedComputer.connect(service.url, { key });
    const closed = once(computer.socket, 'close');
    await service.call('DELETE', '/account', { headers: child.headers });
    expect((await closed)[0]).toBe(4401);
    await expect(ScriptedComputer.connect(service.url, { key })).rejects.toThrow('401');
  });
});

describe('GET /download/clients', () => {
  it('lists records of exactly the chosen fields, newest first', async () => {
    const all = await downloads();
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => b - a));
    expect(all.find(({ id }) => id === 7)).toEqual({
      id: 7,
      enabled: true,
      edition: 'standard',
      version: '4.10.0',
      os: 'windows',
      filename: 'client-standard-4.10.0.exe',
      filesize: 25_165_824,
      sha1: expect.stringMatching(/^[0-9a-f]{40}$/),
      releaseTimestamp: '2025-10-21T09:00:00.000Z',
      url: 'https://app.platen.example/download/client/standard/windows/client-standard-4.10.0.exe',
    });
  });

  it('puts the addresses under the app_url that is configured', async () => {
    await using other = await runService({ choices: { appUrl: 'https://apps.test' } });
    const { body } = await other.call('GET', '/download/clients/osx');
    expect((body as { url: string }).url).toMatch(/^https:\/\/apps\.test\/download\/client\/standard\/osx\//);
  });
});

describe('PATCH /download/clients/{download_id_set}', () => {
  it('answers with the ids of the updated downloads and leaves the others', async () => {
    const before = await downloads();
    expect(await setEnabled([1, 2, 999], false)).toEqual([2, 1]);
    const expected = before.map((one) => (one.id <= 2 ? { ...one, enabled: false } : one));
    expect(await downloads()).toEqual(expected);
  });

  it.each([{}, { enabled: 'false' }, { enabled: 0 }, { enabled: null }, [false], undefined])(
    'refuses %o and changes nothing',
    async (body) => {
      const before = await downloads();
      const answer = await service.call('PATCH', '/download/clients/1', { body });
      expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest' } });
      expect(await downloads()).toEqual(before);
    },
  );
});
