import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it } from 'vitest';

import { GuardedChild } from '../../../src/targets/guarded-child.ts';
import { soon } from '../../support/soon.ts';

const MODULE = new URL('../../../src/targets/guarded-child.ts', import.meta.url).href;

function guard(script: string): GuardedChild {
  return new GuardedChild({ command: ['sh', '-c', script], environment: process.env, cwd: tmpdir() });
}

function eventuallyTrue(description: string, probe: () => boolean): Promise<true> {
  return soon(description, '10s', () => probe() || undefined);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it('is stopped with SIGTERM, and says what it printed last', async () => {
  const child = guard('trap "echo stopped; exit 0" TERM; echo ready; while :; do sleep 0.1; done');
  await eventuallyTrue('its first line', () => child.lines.includes('ready'));
  expect(child.end).toBeUndefined();
  await child.stop();
  expect(child.lines).toContain('stopped');
});

it('says how it ended, when it ends by itself', async () => {
  const child = guard('echo the door is locked >&2; exit 7');
  const { promise, resolve } = Promise.withResolvers<void>();
  child.onEnd(resolve);
  await promise;
  expect(child.end).toBe('it ended with exit code 7');
  await eventuallyTrue('its last line', () => child.lines.includes('the door is locked'));
  await child.stop();
});

it('ends with this process, with its children, one that ignores SIGTERM among them', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-guard-'));
  const pids = path.join(folder, 'pids');
  const script = `sleep 1000 & sh -c 'trap "" TERM; sleep 1001' & echo $$ $! > ${pids}; wait`;
  const source = `import { GuardedChild } from '${MODULE}';
    new GuardedChild({ command: ['sh', '-c', ${JSON.stringify(script)}], environment: process.env, cwd: '/' });
    setInterval(() => undefined, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', source], { stdio: 'ignore' });
  await eventuallyTrue('its children', () => existsSync(pids) && readFileSync(pids, 'utf8').includes('\n'));
  const children = readFileSync(pids, 'utf8').trim().split(' ').map(Number);
  rmSync(folder, { recursive: true });
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await eventuallyTrue('the end of its children', () => !children.some(isAlive));
  expect(children).toHaveLength(2);
});
