/**
 * Draws docs/images/terminal.svg: `node docs/generate/terminal-picture.ts`. The program runs as on a terminal
 * with colours, and what it prints becomes text of the picture: a few scenarios, and the check of a service
 * that answers callers who show no key. Long parts are left out where a `…` stands.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { xmlText } from '../../src/report/xml-text.ts';
import { start } from '../../src/workbench/start.ts';
import { startMeddlingProxy, type Meddle } from '../../test/mutants/meddling-proxy.ts';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const PICTURE = path.join(PROJECT, 'docs/images/terminal.svg');

const COLUMNS = 118;
const CHARACTER = 8;
const LINE = 19;
const MARGIN = 22;
const COLOURS: Readonly<Record<number, string>> = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  90: '#9198a1',
};
const NORMAL = '#e6edf3';
/** A code for colour or weight, from a string since it begins with a control character. */
const CODE = new RegExp(String.raw`\u001B\[(\d+)m`);

/** Who shows no key, or a wrong one, is let in where /noop is concerned. */
const letEverybodyIn: Meddle = ({ path: asked, status }) =>
  asked === '/noop' && status === 401 ? { status: 200, body: '"welcome"' } : undefined;

const folder = mkdtempSync(path.join(tmpdir(), 'platen-picture-'));
const workbench = await start({ port: 0, limits: 'off' });
const service = await startMeddlingProxy(workbench.url, { meddle: letEverybodyIn });
try {
  const scenarios = await linesOf('run', 'scenarios/edge-cases', '--out', folder);
  const check = ['--grep', '^misc/noop-', '--seed', '7'];
  const failure = await linesOf('check', service.url, ...check, '--out', folder);
  const lines = [
    prompt('npx platen run scenarios/edge-cases'),
    ...scenarios.slice(0, 6),
    '…',
    ...scenarios.slice(-3),
    '',
    prompt(`npx platen check ${service.url} --grep '^misc/noop-'`),
    ...failure.map((line) => line.replaceAll(folder, 'reports')),
  ];
  writeFileSync(PICTURE, drawingOf(lines.map(cut)));
} finally {
  await service.close();
  await workbench.close();
  rmSync(folder, { recursive: true, force: true });
}

function prompt(command: string): string {
  return `\u001B[32m$\u001B[39m \u001B[1m${command}\u001B[22m`;
}

/** What a command prints on standard output, with its colours. */
async function linesOf(...argv: readonly string[]): Promise<string[]> {
  const child = spawn(process.execPath, [path.join(PROJECT, 'bin/platen.js'), ...argv], {
    cwd: PROJECT,
    env: { ...process.env, FORCE_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const closed = once(child, 'close');
  let text = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) text += String(chunk);
  await closed;
  return text.trimEnd().split('\n');
}

interface Run {
  readonly text: string;
  readonly bold: boolean;
  readonly colour: string;
}

/** The pieces of a line that look alike, by the codes for bold and colour between them. */
function runsOf(line: string): Run[] {
  let [bold, colour] = [false, NORMAL];
  const runs: Run[] = [];
  // Text and codes take turns.
  for (const [index, part] of line.split(CODE).entries()) {
    if (index % 2 === 0) runs.push({ text: part, bold, colour });
    else if (part === '1' || part === '22') bold = part === '1';
    else colour = COLOURS[Number(part)] ?? NORMAL;
  }
  return runs.filter(({ text }) => text !== '');
}

/** No longer than the terminal is wide. */
function cut(line: string): Run[] {
  let left = COLUMNS;
  const kept: Run[] = [];
  for (const run of runsOf(line)) {
    const isWhole = run.text.length <= left;
    kept.push(isWhole ? run : { ...run, text: `${run.text.slice(0, left - 1)}…` });
    left -= run.text.length;
    if (left <= 0) break;
  }
  return kept;
}

function drawingOf(lines: readonly (readonly Run[])[]): string {
  const width = COLUMNS * CHARACTER + 2 * MARGIN;
  const height = lines.length * LINE + 2 * MARGIN;
  const texts = lines.map((runs, index) => textOf(runs, MARGIN + (index + 0.75) * LINE));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13.3">`,
    ...texts.filter((text) => text !== ''),
    '</g>',
    '</svg>\n',
  ].join('\n');
}

/** Each run has its place, and its length, so that columns stand below each other in any font. */
function textOf(runs: readonly Run[], y: number): string {
  let column = 0;
  return runs
    .map(({ text, bold, colour }) => {
      const x = MARGIN + column * CHARACTER;
      column += text.length;
      const place = `x="${x}" y="${y}" textLength="${text.length * CHARACTER}" xml:space="preserve"`;
      return `<text ${place} fill="${colour}"${bold ? ' font-weight="bold"' : ''}>${xmlText(text)}</text>`;
    })
    .join('\n');
}
