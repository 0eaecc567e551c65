/**
 * How soon a bench can be used: from the command line, inside a program, and after a reset.
 *
 * Usage: node test/bench/start.ts [--rounds 15]
 * The command is built first, as in the package. Beside it the floor: an empty Node, in turn.
 * Exits 1 when a median misses its bar.
 */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { monotonicMs, startStopwatch } from '../../src/common/stopwatch.ts';
import { start } from '../../src/workbench/start.ts';
import { machineLine, median } from './paired.ts';
import { soon } from '../support/soon.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } });
const rounds = Number(values.rounds);
const RESETS_A_ROUND = 5;

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'platen-start-'));

/** The package as it is installed: no sources beside the build. */
const packed = join(folder, 'package');

const args = (readyFile: string): string[] => ['start', '--port', '0', '--ready-file', readyFile];

/** From the start of the process until its ready file is there. */
async function commandLineMs(round: number): Promise<number> {
  const readyFile = join(folder, `ready-${round}.json`);
  const elapsedMs = startStopwatch();
  const child = spawn(process.execPath, [join(packed, 'bin/platen.js'), ...args(readyFile)], {
    stdio: 'ignore',
  });
  await soon('the ready file', '10s', () => (existsSync(readyFile) ? true : undefined), { every: 1 });
  const tookMs = elapsedMs();
  child.kill('SIGKILL');
  await once(child, 'exit');
  return tookMs;
}

async function emptyNodeMs(): Promise<number> {
  const elapsedMs = startStopwatch();
  await once(spawn(process.execPath, ['--eval', ''], { stdio: 'ignore' }), 'exit');
  return elapsedMs();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = monotonicMs();
  await work();
  return monotonicMs() - startedMs;
}

execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'ignore' });
for (const part of ['bin', 'dist', 'fixtures', 'package.json']) {
  cpSync(join(root, part), join(packed, part), { recursive: true });
}
symlinkSync(join(root, 'node_modules'), join(packed, 'node_modules'));
const figures = {
  command: [] as number[],
  node: [] as number[],
  start: [] as number[],
  reset: [] as number[],
};
await using bench = await start({ port: 0, clock: 'virtual' });
for (let round = 0; round < rounds; round++) {
  figures.command.push(await commandLineMs(round));
  figures.node.push(await emptyNodeMs());
  figures.start.push(
    await timed(async () => {
      const another = await start({ port: 0, clock: 'virtual' });
      await another.close();
    }),
  );
  // As between the tests of a file: several in a row.
  for (let reset = 0; reset < RESETS_A_ROUND; reset++) figures.reset.push(await timed(() => bench.reset()));
}
rmSync(folder, { recursive: true });

const ROWS = [
  ['platen start, until its ready file', median(figures.command), 400],
  ['an empty Node, started and ended', median(figures.node), Number.NaN],
  ['start() and close() in a program', median(figures.start), 50],
  ['reset()', median(figures.reset), 5],
] as const;
process.stdout.write(`${machineLine()}\n| what | median ms | bar |\n|---|---|---|\n`);
for (const [what, ms, bar] of ROWS) {
  process.stdout.write(`| ${what} | ${ms.toFixed(1)} | ${Number.isNaN(bar) ? '' : `≤ ${bar}`} |\n`);
}
process.exitCode = ROWS.some(([, ms, bar]) => ms > bar) ? 1 : 0;
