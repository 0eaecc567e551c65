import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it, vi } from 'vitest';

import { messageOf } from '../../../src/common/error-message.ts';
import { createHook } from '../../../src/targets/hook.ts';

it('says once what a command that fails has written', async () => {
  const hook = createHook(
    'reset',
    { command: 'echo no such clock >&2; exit 3' },
    { folder: tmpdir(), url: 'http://x' },
  );
  const message = await hook(1).then(() => '', messageOf);
  expect(message).toMatch(/^the hook reset failed: Command failed: /);
  expect(message.split('\n').filter((line) => line === 'no such clock')).toHaveLength(1);
});

it.each(['reset', 'advanceClock', 'restart'])(
  'runs the command of %s in the folder of the descriptor, with the environment of platen',
  async (name) => {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'hook-')));
    vi.stubEnv('A_VARIABLE_OF_PLATEN', 'is here');
    try {
      const command = 'pwd >said.txt; echo "$A_VARIABLE_OF_PLATEN" >>said.txt; env >environment.txt';
      await createHook(name, { command }, { folder, url: 'http://x' })(1);
      expect(readFileSync(path.join(folder, 'said.txt'), 'utf8')).toBe(`${folder}\nis here\n`);
      const given = readFileSync(path.join(folder, 'environment.txt'), 'utf8').match(/^\w+(?==)/gm) ?? [];
      const ofShell = ['_', 'PWD', 'OLDPWD', 'SHLVL'];
      expect(given.filter((variable) => !ofShell.includes(variable) && !(variable in process.env))).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true });
    }
  },
);

it('ends with its command, though what that started goes on, where that writes elsewhere', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hook-'));
  try {
    await createHook(
      'restart',
      { command: 'sleep 600 >log.txt 2>&1 & echo $! >pid.txt' },
      { folder, url: 'http://x' },
    )(0);
    expect(process.kill(Number(readFileSync(path.join(folder, 'pid.txt'), 'utf8')), 'SIGKILL')).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it.each([
  ['an address that is none', { http: { url: 'no address' } }, /no valid address: 'no address'/],
  ['a module that is not there', { module: './no-such-hook.js' }, /there is no module .*no-such-hook\.js/],
])('takes %s for a mistake in the descriptor', async (_, description, message) => {
  const hook = createHook('reset', description, { folder: tmpdir(), url: 'http://127.0.0.1:1' });
  await expect(hook(0)).rejects.toMatchObject({ kind: 'usage', message: expect.stringMatching(message) as string });
});
