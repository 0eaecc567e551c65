/**
 * What a stranger's scenario, room or profile may name: every place that names a file × everything that is no file of
 * its own. One folder of scenarios, a scenario for each place, shows all of a kind in one run.
 */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

import { tried, type Attack, type AttackTable } from '../attack.ts';
import type { AttackedBench } from '../attacked-bench.ts';
import { called } from '../called-commands.ts';

/** What must never be shown. */
const SECRET = 'root-x-0-0-secret';

/** Where a folder of a stranger lies, and what is beside it. */
interface Place {
  /** The folder of the scenarios, in `project`, where platen runs. */
  readonly scenarios: string;
  /** Not below it. */
  readonly outside: string;
}

/** A kind of file: makes it, and says how a scenario names it; `ending` is that of the place. */
interface Kind {
  readonly name: (place: Place, ending: string) => Promise<string> | string;
  readonly expected: string;
}

const REFUSED = '64 at its place, with --allow-files';
const NO_FILE = '64 at its place';

function secretIn(folder: string, ending: string): string {
  const file = path.join(folder, `secret.${ending}`);
  writeFileSync(file, SECRET);
  return file;
}

/** Named as it is read: documents from the folder of the scenario, profiles from the working folder. */
function made(name: string, make: (file: string, place: Place) => Promise<void> | void): Kind['name'] {
  return async (place, ending) => {
    const file = path.join(place.scenarios, `${name}.${ending}`);
    await make(file, place);
    return file;
  };
}

const KINDS: Readonly<Record<string, Kind>> = {
  'a file elsewhere': { expected: REFUSED, name: ({ outside }, ending) => secretIn(outside, ending) },
  'a file elsewhere, by a way up': {
    expected: REFUSED,
    name: ({ scenarios, outside }, ending) => {
      const start = ending === 'json' ? path.dirname(scenarios) : scenarios;
      return path.relative(start, secretIn(outside, ending));
    },
  },
  'a link that leads out': {
    expected: REFUSED,
    name: made('link', (file, { outside }) => symlinkSync(secretIn(outside, path.extname(file).slice(1)), file)),
  },
  'a link on the way that leads out': {
    expected: REFUSED,
    name: ({ scenarios, outside }, ending) => {
      const folder = path.join(scenarios, `way-${ending}`);
      symlinkSync(path.dirname(secretIn(outside, ending)), folder);
      return path.join(folder, `secret.${ending}`);
    },
  },
  'a device': { expected: NO_FILE, name: made('zero', (file) => symlinkSync('/dev/zero', file)) },
  'a pipe': { expected: NO_FILE, name: made('pipe', (file) => void spawnSync('mkfifo', [file])) },
  'a socket': {
    expected: NO_FILE,
    name: made('socket', async (file) => {
      await once(createServer().unref().listen(file), 'listening');
    }),
  },
  'a folder': { expected: NO_FILE, name: made('folder', (file) => mkdirSync(file)) },
  'a file of a terabyte': {
    expected: NO_FILE,
    name: made('long', (file) => {
      writeFileSync(file, '');
      truncateSync(file, 2 ** 40);
    }),
  },
  'a link in a circle': { expected: NO_FILE, name: made('circle', (file) => symlinkSync(file, file)) },
};

const HEAD = 'title: Of a stranger\nwhy: It names a file that is none of its business.\n';
const ROOM = 'room: { computers: [{ name: DESK, printers: [{ profile: laser-a4, name: Laser }] }] }\n';
const STEPS = 'steps:\n  - { advance: 1s }\n  - STEP\nexpect: { computers: { DESK: connected } }\n';
const stepped = (step: string): string => HEAD + ROOM + STEPS.replace('STEP', step);
const traffic = (documents: string, pacer: string): string =>
  `${HEAD}${ROOM}traffic:\n  documents: { d: ${documents} }\n  streams: [{ name: s, do: submit, document: d, pacer: ${pacer}, for: 1s }]\n`;

/** Places of a scenario that name a file, which stands for FILE, with the ending that it needs. */
const PLACES: Readonly<Record<string, readonly [ending: string, text: string]>> = {
  'submit.document': ['pdf', stepped('{ submit: { as: a, printer: Laser, document: FILE } }')],
  'serve.document': ['pdf', stepped('{ serve: { path: /a, document: FILE } }')],
  'lp.document': ['pdf', `clock: real\n${stepped('{ lp: { printer: Laser, document: FILE } }')}`],
  'documents.file': ['pdf', traffic('{ file: FILE }', '{ constant: { rate: 1 } }')],
  'trace.file': ['txt', traffic('{ pages: 1 }', '{ trace: { file: FILE } }')],
  'printers.profile': ['json', HEAD + ROOM.replace('laser-a4', 'FILE') + STEPS.replace('  - STEP\n', '')],
  'add-printer.profile': ['json', stepped('{ add-printer: { computer: DESK, profile: FILE, name: New } }')],
};

/** Commands that read a room, which names a profile. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  room: ['room', '--expose', 'ipp', '--room'],
  start: ['start', '--port', '0', '--room'],
  exec: ['exec', '--room'],
  explore: ['explore', '--seeds', '1', '--room'],
};

/** Commands read a room as a run does: these show that each does so. */
const OF_ROOMS = ['a file elsewhere', 'a pipe'];

/** What --allow-files opens, and what it does not. */
const ALLOWED: readonly Attack[] = [
  tried('submit.document names a file elsewhere, which --allow-files allows', 'it is read', (bench) =>
    playAllowed(({ outside }) => secretIn(outside, 'pdf'), bench),
  ),
  tried(
    'submit.document names a pipe elsewhere, where --allow-files allows files',
    'cannot read, it is a pipe',
    (bench) =>
      playAllowed(({ outside }) => {
        const pipe = path.join(outside, 'pipe.pdf');
        spawnSync('mkfifo', [pipe]);
        return pipe;
      }, bench),
  ),
];

export const FILE_ATTACKS: AttackTable = {
  kind: 'a scenario, room or profile',
  against: 'command',
  attacks: Object.entries(KINDS)
    .flatMap(([what, kind]) => {
      let played: Promise<readonly string[]> | undefined;
      const inScenarios = Object.keys(PLACES).map((at, index) =>
        tried(`${at} names ${what}`, kind.expected, async (bench) => {
          played ??= playFolder(kind, bench);
          return (await played)[index] ?? '';
        }),
      );
      if (!OF_ROOMS.includes(what)) return inScenarios;
      const inRooms = Object.entries(ROOMS).map(([command, argv]) =>
        tried(`${command} --room, whose profile is ${what}`, kind.expected, (bench) => playRoom(kind, argv, bench)),
      );
      return [...inScenarios, ...inRooms, ofControlApi(what, kind)];
    })
    .concat(ALLOWED),
};

/** Over HTTP no command line allows anything. */
function ofControlApi(what: string, { name }: Kind): Attack {
  return tried(
    `POST /_platen/accounts, whose room has a profile that is ${what}`,
    '400, and it is not read',
    async (bench) => {
      const profile = await name(placeFor(bench), 'json');
      const room = { computers: [{ name: 'DESK', printers: [{ profile }] }] };
      const { status, text } = await bench.call('POST', '/_platen/accounts', { room });
      return `${status}${text.includes('cannot read') ? ', and it is not read' : `: ${text}`}`;
    },
  );
}

function placeFor(bench: AttackedBench): Place {
  const folder = mkdtempSync(path.join(bench.folder, 'files-'));
  const place = { scenarios: path.join(folder, 'project/scenarios'), outside: path.join(folder, 'outside') };
  mkdirSync(place.scenarios, { recursive: true });
  mkdirSync(place.outside);
  return place;
}

/** Runs a folder with a scenario for each place. @returns what was said of each */
async function playFolder({ name }: Kind, bench: AttackedBench): Promise<readonly string[]> {
  const place = placeFor(bench);
  const named = new Map<string, string>();
  for (const [index, [ending, text]] of Object.values(PLACES).entries()) {
    const file = named.get(ending) ?? (await name(place, ending));
    named.set(ending, file);
    writeFileSync(path.join(place.scenarios, `${index}.yaml`), text.replace('FILE', file));
  }
  const { code, text: said } = await calledIn(place, ['run', 'scenarios']);
  return Object.keys(PLACES).map((_, index) => {
    const line = said.split('\n').find((one) => one.startsWith(`scenarios/${index}.yaml:`));
    return verdictOf(code, line ?? '', said);
  });
}

/** `--list` reads scenarios as a run does, and plays none. */
async function playAllowed(make: (place: Place) => string, bench: AttackedBench): Promise<string> {
  const place = placeFor(bench);
  const [, text] = PLACES['submit.document'] ?? [];
  writeFileSync(path.join(place.scenarios, 'a.yaml'), text?.replace('FILE', make(place)) ?? '');
  const { code, text: said } = await calledIn(place, ['run', 'scenarios', '--list', '--allow-files', place.outside]);
  if (code === 0) return 'it is read';
  return said.includes('it is a pipe') ? 'cannot read, it is a pipe' : said;
}

async function playRoom({ name }: Kind, argv: readonly string[], bench: AttackedBench): Promise<string> {
  const place = placeFor(bench);
  const file = await name(place, 'json');
  writeFileSync(
    path.join(place.scenarios, 'room.yaml'),
    `computers: [{ name: DESK, printers: [{ profile: ${file} }] }]\n`,
  );
  const rest = argv[0] === 'exec' ? ['--', 'true'] : [];
  const { code, text: said } = await calledIn(place, [...argv, 'scenarios/room.yaml', ...rest]);
  return verdictOf(code, said.split('\n').find((line) => line.startsWith('scenarios/room.yaml:1:')) ?? '', said);
}

function verdictOf(code: number | null, line: string, said: string): string {
  if (said.includes(SECRET)) return 'the content was shown';
  if (!/^\S+:\d+:\d+: .*cannot read/.test(line)) return `${code}: ${said.slice(0, 200)}`;
  return `${code} at its place${line.includes('--allow-files') ? ', with --allow-files' : ''}`;
}

function calledIn({ scenarios }: Place, argv: readonly string[]): ReturnType<typeof called> {
  return called({ argv, cwd: path.dirname(scenarios) });
}
