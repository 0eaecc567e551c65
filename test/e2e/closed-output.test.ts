/**
 * Standard output that takes no more: a reader that stops early, such as `head -1`, and a disk that is full.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';

import { expect, it, onTestFinished } from 'vitest';

import { within } from '../../src/common/waiter.ts';
import { PROJECT } from '../support/command-line.ts';

const LIMIT = 60_000;

interface Ended {
  readonly code: unknown;
  readonly stderr: string;
}

/** Runs a command whose reader goes after the first piece of output. */
function readOnce(...argv: readonly string[]): Promise<Ended> {
  return endOnceRead(process.execPath, ['bin/platen.js', ...argv]);
}

/** Runs a command whose reader, of both its outputs, goes after the first piece. */
function readBothOnce(...argv: readonly string[]): Promise<Ended> {
  return endOnceRead('sh', ['-c', 'exec "$0" bin/platen.js "$@" 2>&1', process.execPath, ...argv]);
}

async function endOnceRead(program: string, argv: readonly string[]): Promise<Ended> {
  const child = spawn(program, argv, { cwd: PROJECT, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdout.once('data', () => child.stdout.destroy());
  return endOf(child, child.stderr);
}

/** Runs a command whose output goes to a disk that is full. */
async function writeToFullDisk(...argv: readonly string[]): Promise<Ended> {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, ['bin/platen.js', ...argv], { cwd: PROJECT, stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  onTestFinished(() => void child.kill('SIGKILL'));
  return endOf(child, child.stderr);
}

async function endOf(child: ChildProcess, output: Readable | null): Promise<Ended> {
  let stderr = '';
  output?.on('data', (piece: Buffer) => (stderr += String(piece)));
  const [code] = await within(once(child, 'close'), { description: 'the end of the command', limit: '50s' });
  return { code, stderr };
}

it('does not pass a run whose reader goes before its end, and leaves the report', { timeout: LIMIT }, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-closed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(await readOnce('run', 'edge-cases', '--out', folder)).toMatchObject({ code: 130 });
  expect(existsSync(path.join(folder, 'run.json'))).toBe(true);
});

it('tidies up as well when nobody reads what it says of the run', { timeout: LIMIT }, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-closed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(await readBothOnce('check', '--out', folder)).toMatchObject({ code: 130 });
  expect(existsSync(path.join(folder, 'run.json'))).toBe(true);
});

it('is content when the reader of a list has enough', { timeout: LIMIT }, async () => {
  expect(await readOnce('faults')).toEqual({ code: 0, stderr: '' });
});

it('says that nobody reads, and of no key that was pressed', { timeout: LIMIT }, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-closed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { code, stderr } = await readOnce('check', '--out', folder);
  expect(code).toBe(130);
  expect(stderr).toContain('Nobody reads standard output any more.');
  expect(stderr).not.toContain('Ctrl-C');
});

it.each([['check', '--list'], ['faults'], ['run', 'blank-page', '--out', 'OUT']])(
  'names standard output where nothing can be written to it: %s',
  { timeout: LIMIT },
  async (...argv) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'platen-full-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { code, stderr } = await writeToFullDisk(...argv.map((word) => (word === 'OUT' ? folder : word)));
    expect(stderr).toMatch(/^error: cannot write to standard output: .*no space left/m);
    expect(code).toBe(70);
  },
);
