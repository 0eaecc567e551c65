/**
 * platen room, and the commands that tell a running workbench something.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { within } from '../../src/common/waiter.ts';
import { platen, PROJECT, startWorkbench, type RunningWorkbench } from '../support/command-line.ts';
import { basic } from '../support/print-request.ts';
import { soon } from '../support/soon.ts';

let workbench: RunningWorkbench;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-room-'));
  workbench = await startWorkbench(['--clock', 'virtual']);
});
afterAll(async () => {
  await workbench.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('shows the clock, advances it, and refuses what is not a duration', async () => {
  const { env } = workbench;
  expect((await platen(['clock'], { env })).stdout).toBe('2026-01-01T00:00:00.000Z  (virtual, frozen)\n');
  const { code, stdout } = await platen(['clock', 'advance', '14d'], { env });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: '2026-01-15T00:00:00.000Z  (virtual, frozen, 14d later)\n',
  });
  expect((await platen(['clock', 'advance', 'soon'], { env })).code).toBe(64);
  const { stderr } = await platen(['clock', 'advance', '99999999d'], { env });
  expect(stderr).toMatch(/^error: .*by: must be at most 366d.*\n.*docs\/control-api\.md/);
});

it('says what helps where the limit of requests is reached and no time passes', async () => {
  const { env, url, apiKey } = workbench;
  const ask = async (): Promise<number> => (await fetch(`${url}/printers`, { headers: basic(apiKey) })).status;
  await soon('the limit', '10s', async () => ((await ask()) === 429 ? true : undefined), { every: 0 });
  const refused = await platen(['print', 'invoice', '--wait'], { env });
  expect(refused).toMatchObject({ code: 64, stdout: '' });
  expect(refused.stderr).toMatch(/its clock is stopped\n.*`platen clock advance 1s`.*--limits off/);
  await platen(['clock', 'advance', '1m'], { env });
  expect((await platen(['print', 'invoice', '--wait'], { env })).code).toBe(0);
});

it('makes a printer jam, lists the fault, and clears it', async () => {
  const { env } = workbench;
  const added = await platen(['fault', 'printer/Laser', 'media-jam', '--after', '1', '--json'], { env });
  expect(JSON.parse(added.stdout)).toEqual([
    { id: 'printer-rule-1', rule: { at: 'printer/Laser', fault: 'media-jam', after: 1 }, fired: null },
  ]);
  expect((await platen(['fault'], { env })).stdout).toContain('media-jam');
  const wrong = await platen(['fault', 'printer/Laser', 'media-jm'], { env });
  expect({ code: wrong.code, stdout: wrong.stdout }).toEqual({ code: 64, stdout: '' });
  expect(wrong.stderr).toContain("did you mean 'media-jam'?");
  expect((await platen(['fault', '--clear'], { env })).stdout).toBe('no faults\n');
});

it('clears the faults of one place, and leaves the others', async () => {
  const { env } = workbench;
  for (const [place, fault] of [
    ['printer/Laser', 'media-jam'],
    ['printer/Laser', 'cover-open'],
    ['link/*', 'drop'],
  ] as const) {
    await platen(['fault', place, fault], { env });
  }
  const left = async (...cleared: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await platen(['fault', ...cleared, '--clear', '--json'], { env });
    return (JSON.parse(stdout) as { rule: { fault: string } }[]).map(({ rule }) => rule.fault);
  };
  expect(await left('printer/Laser', 'media-jam')).toEqual(['cover-open', 'drop']);
  expect(await left('printer/Laser')).toEqual(['drop']);
  expect(await left()).toEqual([]);
});

it('leads a workbench back to its seed', async () => {
  const { env } = workbench;
  await platen(['print', 'fixtures/documents/invoice.pdf', '--printer', 'Laser'], { env });
  expect((await platen(['reset'], { env })).code).toBe(0);
  expect(JSON.parse((await platen(['jobs', '--json'], { env })).stdout)).toEqual([]);
});

it('refuses a service that is not a workbench', async () => {
  const { code, stderr } = await platen(['clock', '--url', 'http://127.0.0.1:1']);
  expect(code).toBe(75);
  expect(stderr).toContain('nothing answers');
});

it.each([
  ['', []],
  [' by another link', ['--link', 'test/support/my-link.ts']],
])('connects a room to a service%s until it is stopped, and reports what it prints', async (_, flags) => {
  const roomFile = path.join(folder, 'room.yaml');
  writeFileSync(roomFile, 'computers: [{ name: GUEST, printers: [{ profile: laser-a4, name: Guest }] }]\n');
  const argv = [path.join(PROJECT, 'bin/platen.js'), 'room', workbench.url, '--room', roomFile, ...flags];
  const room = spawn(process.execPath, argv, { env: { ...process.env, ...workbench.env, NO_COLOR: '1' } });
  let told = '';
  room.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
  const isTold = (part: string): Promise<true> =>
    soon(part, '10s', () => told.includes(part) || undefined, { lastSeen: () => told });
  await isTold('Connected to');
  await platen(['print', 'fixtures/documents/three-pages.pdf', '--printer', 'Guest'], { env: workbench.env });
  await isTold('3 sheets out of Guest');
  const ended = once(room, 'exit');
  room.kill('SIGINT');
  const [code] = await within(ended, { description: 'the end of the room', limit: '5s' });
  expect(code).toBe(0);
});

it('lets operating systems print in a room without a service, and keeps what they print', async () => {
  const readyFile = path.join(folder, 'ready.json');
  const kept = path.join(folder, 'kept');
  const argv = ['bin/platen.js', 'room', '--expose', 'raw:0', '--ready-file', readyFile, '--out', kept];
  const room = spawn(process.execPath, argv, { cwd: PROJECT, stdio: 'ignore' });
  const ready = await soon(
    'the ready file of platen room',
    '20s',
    async () => (existsSync(readyFile) ? readFileSync(readyFile, 'utf8') : undefined),
    { every: '50ms' },
  );
  const { url, hardware } = JSON.parse(ready) as { url: null; hardware: Record<string, string>[] };
  expect(url).toBeNull();
  expect(hardware[0]).toMatchObject({ computer: 'FRONT-DESK', printer: 'Laser' });
  const label = connect(Number(new URL(hardware[1]?.['raw'] ?? '').port), '127.0.0.1');
  label.end('^XA^FDone^FS^XZ');
  await once(label, 'close');
  const file = path.join(kept, 'raw-1-Label-4x6.raw');
  const drawn = path.join(kept, 'raw-1-Label-4x6.pdf');
  await soon('the label in the folder of --out, as drawn', '20s', async () => existsSync(drawn) || undefined, {
    every: '50ms',
  });
  expect(readFileSync(file, 'latin1')).toBe('^XA^FDone^FS^XZ');
  room.kill('SIGINT');
  expect(await once(room, 'exit')).toEqual([0, null]);
  expect(existsSync(readyFile)).toBe(false);
});

it('wants a service or a protocol', async () => {
  const { code, stderr } = await platen(['room']);
  expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining('--expose ipp') });
  const wrong = await platen(['room', '--expose', 'ips']);
  expect({ code: wrong.code, stderr: wrong.stderr }).toEqual({
    code: 64,
    stderr: expect.stringContaining("Did you mean 'ipp'?"),
  });
});
