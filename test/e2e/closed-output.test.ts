/**
 * A reader that stops early, such as `head -1`.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { within } from '../../src/common/waiter.ts';
import { PROJECT } from '../support/command-line.ts';

const LIMIT = 60_000;

/** @returns the exit code of a command whose reader goes after the first piece of output */
async function readOnce(...argv: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, ['bin/platen.js', ...argv], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdout.once('data', () => child.stdout.destroy());
  const [code] = await within(once(child, 'exit'), { description: 'the end of the command', limit: '50s' });
  return code;
}

it('does not pass a run whose reader goes before its end, and leaves the report', { timeout: LIMIT }, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-closed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(await readOnce('run', 'edge-cases', '--out', folder)).toBe(130);
  expect(existsSync(path.join(folder, 'run.json'))).toBe(true);
});

it('is content when the reader of a list has enough', { timeout: LIMIT }, async () => {
  expect(await readOnce('faults')).toBe(0);
});
