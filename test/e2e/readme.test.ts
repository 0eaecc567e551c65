import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { PROJECT, run, startBench, type RunningBench } from '../support/command-line.ts';

const README = readFileSync(path.join(PROJECT, 'README.md'), 'utf8');

let bench: RunningBench;
let folder: string;

beforeAll(async () => {
  bench = await startBench();
  folder = mkdtempSync(path.join(tmpdir(), 'platen-readme-'));
});

afterAll(async () => {
  await bench.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('names exactly two commands to set it up', () => {
  expect(commandsBelow('Set up')).toEqual(['npm ci && npx platen check', 'npm ci && npm test']);
});

it('shows five commands to try', () => {
  expect(commandsBelow('Five things to try')).toHaveLength(5);
});

/** `npx platen` alone, which holds a port and does not end, is what stands behind `bench`. */
it.each(commandsBelow('Five things to try').filter((command) => command !== 'npx platen'))(
  '%s',
  async (command) => {
    const here = command.replace('--out sheets', `--out ${folder}`);
    const ran = await run('sh', ['-c', here], { env: bench.env });
    expect(ran.code).toBe(command.includes('encrypted.pdf') ? 1 : 0);
  },
);

it('tells the truth about the sheets', () => {
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['1.pdf', '1-1.png', '1-4.png', '2.raw']));
});

it('shows the exit codes and the printers that there are', () => {
  expect(README).toContain('1  Laser            FRONT-DESK   online   Brother HL-5450DN series');
  for (const code of [0, 1, 2, 64, 70, 75, 130]) expect(README).toMatch(new RegExp(`^\\| ${code} +\\|`, 'm'));
});

/** The shell commands of a section. */
function commandsBelow(title: string): string[] {
  const section = README.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'));
}
