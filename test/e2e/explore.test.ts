/**
 * platen explore, as people and scripts use it.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { platen, type Finished } from '../support/command-line.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-explore-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function explore(...argv: readonly string[]): Promise<Finished> {
  return platen(['explore', ...argv, '--out', path.join(folder, 'out')]);
}

it('finds nothing on the reference service, and says what it tried', { timeout: 60_000 }, async () => {
  const { code, stdout } = await explore('--seed', '7', '--seeds', '8', '--processes', '2');
  expect(stdout).toContain('Exploring from seed 7.');
  expect(stdout).toContain('PASSED: 8 days, and nothing was found.');
  expect(code).toBe(0);
  const tried = readFileSync(path.join(folder, 'out/explored.md'), 'utf8');
  expect(tried).toContain('| operation | condition | times |');
  expect(tried).toContain('| `lp`, `queue` | They print past the service');
});

/** What of a record does not depend on how long it took. */
async function factsWith(processes: string): Promise<unknown> {
  const { stdout } = await explore('--seed', '40', '--seeds', '6', '--processes', processes, '--json');
  const { days, findings, coverage, elapsedMs } = JSON.parse(stdout) as Record<string, unknown>;
  return { days, findings, coverage, elapsedMs };
}

it('makes the same record in any number of processes', { timeout: 120_000 }, async () => {
  expect(await factsWith('1')).toEqual(await factsWith('3'));
});

it('says which kind of move it does not know', async () => {
  const { code, stderr } = await explore('--without', 'advanse', '--seeds', '1');
  expect(stderr).toContain("there is no kind of move 'advanse'; did you mean 'advance'?");
  expect(code).toBe(64);
});

it('says what is wrong with a room', async () => {
  const file = path.join(folder, 'room.yaml');
  writeFileSync(file, 'computers:\n  - name: DESK\n    printers: [{ profile: no-such-printer }]\n');
  const { code, stderr } = await explore('--room', file, '--seeds', '1');
  expect(stderr).toContain('the room has mistakes');
  expect(code).toBe(64);
});

it('takes no processes for one service', async () => {
  const { code, stderr } = await explore('http://127.0.0.1:1', '--processes', '2');
  expect(stderr).toContain('its days run in one process');
  expect(code).toBe(64);
});
