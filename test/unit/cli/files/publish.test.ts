import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, expect, it, vi } from 'vitest';

import { publishRun } from '../../../../src/cli/files/publish.ts';
import { madeUpRun } from '../../../support/run-records.ts';

afterEach(() => vi.restoreAllMocks());

it.each([
  ['the lines of a run', {}, 'VERDICT\n'],
  ['the record as JSON', { json: true }, expect.stringContaining('"kind": "check"') as string],
] as const)('shows %s before it is written, so that a full disk costs no verdict', async (_, flags, shown) => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'platen-publish-'));
  const file = path.join(folder.path, 'file');
  writeFileSync(file, '');
  const written: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const publishing = publishRun(madeUpRun({}), path.join(file, 'reports'), flags, () => 'VERDICT');
  await expect(publishing).rejects.toThrow('cannot be written to');
  expect(written).toEqual([shown]);
});
