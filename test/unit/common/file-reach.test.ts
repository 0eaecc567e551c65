import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { ANYWHERE, FileReach } from '../../../src/common/file-reach.ts';

let folder: string;
const at = (...parts: readonly string[]): string => path.join(folder, ...parts);

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-reach-'));
  for (const name of ['own', 'own-too', 'allowed']) mkdirSync(at(name));
  for (const name of ['own', 'own-too', 'allowed']) writeFileSync(at(name, 'a.pdf'), name);
});
afterEach(() => rmSync(folder, { recursive: true }));

function errorOf(place: string, reach = new FileReach(at('own'))): string {
  const read = reach.read(place);
  return read.ok ? '' : read.error;
}

it('reads from the folder, from one that is allowed, and from where it runs', () => {
  const reach = new FileReach(at('own'), [at('allowed')]);
  expect(reach.read(at('own/a.pdf'))).toMatchObject({ ok: true, value: Buffer.from('own') });
  expect(reach.read(at('allowed/a.pdf'))).toMatchObject({ ok: true, value: Buffer.from('allowed') });
  expect(reach.read('package.json')).toMatchObject({ ok: true });
});

it('names what would allow a file elsewhere, also in a folder whose name begins alike', () => {
  expect(errorOf(at('own-too/a.pdf'))).toBe(
    `cannot read ${at('own-too/a.pdf')}: it is outside the folder of this file and the working folder; ` +
      `\`--allow-files ${at('own-too')}\` allows it`,
  );
  expect(ANYWHERE.read(at('own-too/a.pdf'))).toMatchObject({ ok: true });
});

it('goes by where a file is, not by its name', () => {
  symlinkSync(at('own/a.pdf'), at('allowed/inwards.pdf'));
  symlinkSync(at('allowed'), at('own/way'));
  expect(errorOf(at('allowed/inwards.pdf'))).toBe('');
  expect(errorOf(at('own/way/a.pdf'))).toContain('--allow-files');
  rmSync(at('own/way'));
  renameSync(at('allowed'), at('own/way'));
  expect(errorOf(at('own/way/a.pdf'))).toBe('');
});

it('takes the root for no folder that files belong to', () => {
  expect(errorOf('/etc/passwd', new FileReach('/'))).toContain('--allow-files /etc');
});

it('reads no more than a file may have, however many there are', () => {
  const reach = new FileReach(at('own'));
  for (const name of ['b.pdf', 'c.pdf']) {
    writeFileSync(at('own', name), '');
    truncateSync(at('own', name), 70 * 1024 * 1024);
  }
  expect(reach.read(at('own/b.pdf'), 1_000)).toMatchObject({ error: expect.stringContaining('than 1000 bytes') });
  expect(reach.read(at('own/b.pdf'))).toMatchObject({ ok: true });
  expect(errorOf(at('own/c.pdf'), reach)).toContain('have more than 134217728 bytes');
});

it.runIf(process.platform === 'linux')('is not misled by files that claim to be empty', () => {
  const reach = new FileReach('.', ['/proc']);
  expect(reach.read('/proc/self/status', 10)).toMatchObject({ error: expect.stringContaining('than 10 bytes') });
});
