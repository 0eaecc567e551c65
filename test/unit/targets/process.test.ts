import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { request } from 'undici';
import { expect, it } from 'vitest';

import { processTarget } from '../../../src/targets/process.ts';
import { soon } from '../../support/soon.ts';

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

it('ends with the process that started it, however that ends', async () => {
  const module = new URL('../../../src/targets/process.ts', import.meta.url).href;
  const script = `const { processTarget } = await import('${module}'); console.log((await processTarget()).baseUrl);`;
  const starter = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface(starter.stdout), 'line')) as [string];
  expect((await fetch(`${url}/ping`)).status).toBe(200);
  starter.kill('SIGKILL');
  await soon('the end of the service', '10s', () =>
    fetch(`${url}/ping`).then(
      () => undefined,
      () => true,
    ),
  );
}, 60_000);

it('says so when it cannot start', async () => {
  await expect(processTarget({ dataFile: '/nowhere/at/all.db' })).rejects.toThrow('did not start as a process');
}, 60_000);
