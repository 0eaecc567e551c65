/**
 * platen exec: a workbench for as long as a command runs.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it } from 'vitest';

import { within } from '../../src/common/waiter.ts';
import { platen, PROJECT } from '../support/command-line.ts';

const SHOW = `
  const answer = await fetch(process.env.PLATEN_URL + '/printers', {
    headers: { authorization: 'Basic ' + btoa(process.env.PLATEN_API_KEY + ':') },
  });
  console.log(JSON.stringify((await answer.json()).map(({ name }) => name)));
`;

it('runs a command that finds a workbench by its environment', async () => {
  const { code, stdout, stderr } = await platen(['exec', '--', 'node', '--input-type=module', '--eval', SHOW]);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual(['Office MFP', 'Unknown Printer', 'Label 4x6', 'Laser']);
  expect(code).toBe(0);
});

it('exits with the code of the command, and passes on what it reads', async () => {
  const script = 'process.stdin.pipe(process.stdout); process.exitCode = 7';
  const { code, stdout } = await platen(['exec', '--', 'node', '--eval', script], { input: 'to be printed' });
  expect([code, stdout]).toEqual([7, 'to be printed']);
});

it('takes options of its own before the command, and leaves those of the command to it', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-exec-'));
  try {
    const room = path.join(folder, 'room.yaml');
    writeFileSync(room, 'computers:\n  - name: DESK\n    printers:\n      - { profile: laser-a4, name: Only }\n');
    const argv = ['exec', '--room', room, '--clock', 'virtual', '--limits', 'off', 'node', '--input-type=module'];
    const { code, stdout, stderr } = await platen([...argv, '--eval', SHOW]);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(['Only']);
    expect(code).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const SERVICE = `${process.execPath} ${path.join(PROJECT, 'bin/platen.js')} start --port $PORT --key $API_KEY --clock real`;

it('runs the command with a service that another command starts, and connects the room to it', async () => {
  const argv = ['exec', '--start', SERVICE, '--', 'node', '--input-type=module', '--eval', SHOW];
  const { code, stdout, stderr } = await platen(argv);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  // Its own room, and that of platen.
  expect(JSON.parse(stdout)).toHaveLength(8);
}, 60_000);

it.each([
  ['--clock virtual', ['--clock', 'virtual'], '--clock is about the reference service'],
  ['--provoke', ['--provoke'], '--start means nothing with --provoke'],
])('does not take %s with --start', async (_what, more, message) => {
  const { code, stderr } = await platen(['exec', '--start', 'true', ...more, '--', 'true']);
  expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining(message) });
});

it('does not run the command when the service does not come up', async () => {
  const { code, stdout, stderr } = await platen(['exec', '--start', 'echo no port; exit 3', '--', 'echo', 'ran']);
  expect({ code, stdout, stderr }).toEqual({ code: 75, stdout: '', stderr: expect.stringContaining('no port') });
}, 60_000);

it('names a command that was not found, as a shell would', async () => {
  const { code, stderr } = await platen(['exec', '--', 'no-such-command-anywhere']);
  expect(code).toBe(127);
  expect(stderr).toContain("there is no command 'no-such-command-anywhere'");
  const folder = await platen(['exec', '--', path.join(PROJECT, 'docs')]);
  expect([folder.code, folder.stderr]).toEqual([126, expect.stringContaining('permission denied')]);
});

it('wants a command', async () => {
  const { code, stderr } = await platen(['exec']);
  expect(code).toBe(64);
  expect(stderr).toContain("missing required argument 'command'");
});

it('exits with 128 and the number of the signal that ended the command', async () => {
  const { code } = await platen(['exec', '--', 'node', '--eval', "process.kill(process.pid, 'SIGKILL')"]);
  expect(code).toBe(137);
});

it.each(['SIGTERM', 'SIGINT'] as const)('passes %s on, and lets the command decide', async (signal) => {
  const script = `process.on('${signal}', () => process.exit(5)); setInterval(() => {}, 1000); console.log('up')`;
  const argv = [path.join(PROJECT, 'bin/platen.js'), 'exec', '--', process.execPath, '--eval', script];
  const child = spawn(process.execPath, argv, { cwd: PROJECT, stdio: ['ignore', 'pipe', 'inherit'] });
  await within(once(child.stdout, 'data'), { description: 'the command to be up', limit: '20s' });
  child.kill(signal);
  const [code] = await within(once(child, 'close'), { description: 'the end of platen exec', limit: '20s' });
  expect(code).toBe(5);
});
