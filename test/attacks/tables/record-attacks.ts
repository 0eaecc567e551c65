/**
 * What comes in a stored record, or in another file, that somebody sends: it must not run code, opt in to anything,
 * or send a key elsewhere than to this machine. By product: every command that reads one × every field of that sort.
 *
 *   replay × every field     64, with the flags that would do it
 *   other readers × them     the record is shown, and nothing else happens
 *   scenarios and rooms ×    64: the formats have no such keys
 *   lines to paste × fields  a shell reads nothing of a record but words
 */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

import { messageOf } from '../../../src/common/error-message.ts';
import { portOf } from '../../../src/common/port-of.ts';
import { planLoad } from '../../../src/load/plan/load-plan.ts';
import { bundleBytes } from '../../../src/load/workers/load-bundle.ts';
import { loadWork } from '../../../src/load/workers/load-work.ts';
import { Caller } from '../../../src/pipeline/caller.ts';
import { loadPipeline } from '../../../src/pipeline/pipeline-file.ts';
import type { CheckRunRecord, GivenRecord } from '../../../src/record/check-record.ts';
import type { RunRecord } from '../../../src/record/run-record.ts';
import { loadScenario } from '../../support/load-scenario.ts';
import { madeUpExplore, madeUpRun, madeUpScenarios } from '../../support/run-records.ts';
import { tried, type Attack, type AttackTable } from '../attack.ts';
import type { AttackedBench } from '../attacked-bench.ts';
import { called, type CommandCall } from '../called-commands.ts';

/** What a record says of the service that it is of. */
interface Place {
  readonly url?: string;
  readonly image?: string;
  readonly link?: string;
  readonly given?: Partial<GivenRecord>;
}

/** Where an attack happens: a folder of its own, and a server that hears whether a key is sent to it. */
interface Scene {
  readonly folder: string;
  readonly port: number;
}

interface Field {
  readonly field: string;
  readonly place: (scene: Scene) => Place;
  /** The flags that would do what it asks for. */
  readonly flags: string;
}

const CODE: readonly Field[] = [
  { field: 'the link ./evil.mjs', place: () => ({ link: './evil.mjs' }), flags: '--link' },
  { field: 'a link by its whole path', place: ({ folder }) => ({ link: `${folder}/evil.mjs` }), flags: '--link' },
  {
    field: 'a link in a data: url',
    place: ({ folder }) => ({
      link: `data:text/javascript,import('node:fs').then((fs)=>fs.writeFileSync('${folder}/ran',''))`,
    }),
    flags: '--link',
  },
  {
    field: 'a descriptor with a command',
    place: ({ folder }) => ({ given: { descriptor: `${folder}/target.yaml` } }),
    flags: '--target',
  },
  {
    field: 'the descriptor ./target.yaml',
    place: () => ({ given: { descriptor: './target.yaml' } }),
    flags: '--target',
  },
  {
    field: 'a descriptor with a path that no system takes',
    place: () => ({ given: { descriptor: `\0${'a'.repeat(5_000)}` } }),
    flags: '--target',
  },
  { field: 'a folder as descriptor', place: ({ folder }) => ({ given: { descriptor: folder } }), flags: '--target' },
  { field: 'an image', place: () => ({ image: 'print.example/evil' }), flags: '--image' },
  {
    field: 'an image and its port',
    place: () => ({ image: 'print.example/evil', given: { imagePort: 80 } }),
    flags: '--image --image-port',
  },
];

/** Descriptors that do more than describe a service on this machine. */
const DESCRIPTORS = [
  { field: 'a link module', keys: { link: { module: './evil.mjs' } } },
  { field: 'a hook that is a command', keys: { hooks: { reset: { command: 'touch ran' } } } },
  { field: 'a hook that is a module', keys: { hooks: { reset: { module: './evil.mjs' } } } },
  { field: 'a hook that is a request', keys: { hooks: { reset: { http: { url: '{url}/reset' } } } } },
  { field: 'a client program', keys: { client: { command: ['touch', 'ran'] } } },
  { field: 'an image', keys: { image: { name: 'print.example/evil' } } },
  { field: 'a callback host', keys: { callback: { host: 'print.example' } } },
  { field: 'an address elsewhere', keys: { url: 'http://0.0.0.0:PORT' } },
  { field: 'an address in a variable', keys: { url: '${EVIL:-http://0.0.0.0:PORT}' } },
].map(({ field, keys }): Field => ({
  field: `a descriptor that has ${field}`,
  place: ({ folder, port }) => {
    const text = JSON.stringify({ url: 'http://127.0.0.1:PORT', keys: { main: 'a-key' }, ...keys });
    writeFileSync(path.join(folder, 'other.yaml'), text.replaceAll('PORT', String(port)));
    return { given: { descriptor: './other.yaml' } };
  },
  flags: '--target',
}));

const CONSENT: readonly Field[] = [
  {
    field: 'a callback host, which opens receivers to the network',
    place: ({ port }) => ({ url: `http://127.0.0.1:${port}`, given: { callbackHost: 'print.example' } }),
    flags: '--callback-host',
  },
  {
    field: 'writes on another machine',
    place: ({ port }) => ({ url: `http://0.0.0.0:${port}`, given: { allowWrites: true } }),
    flags: '--url --allow-writes',
  },
  {
    field: 'all of it',
    place: ({ port }) => ({
      url: `http://0.0.0.0:${port}`,
      link: './evil.mjs',
      given: { callbackHost: 'print.example', allowWrites: true, keys: ['second', 'integrator'] },
    }),
    flags: '--url --link --callback-host --allow-writes --second-key --integrator-key',
  },
];

/** The first two lead to this machine, and are no names of loopback. */
const ADDRESSES = [
  'http://0.0.0.0:PORT',
  'http://[::ffff:127.0.0.1]:PORT',
  'https://print.example',
  'http://127.0.0.1.print.example:PORT',
  'http://127.print.example:PORT',
  'http://localhost.print.example:PORT',
  'http://127.0.0.1:PORT@print.example',
  'http://192.0.2.1:PORT',
  'file:///etc/passwd',
  'no address',
  '',
];

const ELSEWHERE = ADDRESSES.map((address): Field => ({
  field: `the address '${address}'`,
  place: ({ port }) => ({ url: address.replace('PORT', String(port)) }),
  flags: '--url',
}));

const FIELDS: readonly Field[] = [...CODE, ...DESCRIPTORS, ...CONSENT, ...ELSEWHERE];
const FLAGS =
  '--target --url --image --image-port --link --callback-host --allow-writes --second-key --integrator-key'.split(' ');

const REPLAYS: Readonly<Record<string, readonly string[]>> = {
  'replay run.json': ['replay', 'run.json'],
};
const OTHER_REPLAYS: Readonly<Record<string, readonly string[]>> = {
  'replay of its folder': ['replay', '.'],
  'replay of one check': ['replay', 'run.json', 'misc/ping'],
};

const REPLAYED = [...product(Object.entries(REPLAYS), FIELDS), ...product(Object.entries(OTHER_REPLAYS), CONSENT)].map(
  ([[command, argv], { field, place, flags }]) =>
    tried(`${command} with ${field}`, `64 ${inOrder(flags)}`, (bench) =>
      inScene(bench, async (scene) => {
        writeStored(scene, place(scene));
        const { code, text } = await calledIn(scene, argv);
        return `${code} ${FLAGS.filter((flag) => new RegExp(`${flag} `).test(`${text} `.replaceAll('\n', ' '))).join(' ')}`;
      }),
    ),
);

/** What the caller names is the place: nothing else of the record comes with it. */
const NAMED = [...CODE, ...CONSENT].map(({ field, place }) =>
  tried(
    `replay run.json --url of the caller with ${field}`,
    /descriptor|image|writes/.test(field) ? 'played there' : '64',
    (bench) =>
      inScene(
        bench,
        async (scene) => {
          writeStored(scene, place(scene));
          const { code } = await calledIn(scene, ['replay', 'run.json', '--url', `http://127.0.0.1:${scene.port}/a`]);
          return code === 64 ? '64' : 'played there';
        },
        { mayBeAsked: true },
      ),
  ),
);

/** Commands that read a record, and what they end with: a check of it failed, and its exchanges are not there. */
const READERS: Readonly<Record<string, readonly [code: number, ...argv: string[]]>> = {
  report: [1, 'report', 'run.json'],
  'report as files': [1, 'report', 'run.json', '-r', 'html,json,junit,github', '--out', 'shown'],
  'report merge': [1, 'report', 'merge', 'run.json', 'run.json'],
  'diff from it': [1, 'diff', 'run.json', 'other.json'],
  'diff to it': [1, 'diff', 'other.json', 'run.json'],
  analyze: [2, 'analyze', '.'],
  'run as a scenario': [64, 'run', 'run.json'],
  'run --baseline': [64, 'run', 'ten-seconds', '--baseline', 'run.json'],
  'check --known': [64, 'check', '--grep', '^misc/ping$', '--known', 'run.json'],
  'explore --room': [64, 'explore', '--seeds', '1', '--room', 'run.json'],
};

const READ = product(Object.entries(READERS), [...CODE, ...CONSENT]).map(
  ([[command, [code, ...argv]], { field, place }]) =>
    tried(`${command} with ${field}`, String(code), (bench) =>
      inScene(bench, async (scene) => {
        writeStored(scene, place(scene));
        return String((await calledIn(scene, argv)).code);
      }),
    ),
);

/** Keys that only a descriptor or a command line has. */
const KEYS: Readonly<Record<string, unknown>> = {
  target: './target.yaml',
  descriptor: './target.yaml',
  url: 'https://print.example',
  key: 'some-key',
  keys: { main: '${PLATEN_API_KEY}' },
  link: { module: './evil.mjs' },
  image: { name: 'print.example/evil' },
  client: { command: ['touch', 'ran'] },
  hooks: { reset: { command: 'touch ran' } },
  callback: { host: 'print.example' },
  allowWrites: true,
};

const ROOM = { computers: [{ name: 'OFFICE', printers: [{ profile: 'laser-a4' }] }] };
const SCENARIO = {
  title: 'A day',
  why: 'Somebody sends this scenario to somebody else.',
  room: ROOM,
  steps: [{ advance: '1s' }],
  expect: { sheets: {} },
};
const LOAD = {
  title: 'A load',
  why: 'Somebody sends this scenario to somebody else.',
  room: ROOM,
  traffic: { streams: [{ name: 'pings', do: 'ping', pacer: { constant: { rate: 1 } }, for: '1s' }] },
};

/** A file with a key that it must not have. */
type Written = (key: Readonly<Record<string, unknown>>) => object;

const FILES: Readonly<Record<string, readonly [Written, ...string[]]>> = {
  'run FILE': [(key) => ({ ...SCENARIO, ...key }), 'run', 'file.yaml'],
  'run FILE with traffic': [(key) => ({ ...LOAD, ...key }), 'run', 'file.yaml'],
  'run FILE, in its room': [(key) => ({ ...SCENARIO, room: { ...ROOM, ...key } }), 'run', 'file.yaml'],
  'run FILE, in a step': [(key) => ({ ...SCENARIO, steps: [{ advance: '1s', ...key }] }), 'run', 'file.yaml'],
  'start --room': [(key) => ({ ...ROOM, ...key }), 'start', '--port', '0', '--room', 'file.yaml'],
  'exec --room': [(key) => ({ ...ROOM, ...key }), 'exec', '--room', 'file.yaml', '--', 'touch', 'ran'],
  'explore --room': [(key) => ({ ...ROOM, ...key }), 'explore', '--seeds', '1', '--room', 'file.yaml'],
  'room --room': [(key) => ({ ...ROOM, ...key }), 'room', '--expose', 'ipp', '--room', 'file.yaml'],
};

const EDITED = product(Object.entries(FILES), Object.entries(KEYS)).map(
  ([[command, [written, ...argv]], [key, value]]) =>
    tried(`${command} with the key ${key}`, '64', (bench) =>
      inScene(bench, async (scene) => {
        writeFileSync(path.join(scene.folder, 'file.yaml'), JSON.stringify(written({ [key]: value })));
        return String((await calledIn(scene, argv)).code);
      }),
    ),
);

/** For a shell that reads it: ends a quotation, begins commands. */
const FOR_A_SHELL = "x';touch ran;'$(touch ran)`touch ran`;touch ran";

/** Records in which something that a command line repeats is meant for a shell. */
const PLACES: Readonly<Record<string, (text: string) => RunRecord>> = {
  'the address of a service': (text) => failedRun({ url: `https://print.example/${text}` }),
  'an image': (text) => failedRun({ image: text }),
  'a link': (text) => failedRun({ link: text }),
  'a descriptor': (text) => failedRun({ given: { descriptor: text } }),
  'the address beside a descriptor': (text) => failedRun({ given: { descriptor: 'target.yaml', url: text } }),
  'a callback host': (text) => failedRun({ url: 'http://127.0.0.1:1', given: { callbackHost: text } }),
};
const RESULTS: Readonly<Record<string, (text: string) => RunRecord>> = {
  'the id of a check': (text) => failedRun({}, text),
  'the file of a scenario': (text) => ofScenarios({}, text),
  'the address of scenarios': (text) => ofScenarios({ baseUrl: `https://print.example/${text}` }),
  'the descriptor of scenarios': (text) => ofScenarios({ descriptor: text }),
  'the link of scenarios': (text) => ofScenarios({ link: text }),
  'the callback host of scenarios': (text) => ofScenarios({ callbackHost: text }),
  'the file of a finding': (text) => explored({}, text),
  'the address of days': (text) => explored({ kind: 'remote', baseUrl: `https://print.example/${text}` }),
  'the descriptor of days': (text) => explored({ descriptor: text }),
  'the link of days': (text) => explored({ link: text }),
};

const LINES = [
  ...product(['report'], Object.entries({ ...PLACES, ...RESULTS })),
  ...product(['replay'], Object.entries(PLACES)),
].map(([command, [what, recordOf]]) =>
  tried(`the line to paste that ${command} shows, with words for a shell as ${what}`, 'a line', (bench) =>
    inScene(bench, async (scene) => {
      writeJson(scene, 'run.json', recordOf(FOR_A_SHELL));
      const { text } = await calledIn(scene, [command, 'run.json']);
      const [line] = /\bplaten (?:replay|run) .*$/m.exec(text) ?? [];
      if (line === undefined) return 'no line';
      spawnSync('sh', ['-c', `platen() { :; }\n${line}`], { cwd: scene.folder, timeout: 10_000 });
      return 'a line';
    }),
  ),
);

/** A coordinator may name a file of the machine of a worker. */
const WORKER: Attack = tried('worker with a run that names a link module', 'refused, naming --link', (bench) =>
  inScene(bench, async ({ folder, port }) => {
    const file = path.join(folder, 'evil.mjs');
    writeFileSync(file, `import { writeFileSync } from 'node:fs';\nwriteFileSync('${folder}/ran', '');\n`);
    const scenario = loadScenario({});
    const { hash: planHash } = planLoad(scenario, 1);
    const target = { name: 'a', baseUrl: `http://127.0.0.1:${port}`, link: { kind: 'module', file } as const };
    const run = { scenario, seed: 1, planHash, runId: 'a', shards: 1, calibrates: false, target };
    const secrets = { apiKey: 'a-key', permission: { allowedHosts: [] } };
    const order = { shard: 1, bundle: bundleBytes(run), secrets };
    return loadWork({})
      .prepare(order)
      .then(
        () => 'prepared',
        (error: unknown) => (messageOf(error).includes('--link') ? 'refused, naming --link' : messageOf(error)),
      );
  }),
);

/** A pipeline names its jobs itself. */
const BACKEND: Attack = tried(
  'a backend that gives a job words for a shell as its id, where a command asks for its state',
  'not asked',
  (bench) =>
    inScene(bench, async ({ folder }) => {
      const file = path.join(folder, 'pipeline.yaml');
      const state = { command: 'echo printed {id}', done: ['printed'] };
      const submit = { command: 'echo {printer} {document}' };
      writeFileSync(file, JSON.stringify({ printers: { bar: 'raw' }, submit, state }));
      const caller = new Caller(await loadPipeline(file), {});
      const fate = await caller.fateOf({ id: FOR_A_SHELL });
      await caller.close();
      return fate?.word.includes('is no word for a command') ? 'not asked' : `${fate?.word}`;
    }),
);

export const RECORD_ATTACKS: AttackTable = {
  kind: 'a stored record or a file that a stranger sends',
  against: 'command',
  attacks: [...REPLAYED, ...NAMED, ...READ, ...EDITED, ...LINES, WORKER, BACKEND],
};

function product<One, Other>(ones: readonly One[], others: readonly Other[]): readonly (readonly [One, Other])[] {
  return ones.flatMap((one) => others.map((other) => [one, other] as const));
}

function inOrder(flags: string): string {
  return FLAGS.filter((flag) => flags.split(' ').includes(flag)).join(' ');
}

/** @returns what was seen, and whether code of the stranger ran, or anything was sent to the server */
async function inScene(
  bench: AttackedBench,
  play: (scene: Scene) => Promise<string>,
  { mayBeAsked = false }: { readonly mayBeAsked?: boolean } = {},
): Promise<string> {
  const folder = mkdtempSync(path.join(bench.folder, 'record-'));
  let isAsked = false;
  const server = createServer((_, response) => {
    isAsked = true;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const seen = await play({ folder, port: portOf(server) });
    const hasRun = existsSync(path.join(folder, 'ran'));
    return `${seen}${hasRun ? ', and code ran' : ''}${isAsked && !mayBeAsked ? ', and a request was sent' : ''}`;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function calledIn({ folder }: Scene, argv: readonly string[]): ReturnType<typeof called> {
  return called({ argv, cwd: folder } satisfies CommandCall);
}

/** A record that says this of the service, and what runs if it counts. */
function writeStored(scene: Scene, place: Place): void {
  const ran = JSON.stringify(path.join(scene.folder, 'ran'));
  const write = (name: string, text: string): void => writeFileSync(path.join(scene.folder, name), text);
  write('evil.mjs', `import { writeFileSync } from 'node:fs';\nwriteFileSync(${ran}, '');\n`);
  const hooks = { reset: { command: 'touch ran' } };
  write('target.yaml', JSON.stringify({ url: `http://127.0.0.1:${scene.port}`, keys: { main: 'a-key' }, hooks }));
  writeJson(scene, 'run.json', failedRun(place));
  writeJson(scene, 'other.json', failedRun({}, 'misc/noop'));
}

function writeJson({ folder }: Scene, name: string, value: object): void {
  writeFileSync(path.join(folder, name), JSON.stringify(value));
}

/** The record of a run in which one check failed. */
function failedRun({ url, image, link, given }: Place, id = 'misc/ping'): CheckRunRecord {
  const { target: _target, checks, ...run } = madeUpRun({ results: 1, failures: 1, exchanges: 1, clauses: 1 });
  const kind = url === undefined ? (image === undefined ? 'embedded' : 'container') : 'remote';
  return {
    ...run,
    checks: checks.map((check) => ({ ...check, id })),
    target: {
      name: image ?? 'reference service',
      kind,
      baseUrl: url ?? 'http://127.0.0.1:1',
      ...(link !== undefined && { link }),
      ...(given && { given: { keys: [], ...given } }),
      capabilities: [],
      contradictions: [],
    },
  };
}

function ofScenarios(target: object, id?: string): RunRecord {
  const { scenarios, ...record } = madeUpScenarios();
  return {
    ...record,
    target: { ...record.target, ...target },
    scenarios: scenarios.map((one) => ({ ...one, id: id ?? one.id })),
  };
}

function explored(target: object, file?: string): RunRecord {
  const { findings, ...record } = madeUpExplore();
  return {
    ...record,
    target: { ...record.target, ...target },
    findings: findings.map((one) => ({ ...one, file: file ?? one.file })),
  };
}
