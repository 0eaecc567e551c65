import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { runConformance } from '../../../src/conformance/run/run-conformance.ts';
import { start } from '../../../src/workbench/start.ts';
import { ServiceClient } from '../../../src/targets/service-client.ts';
import { embeddedTarget, newDataName, removeDataOf } from '../../../src/targets/embedded.ts';
import { capabilitiesOf } from '../../../src/targets/target.ts';

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

/** Prints which data file it has open, and ends as it says without closing anything. */
const abandoned = (options: object, end: string): string => `
  import { readdirSync, readlinkSync } from 'node:fs';
  import { embeddedTarget } from ${JSON.stringify(new URL('../../../src/targets/embedded.ts', import.meta.url).href)};
  await embeddedTarget({ isRestartable: true, ...${JSON.stringify(options)} });
  const open = readdirSync('/proc/self/fd').flatMap((fd) => {
    try { return [readlinkSync('/proc/self/fd/' + fd)]; } catch { return []; }
  });
  console.log(open.find((file) => file.endsWith('service.db')));
  ${end};
`;

it.runIf(process.platform === 'linux')('leaves no data behind when its process ends before it is closed', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    abandoned({}, 'process.exit()'),
  ]);
  expect(stdout).toContain('platen-service-');
  expect(existsSync(stdout.trim())).toBe(false);
});

it.runIf(process.platform === 'linux')('has its data removed by another process when its own is killed', async () => {
  const dataName = newDataName();
  const killed = abandoned({ dataName }, "process.kill(process.pid, 'SIGKILL')");
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', killed]).catch(
    (error: { stdout: string }) => error,
  );
  const file = stdout.trim();
  expect(file).toContain(dataName);
  expect(existsSync(file)).toBe(true);
  removeDataOf(dataName);
  expect(existsSync(path.dirname(file))).toBe(false);
});
