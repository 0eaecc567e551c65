import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it } from 'vitest';

import { removeFile, writeFileWhole } from '../../../../src/cli/files/whole-file.ts';

it.each([
  ['written', (file: string) => writeFileWhole(file, 'text')],
  ['removed', removeFile],
])('leaves a pipe that is named as a file to be %s where it is', (_, act) => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'platen-whole-'));
  const pipe = path.join(folder.path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(() => act(pipe)).toThrow(`cannot write ${pipe}: it is a pipe`);
  expect(lstatSync(pipe).isFIFO()).toBe(true);
});
