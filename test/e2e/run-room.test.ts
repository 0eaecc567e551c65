/**
 * platen room, and the commands that tell a running workbench something.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { realTimekeeper } from '../../src/common/timekeeper.ts';
import { eventually, within } from '../../src/common/waiter.ts';
import { platen, PROJECT, startWorkbench, type RunningWorkbench } from '../support/command-line.ts';

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
    eventually({
      description: part,
      limit: '10s',
      timekeeper: realTimekeeper,
      probe: () => told.includes(part) || undefined,
      lastSeen: () => told,
    });
  await isTold('Connected to');
  await platen(['print', 'fixtures/documents/three-pages.pdf', '--printer', 'Guest'], { env: workbench.env });
  await isTold('3 sheets out of Guest');
  const ended = once(room, 'exit');
  room.kill('SIGINT');
  const [code] = await within(ended, { description: 'the end of the room', limit: '5s' });
  expect(code).toBe(0);
});
