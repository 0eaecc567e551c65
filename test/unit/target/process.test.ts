import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { request } from 'undici';
import { expect, it } from 'vitest';

import { processTarget } from '../../../src/target/process.ts';

it('comes back at the same address with what it knew, after it was killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-process-'));
  const target = await processTarget({ dataFile: join(folder, 'service.db') });
  const call = async (method: 'GET' | 'POST', body?: string): Promise<unknown> => {
    const response = await request(`${target.baseUrl}/account/tag/shop`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${target.apiKey}:`).toString('base64')}`,
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body }),
    });
    return response.body.json();
  };
  try {
    await call('POST', '"Corner"');
    await target.kill();
    await expect(call('GET')).rejects.toThrow('ECONNREFUSED');
    await Promise.all([target.restart(), target.restart()]);
    expect(await call('GET')).toBe('Corner');
  } finally {
    await target.close();
    await rm(folder, { recursive: true });
  }
}, 60_000);

it('says so when it cannot start', async () => {
  await expect(processTarget({ dataFile: '/nowhere/at/all.db' })).rejects.toThrow(
    'did not start as a process',
  );
}, 60_000);
