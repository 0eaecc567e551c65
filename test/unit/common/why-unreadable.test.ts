import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it } from 'vitest';

import { whyUnreadable } from '../../../src/common/why-unreadable.ts';

function reasonFor(file: string): string {
  try {
    readFileSync(file);
  } catch (error) {
    return whyUnreadable(error);
  }
  return '';
}

it('says of a file that cannot be read what is the matter with it', () => {
  expect(reasonFor(path.join(tmpdir(), 'platen-nowhere'))).toBe('there is no such file');
  expect(reasonFor(tmpdir())).toBe('it is a folder');
});

it('leaves an error as it is that says more', () => {
  expect(whyUnreadable(new Error('the disk is on fire'))).toBe('the disk is on fire');
  expect(whyUnreadable('odd')).toBe('odd');
});
