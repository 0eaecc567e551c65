import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempDisposableSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it } from 'vitest';

import { readTextFile } from '../../../src/common/given-file.ts';

const NEXT_STEP = 'Name one you may read.';

it.each([
  [path.join(tmpdir(), 'platen-nowhere'), 'there is no such file'],
  [tmpdir(), 'it is a folder'],
  ['a'.repeat(300), 'its name is too long'],
  ['a\0b', 'its name has a NUL character'],
  ['/dev/zero', 'it is a device'],
])('says of %s why it cannot be read', async (file, why) => {
  await expect(readTextFile(file, NEXT_STEP)).rejects.toMatchObject({
    kind: 'usage',
    message: `cannot read ${file}: ${why}`,
    nextStep: NEXT_STEP,
  });
});

it('refuses a file that is no text', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'platen-text-'));
  const file = path.join(folder.path, 'latin-1.yaml');
  writeFileSync(file, Buffer.from('title: Café\n', 'latin1'));
  await expect(readTextFile(file, NEXT_STEP)).rejects.toMatchObject({
    message: `${file} is not text in UTF-8`,
    nextStep: 'Save it as UTF-8, or name another file.',
  });
});

it('refuses a file that is too long, and names the limit', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'platen-long-'));
  const file = path.join(folder.path, 'long.json');
  writeFileSync(file, '');
  truncateSync(file, 128 * 1024 * 1024 + 1);
  await expect(readTextFile(file, NEXT_STEP)).rejects.toThrow('it is longer than 134217728 bytes');
});

it('reads a pipe to its end, and goes on with other things until somebody writes', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'platen-pipe-'));
  const pipe = path.join(folder.path, 'pipe');
  spawnSync('mkfifo', [pipe]);
  const reading = readTextFile(pipe, NEXT_STEP);
  const writer = openSync(pipe, 'w');
  writeSync(writer, 'title: A pipe\n');
  closeSync(writer);
  expect(await reading).toBe('title: A pipe\n');
});

it('does not wait for a writer who never comes', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'platen-pipe-'));
  const pipe = path.join(folder.path, 'pipe');
  spawnSync('mkfifo', [pipe]);
  await expect(readTextFile(pipe, NEXT_STEP)).rejects.toThrow('it is a pipe, and nobody writes to it');
}, 20_000);

it('waits for a writer who takes his time', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'platen-pipe-'));
  const pipe = path.join(folder.path, 'pipe');
  spawnSync('mkfifo', [pipe]);
  const reading = readTextFile(pipe, NEXT_STEP);
  const writer = spawn('sh', ['-c', `exec 3>"${pipe}"; sleep 6; echo 'title: A pipe' >&3`]);
  expect(await reading).toBe('title: A pipe\n');
  await once(writer, 'close');
}, 30_000);
