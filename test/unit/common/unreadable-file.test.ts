import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it } from 'vitest';

import { readTextFile, unreadableFile } from '../../../src/common/unreadable-file.ts';

function messageFor(file: string): string {
  try {
    readFileSync(file);
  } catch (error) {
    return unreadableFile('the.file', error, 'Name another.').message;
  }
  return '';
}

it('says of a file that cannot be read what is the matter with it', () => {
  expect(messageFor(path.join(tmpdir(), 'platen-nowhere'))).toBe('cannot read the.file: there is no such file');
  expect(messageFor(tmpdir())).toBe('cannot read the.file: it is a folder');
});

it('refuses a file that is no text', () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'platen-text-'));
  const file = path.join(folder.path, 'latin-1.yaml');
  writeFileSync(file, Buffer.from('title: Café\n', 'latin1'));
  expect(() => readTextFile(file, 'Name one you may read.')).toThrow(
    expect.objectContaining({
      message: `${file} is not text in UTF-8`,
      nextStep: 'Save it as UTF-8, or name another file.',
    }),
  );
});

it('leaves the words of an error that says more', () => {
  const cause = new Error('the disk is on fire');
  expect(unreadableFile('the.file', cause, 'Name another.')).toMatchObject({
    kind: 'usage',
    message: 'cannot read the.file: the disk is on fire',
    nextStep: 'Name another.',
    cause,
  });
});
