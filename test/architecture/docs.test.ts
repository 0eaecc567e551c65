/**
 * The docs against the project: every link leads somewhere, every command, option, script and file that is named
 * is there, and every page is in the index.
 */

import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

import { outdatedPages } from '../../docs/generate/pages.ts';
import { EXAMPLES } from '../../src/cli/examples.ts';
import { createProgram } from '../../src/cli/main.ts';
import { REPORTER_NAMES } from '../../src/report/reporter-names.ts';
import { longRunsOf } from '../long-runs.ts';
import { PROJECT } from '../support/command-line.ts';
import {
  allPages,
  anchorsOf,
  codeBlocks,
  codeSpans,
  linksOf,
  readPage,
  type MarkdownPage,
} from '../support/markdown.ts';

const PAGES = allPages();
const PROGRAM = createProgram(() => undefined);

/** Options of other programs that the pages name by themselves. */
const FOREIGN_OPTIONS = [
  '--network host',
  '--rounds',
  '--requests',
  '--check',
  '--build-arg',
  '--trace-gc',
  '--read-only',
];
/** Files with command lines of a shell. */
const SHELL_FILES = ['action.yml', ...globSync('deploy/gitlab/*', { cwd: PROJECT })];
const PATH_OF_PROJECT = /^(src|test|docs|fixtures|scenarios|deploy|bin|\.ci)\/[\w./-]*$/;

it('has every generated page as the code says', async () => {
  expect(await outdatedPages()).toEqual([]);
});

it('links to what is there', () => {
  expect(findings((page) => linksOf(page).filter((link) => !leadsSomewhere(page, link)))).toEqual([]);
});

it('has an index with every page of docs', () => {
  const linked = new Set(linksOf(readPage('docs/README.md')).map((link) => link.split('#')[0]));
  const pages = globSync('**/*.md', { cwd: path.join(PROJECT, 'docs') });
  expect(pages.filter((page) => page !== 'README.md' && !linked.has(page))).toEqual([]);
});

it('names commands and options that there are', () => {
  expect(findings((page) => codeOf(page).flatMap(unknownIn))).toEqual([]);
});

it('shows an example of each command', () => {
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(PROGRAM.commands.map((command) => command.name()).toSorted());
});

it('finds a command and an option that do not exist', () => {
  expect(unknownIn('npx platen run a.yaml --colour red && platen exec -- npm test --colour')).toEqual([
    '--colour: platen run a.yaml --colour red ',
  ]);
  expect(unknownIn('platen load scenario.yaml')).toEqual(['no such command: platen load scenario.yaml']);
});

it('names no option by itself that no command has', () => {
  expect(findings((page) => codeSpans(page).filter(isUnknownOption))).toEqual([]);
});

it.each(SHELL_FILES)('uses commands and options that there are in %s', (file) => {
  expect(unknownIn(readFileSync(path.join(PROJECT, file), 'utf8'))).toEqual([]);
});

it.each(globSync('deploy/{compose,metrics/compose,kubernetes/*}.yaml', { cwd: PROJECT }))(
  'starts containers as they can be in %s',
  (file) => {
    const documents = readFileSync(path.join(PROJECT, file), 'utf8')
      .split(/^---$/m)
      .map((text) => parse(text, { merge: true }) as unknown);
    const containers = containersIn(documents).filter(({ image }) => image?.startsWith('platen:'));
    const lines = containers.map(({ command, args }) => `platen ${(args ?? command ?? []).join(' ')}`);
    expect(lines.flatMap(unknownIn)).toEqual([]);
  },
);

it('has no HTML entities in code, where they are shown as they are written', () => {
  expect(PAGES.flatMap((page) => codeSpans(page).filter((span) => /&(?:lt|gt|amp);/.test(span)))).toEqual([]);
});

it('names scripts of npm that there are', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  const isThere = ({ script, name }: ScriptCall): boolean =>
    Object.hasOwn(scripts, script) && (name === undefined || (longRunsOf(script)?.includes(name) ?? true));
  const missing = (page: MarkdownPage): string[] =>
    scriptsIn(page)
      .filter((call) => !isThere(call))
      .map(({ script, name }) => `${script} ${name}`);
  expect(findings(missing)).toEqual([]);
});

it('names files that there are', () => {
  expect(findings((page) => codeSpans(page).filter(isMissingFile))).toEqual([]);
});

it('lists every layer in ARCHITECTURE.md', () => {
  const { text } = readPage('ARCHITECTURE.md');
  const layers = readdirSync(path.join(PROJECT, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(layers.filter((name) => !text.includes(`- \`${name}\``))).toEqual([]);
});

it('lists every form of report in docs/reports.md', () => {
  const { text } = readPage('docs/reports.md');
  expect(REPORTER_NAMES.filter((name) => !text.includes(`| \`${name}\``))).toEqual([]);
});

it('lists every load that ships in docs/load.md', () => {
  const { text } = readPage('docs/load.md');
  const files = readdirSync(path.join(PROJECT, 'scenarios/load'));
  expect(files.filter((file) => !text.includes(`| \`${file}\``))).toEqual([]);
});

it('names scenarios that there are where it helps to find one', () => {
  const guide = readPage('docs/guides/replay-a-bad-day.md');
  const scenarios = readdirSync(path.join(PROJECT, 'scenarios/edge-cases'));
  const named = codeSpans(guide).filter((span) => /^[a-z]+(?:-[a-z\d]+)+$/.test(span));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !scenarios.includes(`${name}.yaml`))).toEqual([]);
  expect(guide.text).toContain(`There are ${scenarios.length} in`);
});

/** What is wrong on any page, each with its page. */
function findings(wrongOn: (page: MarkdownPage) => readonly string[]): string[] {
  return PAGES.flatMap((page) => wrongOn(page).map((wrong) => `${page.file}: ${wrong}`));
}

function leadsSomewhere(page: MarkdownPage, link: string): boolean {
  if (/^https?:/.test(link)) return true;
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page.file : path.join(path.dirname(page.file), file);
  if (!existsSync(path.join(PROJECT, target))) return false;
  return anchor === undefined || anchorsOf(readPage(target)).has(anchor);
}

function codeOf(page: MarkdownPage): string[] {
  return [...codeBlocks(page).map(({ text }) => text), ...codeSpans(page)];
}

interface ScriptCall {
  readonly script: string;
  /** The word after it, such as that of a bench. */
  readonly name?: string | undefined;
}

function scriptsIn({ text }: MarkdownPage): ScriptCall[] {
  return [...text.matchAll(/npm run ([\w-]+)(?: ([a-z][\w-]*))?/g)].map(([, script = '', name]) => ({
    script,
    name,
  }));
}

function isMissingFile(span: string): boolean {
  return PATH_OF_PROJECT.test(span) && !existsSync(path.join(PROJECT, span));
}

function isUnknownOption(span: string): boolean {
  if (!/^--[a-z]/.test(span) || FOREIGN_OPTIONS.some((foreign) => span.startsWith(foreign))) return false;
  return !PROGRAM.commands.some((command) => has(command, firstWord(span)));
}

interface Container {
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
}

/** Everything in a document that has an image. */
function containersIn(value: unknown): readonly Container[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'image' in value ? [value as Container] : [];
  return [...own, ...Object.values(value).flatMap(containersIn)];
}

/** What the program does not know of the command lines of platen in a text. */
function unknownIn(text: string): string[] {
  const lines = text
    .replaceAll('\\\n', ' ')
    .matchAll(/(?<!npm install.*)(?<![\w/.@:-])platen(?:\.js)? +([^\n|;&`#]*)/g);
  return [...lines].flatMap(([whole, rest = '']) => {
    // What starts a service is a command line of its own.
    const [own = ''] = rest.replace(/(?<=--start) '[^']*'/, '').split(' -- ');
    const command = commandOf(firstWord(own));
    if (!command) return [`no such command: ${whole}`];
    const options = own.matchAll(/(?<![\w'":-])--?[a-z][\w-]*/g);
    return [...options].filter(([option]) => !has(command, option)).map(([option]) => `${option}: ${whole}`);
  });
}

/** The command that a command line with this first word means; options alone are those of `platen start`. */
function commandOf(word: string): Command | undefined {
  if (['-V', '--version', '-h', '--help', 'COMMAND'].includes(word)) return PROGRAM;
  const name = /^[a-z]+$/.test(word) ? word : 'start';
  return PROGRAM.commands.find((command) => command.name() === name);
}

function has(command: Command, option: string): boolean {
  const all = [...command.options, ...PROGRAM.options];
  return option === '--help' || all.some(({ short, long }) => option === short || option === long);
}

function firstWord(text: string): string {
  return text.trim().split(/[\s=]/, 1)[0] ?? '';
}
