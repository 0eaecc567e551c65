import { expect, it } from 'vitest';

import { start } from '../../../src/workbench/start.ts';

it('leads back to the seed: the same room and ids, and nothing that happened since', async () => {
  await using workbench = await start({ port: 0, clock: 'virtual', limits: 'off' });
  const authorization = `Basic ${Buffer.from(`${workbench.apiKey}:`).toString('base64')}`;
  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> =>
    (
      await fetch(workbench.url + path, {
        ...init,
        headers: { authorization, 'content-type': 'application/json' },
      })
    ).json();
  const before = await ask('/printers');
  const job = { printerId: 1, contentType: 'raw_base64', content: 'AAAA' };
  expect(await ask('/printjobs', { method: 'POST', body: JSON.stringify(job) })).toBe(1);
  await ask('/account/tag/colour', { method: 'POST', body: '"blue"' });
  await workbench.clock.advance('0s');
  await workbench.reset();
  expect(await ask('/printjobs')).toEqual([]);
  expect(await ask('/whoami')).toMatchObject({ totalPrints: 0, numComputers: 2, Tags: [] });
  expect(await ask('/printers')).toEqual(before);
  expect(await ask('/printjobs', { method: 'POST', body: JSON.stringify(job) })).toBe(1);
});
