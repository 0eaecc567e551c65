import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createChild } from '../../../../support/child-account.ts';
import { runService } from '../../../../support/running-service.ts';
import { ScriptedComputer } from '../../../../support/scripted-computer.ts';

const KEY_PATH = '/client/key/0b6f1c0e-5a52-4d0b-9c57-3f0a7a1e2d11?edition=standard&version=4.10.0';

const HOOK = { url: 'https://receiver.example.test/', secret: 'a secret', messages: ['*'] };

let folder: string;
let dataFile: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'accounts-'));
  dataFile = join(folder, 'data');
});
afterEach(() => rm(folder, { recursive: true }));

describe('on a data file', () => {
  it('accounts, tags, keys, client keys and downloads survive a restart', async () => {
    const seen = [];
    let child;
    for (const isRestarted of [false, true]) {
      await using service = await runService({ dataFile });
      if (!isRestarted) {
        child = await createChild(service);
        const { headers } = child;
        await service.call('POST', '/account/tag/__proto__', { headers, body: '"kept"' });
        await service.call('PATCH', '/download/clients/7,8', { headers, body: { enabled: false } });
        await service.call('PUT', '/account/state', { headers, body: '"suspended"' });
      }
      const headers = { 'x-child-account-by-creatorref': 'customer-1' };
      const paths = ['/whoami', '/account/tag/__proto__', '/account/apikey/own', KEY_PATH, '/download/clients'];
      const answers = [];
      for (const path of paths) answers.push((await service.call('GET', path, { headers })).body);
      seen.push(answers);
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[1]?.[0]).toMatchObject({ state: 'suspended', Tags: { colour: 'blue' } });
    expect(seen[1]?.[2]).toBe(child?.key);
  });

  it('a client key goes on connecting after a restart', async () => {
    let key = '';
    {
      await using service = await runService({ dataFile });
      key = String((await service.call('GET', KEY_PATH)).body);
    }
    await using service = await runService({ dataFile });
    await using computer = await ScriptedComputer.connect(service.url, { key });
    expect(await computer.hear('welcome')).toMatchObject({ accountId: 1 });
  });

  it('a deleted key is never made again, though the seed is the same', async () => {
    const keys = new Set<unknown>();
    for (let start = 0; start < 3; start++) {
      await using service = await runService({ dataFile });
      keys.add((await service.call('POST', '/account/apikey/temporary')).body);
      await service.call('DELETE', '/account/apikey/temporary');
    }
    expect(keys.size).toBe(3);
  });

  it('a deleted child stays deleted, with everything it had', async () => {
    {
      await using service = await runService({ dataFile });
      const { headers, key } = await createChild(service);
      const computer = await ScriptedComputer.connect(service.url, { key });
      await computer[Symbol.asyncDispose]();
      await service.call('GET', KEY_PATH, { headers });
      await service.call('POST', '/webhook', { headers, body: HOOK });
      await service.call('PATCH', '/download/clients/7', { headers, body: { enabled: false } });
      await service.call('DELETE', '/account', { headers });
    }
    // Printers stay for the jobs that show them.
    expect(storedKinds()).toEqual(['account', 'account', 'printer']);
    await using service = await runService({ dataFile });
    expect((await service.call('GET', '/account/controllable')).body).toEqual([]);
    expect((await createChild(service)).id).toBe(4);
  });

  it('no password is ever written down', async () => {
    {
      await using service = await runService({ dataFile });
      const { headers } = await createChild(service);
      await service.call('PATCH', '/account', { headers, body: { password: 'a password of note' } });
    }
    const bytes = await readFile(dataFile);
    expect(bytes.includes('a password of note')).toBe(false);
  });
});

/** The kinds of the records in the data file, one for each record. */
function storedKinds(): unknown[] {
  const db = new DatabaseSync(dataFile, { readOnly: true });
  try {
    return db
      .prepare('SELECT kind FROM records ORDER BY kind')
      .all()
      .map((row) => row['kind']);
  } finally {
    db.close();
  }
}
