/**
 * Commands that change a running workbench: what they say when it refuses.
 */

import { expect, it } from 'vitest';

import { platen, startWorkbench } from '../support/command-line.ts';

it('gives the control token to a workbench that listens beyond loopback', async () => {
  const token = 'the-token-of-this-test';
  const workbench = await startWorkbench(['--host', '0.0.0.0', '--control-token', token]);
  const url = workbench.url.replace('0.0.0.0', '127.0.0.1');
  const commands = [['fault'], ['clock'], ['reset', '-q']];
  for (const command of commands) {
    const without = await platen([...command, '--url', url]);
    expect(without).toMatchObject({ code: 64, stdout: '' });
    expect(without.stderr).toContain('--control-token or PLATEN_CONTROL_TOKEN');
    expect(await platen([...command, '--url', url, '--control-token', token])).toMatchObject({ code: 0 });
  }
  const env = { PLATEN_CONTROL_TOKEN: token };
  expect(await platen(['fault', '--url', url], { env })).toMatchObject({ code: 0, stdout: 'no faults\n' });
  await workbench.stop();
}, 60_000);

it('says what to do, without status codes', async () => {
  const workbench = await startWorkbench();
  const said = [];
  for (const argv of [
    ['fault', 'printer/Laser', 'media-jma'],
    ['fault', 'printer/Lasr', 'media-jam'],
    ['clock', 'advance', '5s'],
  ]) {
    said.push(await platen(argv, { env: workbench.env }));
  }
  await workbench.stop();
  expect(said.map(({ code }) => code)).toEqual([64, 64, 64]);
  for (const { stderr } of said) expect(stderr).not.toMatch(/\d{3} [A-Z]\w+:/);
  expect(said[0]?.stderr).toContain("did you mean 'media-jam'?");
  expect(said[2]?.stderr).toMatch(/^error: this workbench runs on real time.*\n.*platen start --clock virtual/);
}, 60_000);

it('shows the age of a job by the clock of the service', async () => {
  const workbench = await startWorkbench(['--clock', 'virtual']);
  const { env } = workbench;
  await platen(['print', 'invoice'], { env });
  await platen(['clock', 'advance', '2h'], { env });
  const { stdout } = await platen(['jobs'], { env });
  await workbench.stop();
  expect(stdout).toMatch(/ 2h ago /);
}, 60_000);

it('refuses to advance a clock by no duration, and to freeze it by one', async () => {
  const workbench = await startWorkbench(['--clock', 'virtual']);
  const said = [];
  for (const argv of [['advance'], ['freeze', '5s']])
    said.push(await platen(['clock', ...argv], { env: workbench.env }));
  await workbench.stop();
  expect(said.map(({ code, stdout }) => [code, stdout])).toEqual([
    [64, ''],
    [64, ''],
  ]);
  expect(said[0]?.stderr).toMatch(/^error: clock advance needs a duration\n.*platen clock advance 45s/);
  expect(said[1]?.stderr).toMatch(/^error: clock freeze takes no duration\n/);
}, 60_000);

it('refuses settings that a fault does not have, or that are not durations', async () => {
  const workbench = await startWorkbench();
  const said = [];
  for (const setting of ['delya=5s', 'bytes=5', 'delay=soon']) {
    const argv = ['fault', 'link/FRONT-DESK', 'latency', '--with', setting, '--url', workbench.url];
    const { code, stderr } = await platen(argv);
    said.push(`${code} ${stderr.split('\n', 1)[0]}`);
  }
  await workbench.stop();
  expect(said).toEqual([
    "64 error: latency has no setting 'delya'; did you mean 'delay'?",
    "64 error: latency has no setting 'bytes'; there are delay",
    '64 error: delay of latency is not a duration; write for example 500ms or 5s',
  ]);
}, 60_000);
