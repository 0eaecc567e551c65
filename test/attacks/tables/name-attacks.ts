/**
 * Names of files and folders on a command line, as a script may put one together from what a stranger says. By product:
 * every place that takes a path × every name with which nothing can be done there. Each ends with 64 and says which
 * name it is; nothing that was named is taken for a fault of platen's own, and nothing waits for ever.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { platen } from '../../support/command-line.ts';
import { madeUpRun } from '../../support/run-records.ts';
import { tried, type Attack, type AttackTable } from '../attack.ts';
import type { AttackedBench } from '../attacked-bench.ts';
import { called } from '../called-commands.ts';

/** A name, made in the folder in which the command runs. */
type Make = (folder: string) => string;

const LONG = 'a'.repeat(300);
const below = (folder: string, name: string): string => path.join(folder, name);

function made(name: string, make: (file: string) => void): Make {
  return (folder) => {
    make(below(folder, name));
    return name;
  };
}

/** Nothing can be done with these anywhere. */
const NOWHERE: Readonly<Record<string, Make>> = {
  'a name of 300 bytes': () => LONG,
  'a name with a NUL': () => 'a\0b',
  'an empty name': () => '',
  'a name below a file': made('file.txt/inner', (file) => writeFileSync(path.dirname(file), 'not: {')),
};

const DANGLING = { 'a link to nothing': made('dangling', (file) => symlinkSync('nowhere/at-all', file)) };
const FOLDER = { 'a folder': made('folder', (file) => mkdirSync(file)) };
const MEMORY = { 'the memory of the process': () => '/proc/self/mem' };

const FOLDER_NAMES = {
  ...NOWHERE,
  ...DANGLING,
  ...MEMORY,
  'a file': made('file.txt', (file) => writeFileSync(file, '')),
};
const NEW_FILE_NAMES = { ...NOWHERE, ...FOLDER, ...MEMORY };
/** A limit keeps commands from waiting for a writer: one command of each way to read a file. */
const PIPE = { 'a pipe that nobody writes to': made('pipe', (file) => void spawnSync('mkfifo', [file])) };

const NOBODY = 'http://127.0.0.1:1';
const WORKER = ['worker', '--nats', 'nats://127.0.0.1:1'];
const EXPLORE = ['explore', '--seeds', '1'];
const CHECK = ['check', '--grep', '^misc/ping$'];
const START = ['start', '--port', '0'];
const ROOM = ['room', '--expose', 'ipp:0'];

/** Places of a command line, where X stands for the name. */
const FILES: readonly (readonly string[])[] = [
  ['report', 'X'],
  ['report', 'merge', 'X', 'X'],
  ['diff', 'X', 'run.json'],
  ['diff', 'run.json', 'X'],
  ['analyze', 'X'],
  ['replay', 'X'],
  ['replay', 'run.json', '--target', 'X'],
  ['run', 'jam-on-page-three', '--target', 'X'],
  ['run', 'jam-on-page-three', NOBODY, '--key', 'a-key', '--link', 'X'],
  ['run', 'ten-seconds', '--baseline', 'X'],
  [...CHECK, '--target', 'X'],
  [...CHECK, '--known', 'X'],
  [...CHECK, '--baseline', 'X'],
  [...CHECK, NOBODY, '--key', 'a-key', '--link', 'X'],
  [...CHECK, NOBODY, '--key', 'a-key', '--ca', 'X'],
  [...EXPLORE, '--room', 'X'],
  [...EXPLORE, '--known', 'X'],
  [...EXPLORE, '--target', 'X'],
  [...START, '--room', 'X'],
  [...START, '--tls-cert', 'X', '--tls-key', 'X'],
  ['start', '--data', 'X', '--check'],
  [...ROOM, '--room', 'X'],
  ['room', '--target', 'X'],
  ['exec', '--room', 'X', '--', 'true'],
  ['clone', 'X'],
  ['print', 'X', '--url', NOBODY],
  [...WORKER, '--nats-creds', 'X'],
  [...WORKER, '--nats-nkey', 'X'],
  [...WORKER, '--nats-ca', 'X'],
  [...WORKER, '--link', 'X'],
];

const PIPES = [
  ['report', 'X'],
  ['start', '--data', 'X', '--check'],
  [...CHECK, NOBODY, '--key', 'a-key', '--link', 'X'],
];

/** Folders that are written to, or read from. */
const FOLDERS: readonly (readonly string[])[] = [
  ['report', 'run.json', '-r', 'html', '--out', 'X'],
  [...CHECK, '--out', 'X'],
  ['run', 'jam-on-page-three', '--out', 'X'],
  ['run', 'jam-on-page-three', '--allow-files', 'X'],
  ['replay', 'run.json', '--out', 'X'],
  [...EXPLORE, '--out', 'X'],
  [...ROOM, '--out', 'X'],
  ['print', 'letter.pdf', '--url', NOBODY, '--out', 'X'],
  ['init', 'X'],
];
/** Where there is no print system these end before they look at a name, with the same code. */
const CLIENT_FOLDERS: readonly (readonly string[])[] = [
  ['client', NOBODY, '--key', 'a-key', '--data', 'X'],
  ['client', NOBODY, '--key', 'a-key', '--data', 'kept', '--scales', 'X'],
];

const NEW_FILES: readonly (readonly string[])[] = [
  [...START, '--data', 'X'],
  [...START, '--ready-file', 'X'],
  [...ROOM, '--ready-file', 'X'],
  ['clone', 'printer.ppd', '--out', 'X'],
];

/** What a service says of itself, which platen looks for again and again. */
const SAYS_A_PIPE: Attack = tried(
  'platen check --target, whose service says what it is in a pipe that nobody writes to',
  '75: it is a pipe',
  async (bench) => {
    const cwd = mkdtempSync(path.join(bench.folder, 'says-'));
    const says = below(cwd, 'pipe');
    spawnSync('mkfifo', [says]);
    const start = { command: 'sleep 30', says, startLimit: '1s' };
    writeFileSync(below(cwd, 'target.json'), JSON.stringify({ url: 'http://127.0.0.1:{port}', start }));
    const { code, text } = await called({ argv: [...CHECK, '--target', 'target.json'], cwd });
    return `${code}: ${text.includes('it is a pipe') ? 'it is a pipe' : text}`;
  },
);

/** What a runner names for a summary is written to as it is. */
const SUMMARY_PIPE: Attack = {
  attack: 'platen report, where the step summary of GitHub is a pipe that nobody reads',
  expected: '64: cannot write the step summary',
  play: async (bench) => {
    const cwd = mkdtempSync(path.join(bench.folder, 'summary-'));
    writeFileSync(below(cwd, 'run.json'), JSON.stringify(madeUpRun()));
    const summary = below(cwd, 'pipe');
    spawnSync('mkfifo', [summary]);
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    const { code, stderr } = await platen(['report', 'run.json'], { cwd, env, limit: '30s' });
    return `${code}: ${/cannot write the step summary/.exec(stderr)?.[0] ?? stderr}`;
  },
};

export const NAME_ATTACKS: AttackTable = {
  kind: 'a name of a file',
  against: 'command',
  attacks: [
    ...attacksWith([...FILES, ['run', 'X'], ['run', 'X', '--list']], NOWHERE),
    ...attacksWith(FILES, { ...DANGLING, ...FOLDER, ...MEMORY }),
    ...attacksWith(PIPES, PIPE),
    ...attacksWith([...FOLDERS, ...CLIENT_FOLDERS], FOLDER_NAMES),
    ...attacksWith(NEW_FILES, NEW_FILE_NAMES),
    SAYS_A_PIPE,
    SUMMARY_PIPE,
  ],
};

function attacksWith(lines: readonly (readonly string[])[], names: Readonly<Record<string, Make>>): readonly Attack[] {
  return lines.flatMap((argv) =>
    Object.entries(names).map(([name, make]) =>
      tried(`platen ${argv.join(' ')}, where X is ${name}`, '64', (bench) => play(argv, make, bench)),
    ),
  );
}

async function play(argv: readonly string[], make: Make, bench: AttackedBench): Promise<string> {
  const folder = mkdtempSync(path.join(bench.folder, 'names-'));
  const record = madeUpRun({ results: 1, failures: 1, exchanges: 1, clauses: 1 });
  writeFileSync(below(folder, 'run.json'), JSON.stringify(record));
  writeFileSync(below(folder, 'letter.pdf'), '%PDF-1.4\n');
  writeFileSync(below(folder, 'printer.ppd'), PPD);
  const name = make(folder);
  const { code, text } = await called({ argv: argv.map((word) => (word === 'X' ? name : word)), cwd: folder });
  // What no terminal shows is written in another way.
  const isNamed = name === '' || name.includes('\0') || text.includes(name) || text.includes('there is no lp');
  return code === 64 && /^error: /m.test(text) && isNamed ? '64' : `${code}: ${text.slice(0, 200)}`;
}

const PPD = `*PPD-Adobe: "4.3"
*NickName: "Made-up printer"
*ModelName: "Made-up printer"
*DefaultPageSize: A4
*OpenUI *PageSize/Media Size: PickOne
*PageSize A4/A4: "<</PageSize[595 842]>>setpagedevice"
*CloseUI: *PageSize
*PaperDimension A4: "595 842"
`;
