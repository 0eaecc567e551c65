import { expect, it } from 'vitest';

import { runConformance } from '../../../src/conformance/run/run-conformance.ts';
import { start } from '../../../src/workbench/start.ts';
import { ServiceClient } from '../../../src/target/service-client.ts';
import { embeddedTarget } from '../../../src/target/embedded.ts';
import { capabilitiesOf } from '../../../src/target/target.ts';

it('starts a service that has everything checks may need, and that passes them', async () => {
  const target = await embeddedTarget({ seed: 3 });
  expect(capabilitiesOf(target)).toEqual(['link', 'second-account', 'integrator', 'child-account', 'virtual-time']);
  const result = await runConformance({ target, seed: 3, grep: '^(misc|idempotency|states)/' });
  await target.close();
  expect(result.outcomes.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed')).toEqual([]);
  expect(result.exitCode).toBe(0);
});

it('is restarted where it keeps everything, and not where it does not', async () => {
  const target = await embeddedTarget({ isRestartable: true });
  const client = new ServiceClient(target);
  const path = '/account/tag/floor';
  await client.send({ method: 'POST', path, json: 'north' });
  await target.restart?.();
  expect((await client.send({ method: 'GET', path })).value).toBe('north');
  await client.close();
  await target.close();
  await using inMemory = await start({ port: 0, room: 'none' });
  expect(() => inMemory.restartService()).toThrow('a service that keeps nothing cannot be restarted');
});

it('is gone when it is closed', async () => {
  const target = await embeddedTarget();
  await target.close();
  await expect(fetch(`${target.baseUrl}/ping`)).rejects.toThrow('fetch failed');
});
