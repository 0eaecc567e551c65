/**
 * platen/node-test as a program in JavaScript uses it: what it says where a call is not as it should be.
 */

import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import path from 'node:path';

import { expect, it } from 'vitest';

import { PROJECT, run } from '../support/command-line.ts';

const MODULE = pathToFileURL(path.join(PROJECT, 'src/node-test.ts')).href;

it.each([
  ["test('x')", 'a test wants a function as its second argument, not undefined'],
  ["test('x', { timeout: 5 }, () => {})", 'a test wants a function as its second argument, not object'],
  ["test('x', () => expect(3).toBe(3))", 'expect of platen/node-test has no toBe; there are toHaveState, toHaveSheets'],
  ["test('x', () => expect(3).not.toEqual(4))", 'toWeigh; node:assert is for other values'],
  ["test('x', () => expect(3).toHaveSheet(1))", "has no toHaveSheet; did you mean 'toHaveSheets'?"],
  [
    "test('x', ({ platen }) => expect(platen.print('invoice')).toHaveSheets(1))",
    'toHaveSheets wants a job from platen.print, platen.jobs.wait or platen.jobs.get',
  ],
  [
    "test('x', ({ platen }) => expect(platen.print('invoice')).toHaveState('done'))",
    'toHaveState wants a job: await platen.jobs.wait(…)',
  ],
  [
    "test('x', async ({ platen }) => { expect(await platen.print('invoice')).toHavePrinted('nonsense'); })",
    'toHavePrinted was not awaited, so the test ended before it',
  ],
])('says what there is instead: %s', async (call, complaint) => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'platen-node-test-'));
  const file = path.join(folder.path, 'a.mjs');
  await writeFile(file, `import { expect, test } from '${MODULE}'; ${call};`);
  const ran = await run(process.execPath, [file]);
  expect(ran.code).toBe(1);
  expect(ran.stdout).toContain(complaint);
});

it('lets an assertion be awaited', async () => {
  const script = `import { expect, test } from '${MODULE}'; test('x', async () => { await expect(3); await expect(3).not; });`;
  expect(await run(process.execPath, ['--input-type=module', '--eval', script])).toMatchObject({ code: 0 });
});
