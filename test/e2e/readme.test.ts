/**
 * README.md, followed to the letter: its commands are taken from it and run, and what it shows of their output
 * is what they print.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { startStopwatch } from '../../src/common/stopwatch.ts';
import { within } from '../../src/common/waiter.ts';
import { EXIT } from '../../src/cli/exit-code.ts';
import { cleanEnvironment, PROJECT, run, startWorkbench, type RunningWorkbench } from '../support/command-line.ts';
import { codeBlocks, readPage, type MarkdownPage } from '../support/markdown.ts';
import { commandsOf, ReaderFolder } from '../support/page-commands.ts';

const README = readPage('README.md');
const LIMIT = 120_000;
const [ROOM_ON_SCREEN = '', ...OTHERS] = commandsBelow('Five things to try');

let workbench: RunningWorkbench;
let folder: ReaderFolder;

beforeAll(async () => {
  workbench = await startWorkbench();
  folder = new ReaderFolder();
});

afterAll(async () => {
  folder.remove();
  await workbench.stop();
});

it('names exactly two commands to set it up', () => {
  expect(commandsBelow('Set up')).toEqual(['npm ci && npx platen check', 'npm ci && npm test']);
});

it('leaves npm ci to the build, which has done it when this runs', () => {
  expect(readFileSync(path.join(PROJECT, '.ci/run'), 'utf8')).toContain('\nnpm ci ||');
});

it('checks the reference service as it says, in seconds', { timeout: LIMIT }, async () => {
  const [check = ''] = commandsBelow('Set up');
  const elapsedMs = startStopwatch();
  const timed = `${check.replace('npm ci && ', '')} && times >times.txt`;
  const { code, stdout, stderr } = await folder.run(timed, workbench);
  const tookMs = elapsedMs();
  expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
  // On a machine that does much else meanwhile, what counts is how much work it is; that grows a little, too.
  const workMs = processorMs(readFileSync(path.join(folder.path, 'times.txt'), 'utf8'));
  expect(workMs).toBeGreaterThan(1_000);
  expect(Math.min(tookMs, workMs)).toBeLessThan(60_000);
});

it('shows five commands to try', () => {
  expect([ROOM_ON_SCREEN, OTHERS.length]).toEqual(['npx platen', 4]);
});

it('puts a room on the screen', { timeout: LIMIT }, async () => {
  // The port of the page may be taken, and npx does not pass every signal on: hence a group of processes.
  const child = spawn('sh', ['-c', `${ROOM_ON_SCREEN} --port 0`], {
    cwd: PROJECT,
    env: cleanEnvironment({}),
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const closed = once(child, 'close');
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  try {
    await within(once(child.stdout, 'data'), { description: 'the room', limit: '20s' });
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    await within(closed, { description: 'its end', limit: '10s' });
  }
  expect(shownBelow(ROOM_ON_SCREEN)).not.toEqual([]);
  expect(linesOf(printed)).toEqual(expect.arrayContaining(shownBelow(ROOM_ON_SCREEN)));
});

it.each(OTHERS)('%s', { timeout: LIMIT }, async (command) => {
  const { code, stdout, stderr } = await folder.run(command, workbench);
  expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
  expect(shownBelow(command)).not.toEqual([]);
  expect(linesOf(stdout)).toEqual(expect.arrayContaining(shownBelow(command)));
});

it('is right about the sheets', () => {
  const sheets = readdirSync(path.join(folder.path, 'sheets'));
  expect(sheets).toEqual(expect.arrayContaining(['1.pdf', '1-1.png', '1-4.png']));
});

it('finds platen by npx in a checkout', async () => {
  const { version } = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(await run('npx', ['platen', '--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
});

it('lists the exit codes there are', () => {
  const listed = [...README.text.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));
  expect(listed).toEqual(Object.values(EXIT));
});

/** What `times` of a shell says of the programs that it ran, such as `0m11.200s 0m1.730s` in its second line. */
function processorMs(times: string): number {
  const [, ofPrograms = ''] = times.split('\n');
  const parts = [...ofPrograms.matchAll(/(\d+)m([\d.]+)s/g)].map(([, minutes, seconds]) =>
    [minutes, seconds].map(Number),
  );
  return parts.reduce((sum, [minutes = 0, seconds = 0]) => sum + (minutes * 60 + seconds) * 1_000, 0);
}

function section(title: string): MarkdownPage {
  const text = README.text.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
  return { file: README.file, text };
}

function commandsBelow(title: string): readonly string[] {
  return commandsOf(section(title)).map(({ text }) => text);
}

/** What README shows of what a command prints. */
function shownBelow(command: string): string[] {
  const blocks = codeBlocks(README);
  const at = blocks.findIndex(({ text }) => text.trim() === command);
  return linesOf(blocks[at + 1]?.text ?? '').filter((line) => line !== '' && line !== ' …');
}

/** Lines without what is another one each time: durations, rates, ports, and which check is over first. */
function linesOf(text: string): string[] {
  return text.split('\n').map((line) =>
    line
      .replaceAll(/ +/g, ' ')
      .replaceAll(/[\d.]+(?:µs|ms|s|m|h)\b/g, 'T')
      .replaceAll(/\b\d+\.\d+(?= )/g, 'R')
      .replaceAll(/127\.0\.0\.1:\d+/g, 'HERE')
      .replace(/^ ?\d+\//, 'N/'),
  );
}
