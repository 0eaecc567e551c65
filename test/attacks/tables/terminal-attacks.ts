/**
 * What a file, a name or a service may put on a terminal, or into the log of a CI server: each command that prints
 * something of one × each sequence. A command is played once, with all sequences in every place at once.
 */

import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

import { portOf } from '../../../src/common/port-of.ts';
import { platen, type Finished, type RunOptions } from '../../support/command-line.ts';
import { madeUpLoad, madeUpRun, madeUpScenarios } from '../../support/run-records.ts';
import { tried, type Attack, type AttackTable } from '../attack.ts';

interface Sequence {
  readonly name: string;
  readonly text: string;
  /** What is printed where it gets through; its first character unless given. */
  readonly raw?: RegExp;
  /** No argument and no name of a file can hold it. */
  readonly isOfFiles?: true;
}

const SEQUENCES: readonly Sequence[] = [
  { name: 'ESC [2J', text: '\u001B[2J' },
  { name: 'a title of the window', text: '\u001B]0;taken\u001B\\' },
  { name: 'BEL', text: '\u0007' },
  { name: 'CR', text: '\r' },
  { name: 'a backspace', text: '\b' },
  { name: 'a tab', text: '\t' },
  { name: 'C1 CSI', text: '\u009B2J' },
  { name: 'NEL', text: '\u0085' },
  { name: 'DEL', text: '\u007F' },
  { name: 'NUL', text: '\u0000', isOfFiles: true },
  { name: 'an override of direction', text: '\u202Etxt' },
  { name: 'an isolate of direction', text: '\u2066txt' },
  { name: 'a blank without width', text: '\u200B' },
  { name: 'a letter of a tag', text: '\u{E0041}' },
  { name: 'a line separator', text: '\u2028' },
  { name: 'half a character', text: '\uD800 ', raw: /\uFFFD/, isOfFiles: true },
  { name: 'a line with ::error', text: '\n::error title=taken::taken', raw: /^\s*::error title=taken/m },
  { name: 'a line with ::stop-commands', text: '\n  ::stop-commands::taken', raw: /^\s*::stop-commands::taken/m },
  { name: 'a line of its own', text: '\nPASSED: taken', raw: /^PASSED: taken/m },
  { name: 'a command of old runners', text: '##[group]taken', raw: /##\[/ },
  { name: 'a command of Azure', text: '##vso[task.setvariable]taken', raw: /##vso\[/i },
  { name: 'a command of TeamCity', text: "##teamcity[message text='taken']", raw: /##teamcity\[/i },
];

const WORDS = SEQUENCES.map(({ text }) => `taken${text}`).join(' ');
/** A name for an argument and for a file. */
const NAME = `taken${SEQUENCES.flatMap(({ text, isOfFiles }) => (isOfFiles ? [] : text)).join('')}`;

interface Played {
  readonly command: string;
  /** Where the words stand. */
  readonly place: string;
  readonly isNamed?: true;
  readonly run: (folder: string) => Promise<Finished>;
}

/** A file with the words in it. */
function keep(folder: string, name: string, text: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const RECORDS = {
  check: (failures = 3) => {
    const { checks, clauses, ...record } = madeUpRun({ words: WORDS, failures, clauses: 5 });
    return {
      ...record,
      checks: checks.map((check) => ({ ...check, id: `${check.id} ${WORDS}` })),
      clauses: Object.fromEntries(Object.entries(clauses).map(([id, clause]) => [`${id} ${WORDS}`, clause])),
    };
  },
  run: () => madeUpScenarios(WORDS),
  load: () => madeUpLoad(WORDS),
  wrong: () => ({ ...madeUpRun(), clauses: { [WORDS]: 1 } }),
};

const ofRecords = (records: readonly object[], argv: readonly string[], env?: RunOptions['env']): Played['run'] => {
  const [command = '', ...options] = argv;
  return (folder) => {
    const at = mkdtempSync(path.join(folder, 'record-'));
    const files = records.map((record, index) => keep(at, `${index}.json`, JSON.stringify(record)));
    const out = command === 'report' ? ['--out', at] : [];
    return platen([command, ...files, ...options, ...out], env ? { env } : {});
  };
};

const GITHUB = { GITHUB_ACTIONS: 'true' };
const COLOURS = { FORCE_COLOR: '1', NO_COLOR: '' };

/** A scenario. */
const titled = (title: string): string =>
  JSON.stringify({
    title,
    why: 'Its title is shown by platen run --list.',
    room: 'default',
    steps: [{ advance: '1s' }],
    expect: { jobs: {} },
  });

const OF_FILES: readonly Played[] = [
  { command: 'diff', place: 'ids of a record', run: ofRecords([RECORDS.check(0), RECORDS.check()], ['diff']) },
  {
    command: 'diff --json',
    place: 'ids of a record',
    run: ofRecords([RECORDS.check(0), RECORDS.check()], ['diff', '--json']),
  },
  { command: 'analyze', place: 'a record', run: ofRecords([RECORDS.check()], ['analyze']) },
  { command: 'report', place: 'a record of checks', run: ofRecords([RECORDS.check()], ['report']) },
  { command: 'report', place: 'a record of scenarios', run: ofRecords([RECORDS.run()], ['report']) },
  { command: 'report', place: 'a record of a load', run: ofRecords([RECORDS.load()], ['report']) },
  { command: 'report --json', place: 'a record', run: ofRecords([RECORDS.check()], ['report', '--json']) },
  { command: 'report -r github', place: 'a record', run: ofRecords([RECORDS.check()], ['report', '-r', 'github']) },
  { command: 'report on GitHub', place: 'a record', run: ofRecords([RECORDS.check()], ['report'], GITHUB) },
  { command: 'report', place: 'a record with a mistake', run: ofRecords([RECORDS.wrong()], ['report']) },
  {
    command: 'run',
    place: 'a scenario with a mistake',
    run: (folder) => platen(['run', keep(folder, 'wrong.yaml', `title: t\n${JSON.stringify(WORDS)}: 1\n`)]),
  },
  {
    command: 'run --list',
    place: 'the title of a scenario',
    run: (folder) => {
      const listed = path.join(folder, 'listed');
      for (const [index, { text }] of SEQUENCES.entries()) keep(listed, `${index}.yaml`, titled(`taken${text}`));
      return platen(['run', '--list', listed]);
    },
  },
  {
    command: 'room --room',
    place: 'a room with a mistake',
    run: (folder) =>
      platen(['room', '--expose', 'ipp:0', '--room', keep(folder, 'room.yaml', `${JSON.stringify(WORDS)}: 1\n`)]),
  },
  {
    command: 'check --target',
    place: 'a descriptor with a mistake',
    run: (folder) => platen(['check', '--target', keep(folder, 'target.yaml', `${JSON.stringify(WORDS)}: 1\n`)]),
  },
  {
    command: 'check --known',
    place: 'a list with a mistake',
    run: (folder) => platen(['check', '--known', keep(folder, 'known.yaml', `${JSON.stringify(WORDS)}: 1\n`)]),
  },
  {
    command: 'check --link',
    place: 'what a link throws when nobody waits for it',
    run: (folder) => {
      const module = keep(
        folder,
        'link.mjs',
        `queueMicrotask(() => { throw new Error(${JSON.stringify(WORDS)}); });\n`,
      );
      return platen(['check', 'http://127.0.0.1:1', '--key', 'a-key', '--link', module], { env: COLOURS });
    },
  },
];

/** A service that says the words wherever a command looks. */
async function withService(act: (url: string) => Promise<Finished>): Promise<Finished> {
  const printer = (id: number): object => ({ id, name: WORDS, computer: { name: WORDS } });
  const refusal = { code: WORDS, message: WORDS };
  const answers: Readonly<Record<string, unknown>> = {
    'GET /printjobs': [{ id: 1, title: WORDS, state: WORDS, printer: { name: WORDS }, createTimestamp: WORDS }],
    'GET /printers': [printer(1), printer(2)],
    'GET /_platen/faults': [{ id: WORDS, rule: { at: WORDS, fault: WORDS, with: { [WORDS]: WORDS } }, fired: 1 }],
    'GET /_platen/clock': { now: WORDS, isVirtual: true, running: true },
    'GET /ping': 'pong',
    'GET /_platen/health': { code: 'NotReady', message: WORDS },
  };
  const server = createServer((request, response) => {
    const asked = `${request.method} ${request.url?.split('?')[0]}`;
    const answer = answers[asked];
    response.writeHead(answer === undefined ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? refusal));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await act(`http://127.0.0.1:${portOf(server)}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const OF_SERVICES: readonly Played[] = [
  ['jobs'],
  ['jobs', '--json'],
  ['print', 'invoice'],
  ['print', 'invoice', '--printer', '1'],
  ['fault'],
  ['clock'],
  ['ready'],
  ['reset'],
].map((argv) => ({
  command: argv.join(' '),
  place: 'what a service answers',
  run: () => withService((url) => platen([...argv, '--url', url], { env: COLOURS })),
}));

const OF_NAMES: readonly Played[] = [
  ['report', NAME],
  ['diff', NAME, NAME],
  ['analyze', NAME],
  ['replay', NAME],
  ['run', NAME],
  ['print', NAME],
  ['clone', NAME],
  ['check', '--target', NAME],
  ['check', NAME],
  ['check', `--${NAME}`],
  ['start', '--expose', NAME],
  ['faults', NAME],
  ['exec', '--', NAME],
  [NAME],
].map((argv) => ({
  command: argv.map((word) => word.replace(NAME, 'NAME')).join(' '),
  place: 'an argument',
  isNamed: true,
  run: () => platen(argv, { env: COLOURS }),
}));

/** Our own colours are no attack. */
const COLOUR = new RegExp(String.raw`\u001B\[\d+m`, 'g');

/** A function of one command: its row for a sequence. */
function rowsOf({ command, place, isNamed, run }: Played): (sequence: Sequence) => readonly Attack[] {
  let played: Promise<Finished> | undefined;
  return ({ name, text, raw, isOfFiles }) => {
    if (isNamed && isOfFiles) return [];
    const play: Attack['play'] = async ({ folder }) => {
      played ??= run(folder);
      const { stdout, stderr } = await played;
      const printed = `${stdout}${stderr}`.replaceAll(COLOUR, '');
      if (!printed.includes('taken')) return `not shown: ${printed}`;
      const gotThrough =
        raw === undefined ? printed.includes(String.fromCodePoint(text.codePointAt(0) ?? 0)) : raw.test(printed);
      return gotThrough ? 'raw' : 'shown as text';
    };
    return [tried(`platen ${command}: ${name} in ${place}`, 'shown as text', play)];
  };
}

const ROWS = [...OF_FILES, ...OF_SERVICES, ...OF_NAMES].map(rowsOf);

export const TERMINAL_ATTACKS: AttackTable = {
  kind: 'text for a terminal or a CI log',
  against: 'command',
  // By sequence: rows that are next to each other start commands of their own, several at once.
  attacks: SEQUENCES.flatMap((sequence) => ROWS.flatMap((rows) => rows(sequence))),
};
