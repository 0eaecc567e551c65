import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { ensureWritable, makeFolder } from '../../../src/common/folder.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'platen-folder-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

it('makes a folder with those above it', () => {
  makeFolder(path.join(root, 'a/b/c'));
  expect(existsSync(path.join(root, 'a/b/c'))).toBe(true);
  expect(makeFolder(path.join(root, 'a/b/c'))).toEqual([]);
});

it('tries a folder, and leaves nothing behind', () => {
  ensureWritable(path.join(root, 'a/b'));
  ensureWritable(root);
  expect(readdirSync(root)).toEqual([]);
});

it('refuses a folder below a file', () => {
  const file = path.join(root, 'file');
  writeFileSync(file, '');
  for (const folder of [file, path.join(file, 'deeper')]) {
    expect(() => ensureWritable(folder)).toThrow(`${folder} cannot be written to: a part of its path is not a folder`);
  }
});

// Where Node makes folders for ever.
it.runIf(existsSync('/proc/self'))('refuses a folder that the system does not make', () => {
  expect(() => ensureWritable('/proc/platen/reports')).toThrow('no folder can be made there');
});
