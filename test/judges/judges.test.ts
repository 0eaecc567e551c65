/**
 * The judging code is tried whole: no file of it is missing in the committed table, and a sample of changes is killed.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { keysOf } from '../../src/common/keys-of.ts';
import { readBaselineRows } from '../support/baseline-page.ts';
import { changesOf } from './changes.ts';
import { JUDGES_PAGE, readSampleLine } from './judges-page.ts';
import { judgingFiles } from './judging-files.ts';
import { REASONED_SURVIVORS } from './reasoned-survivors.ts';

const FILES = judgingFiles();
const ROWS = readBaselineRows(JUDGES_PAGE);
/** Their tests do not yet kill what the table asks for, or nobody has tried: no figure of them is claimed. */
const NOT_CLAIMED: readonly string[] = ['src/oracle/traffic.ts'];
/** Columns of the table. */
const [CHANGES, KILLED] = [2, 3];

function sum(column: number): number {
  return ROWS.reduce((total, row) => total + Number(row[column]), 0);
}

describe('the committed table', () => {
  it('has a row for each file that judges', () => {
    const files = FILES.filter(({ file }) => !NOT_CLAIMED.includes(file)).map(({ file }) => `\`${file}\``);
    expect(
      ROWS.map(([file]) => file),
      'npm run prove judges writes the page',
    ).toEqual(files);
  });

  it('has a reason for each survivor', () => {
    expect(ROWS.flat().filter((cell) => cell.includes('**'))).toEqual([]);
  });

  it('shows that at least 95 % of the changes are killed', () => {
    expect(sum(KILLED) / sum(CHANGES)).toBeGreaterThanOrEqual(0.95);
  });

  it('shows the same of a random sample of all changes', () => {
    const [, killed, accepted] = /(\d+) of (\d+) killed/.exec(readSampleLine()) ?? [];
    expect(Number(accepted)).toBeGreaterThanOrEqual(150);
    expect(Number(killed) / Number(accepted)).toBeGreaterThanOrEqual(0.95);
  });
});

it('gives reasons for changes that there are', () => {
  const stale = keysOf(REASONED_SURVIVORS).flatMap((file) => {
    const names = FILES.find((judging) => judging.file === file)?.changes.map(({ name }) => name) ?? [];
    return keysOf(REASONED_SURVIVORS[file] ?? {}).filter((name) => !names.includes(name));
  });
  expect(stale).toEqual([]);
});

it('has a test of its own for each file that judges', () => {
  expect(FILES.filter(({ tests }) => tests.length === 0).map(({ file }) => file)).toEqual([]);
});

it.each([
  ['x(a < b)', ['x(a «< → <=» b)', 'x(a «< → >=» b)']],
  ['x(a && b)', ['x(«a &&  → »b)', 'x(a« && b → »)']],
  ['x(a ?? b)', ['x(«a ??  → »b)', 'x(a« ?? b → »)']],
  ['x(a ? b : c)', ['x(«a → true» ? b : c)', 'x(«a → false» ? b : c)']],
  ['if (a) b()', ['if («a → true») b()', 'if («a → false») b()', 'if (a) «b() → ;»']],
  ["f('x', 5, 200)", ["f(«'x' → ''», 5, 200)", "f('x', «5 → 6», 200)", "f('x', 5, «200 → 400»)"]],
  ['a.some(b)', ['a.«some → every»(b)']],
  ['a?.b()', ['a«?. → .»b()']],
  ['x([a, b])', ['x(«[a, b] → []»)', 'x([«a, → » b])', 'x([a, «b → »])']],
  ['x(/^a+/i)', ['x(/«^ → »a+/i)', 'x(/^a«+ → »/i)', 'x(/^a+/«i → »)']],
  ['type A = "a" | 5', []],
  ['z.string().describe("a text")', []],
])('changes %s', (source, expected) => {
  const names = changesOf(`${source}\n`).map(({ name }) => name.replace(/^: /, ''));
  expect(names.filter((name) => !name.startsWith('«'))).toEqual(expected);
});

it('kills a sample of the changes', { timeout: 120_000 }, () => {
  const run = fileURLToPath(new URL('run-judges.ts', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [run, '--sample', '25'], { encoding: 'utf8' });
  expect(stdout).toMatch(/25 changes in \d+ s, 0 of them without a reason/);
  expect(status).toBe(0);
});
