/**
 * Ctrl-C and SIGTERM in every phase of every command: each is over within two seconds. That a phase has come is seen
 * from outside: a connection that was accepted, a pipe that is read, a line that was printed.
 */

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';

import { portOf } from '../../../src/common/port-of.ts';
import { startStopwatch } from '../../../src/common/stopwatch.ts';
import { within } from '../../../src/common/waiter.ts';
import { cleanEnvironment, PROJECT } from '../../support/command-line.ts';
import { tried, type Attack, type AttackTable } from '../attack.ts';
import type { AttackedBench } from '../attacked-bench.ts';
import { busyFactor } from '../busy.ts';
import { soon } from '../../support/soon.ts';

const MOST_MS = 2_000;
/** Until the phase has come. */
const BEGIN_LIMIT = '60s';
const END_LIMIT = '60s';
/** What a load made is removed for up to 15 s, also once its command has gone. */
const LEFT_LIMIT = '20s';

/** What a command is played with. */
interface Place {
  readonly folder: string;
  /** Address of the server of the phase. */
  readonly url: string;
  readonly bench: AttackedBench;
  /** The writing ends of the pipe, once it is read. */
  readonly writers: number[];
}

/** A server that the command meets; `begin` is called when the phase has come. */
type Meet = (bench: AttackedBench, begin: () => void) => Server;

interface Phase {
  readonly phase: string;
  readonly argv: (place: Place) => readonly string[];
  /** How it is seen to have come; at its server unless given. */
  readonly begins?: Begin;
  readonly meets?: Meet;
  /** 130 unless given. */
  readonly code?: number;
  /** A file that must be there in the end. */
  readonly leaves?: string;
}

/** A line that is printed, the pipe being read, or standard input being read. */
type Begin = RegExp | 'pipe' | 'input';

const accepts: Meet = (_, begin) => createServer(begin);

type Handle = (asked: IncomingMessage, answer: ServerResponse) => boolean;

/** The bench, with some calls handled otherwise. */
function insteadOf(bench: AttackedBench, handles: Handle): Server {
  const { host } = new URL(bench.url);
  return createHttpServer((asked, answer) => {
    if (handles(asked, answer)) return;
    const { method, url, headers } = asked;
    const on = request(bench.url + (url ?? ''), { method, headers: { ...headers, host } }, (response) => {
      answer.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(answer);
    });
    on.on('error', () => answer.destroy());
    asked.pipe(on);
  });
}

const refusesToWrite: Meet = (bench, begin) =>
  insteadOf(bench, ({ method }, answer) => {
    if (method === 'GET') return false;
    answer.writeHead(429, { 'retry-after': '60', 'content-type': 'application/json' }).end('{}');
    begin();
    return true;
  }).on('upgrade', (_, socket) => socket.destroy());

const opensNoLink: Meet = (bench, begin) => insteadOf(bench, () => false).on('upgrade', begin);

const neverPrints: Meet = (bench, begin) =>
  insteadOf(bench, ({ url = '' }, answer) => {
    if (!url.includes('/states')) return false;
    answer.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    begin();
    return true;
  });

const PIPE = 'pipe.yaml';
const ROOM = '{ computers: [{ name: DESK, printers: [{ profile: laser-a4, name: Laser }] }]';
const HEAD = 'title: A long day\nwhy: It goes on for longer than anybody would wait.\n';
const CONNECTED = 'expect: { computers: { DESK: connected } }\n';
const TRAFFIC = `traffic:
  documents: { letter: { file: invoice.pdf } }
  streams: [{ name: letters, do: submit, document: letter, pacer: { constant: { rate: 20 } }, for: 5m }]
`;

/** The files of each folder; URL stands for the server of the phase. */
const FILES = {
  'short.yaml': `${HEAD}room: ${ROOM} }\nsteps: [{ advance: 1s }]\n${CONNECTED}`,
  'waits.yaml': `${HEAD}room: ${ROOM} }\nsteps: [{ submit: { as: a, printer: Laser, uri: URL/a.pdf } }, { advance: 2m }]\n${CONNECTED}`,
  'load.yaml': `${HEAD}room: ${ROOM} }\n${TRAFFIC}`,
  'slow.yaml': `${HEAD}room: ${ROOM}, timeScale: 1 }\n${TRAFFIC.replace('5m', '1s')}`,
};

const own = ({ bench }: Place): readonly string[] => [bench.url, '--key', bench.key, '--out', 'out'];
const keyed = ({ url, bench }: Place): readonly string[] => [url, '--key', bench.key];

/** Options and arguments that name a file, which is a pipe here. */
const READS: Readonly<Record<string, readonly string[]>> = {
  'start --room': ['start', '--port', '0', '--room', PIPE],
  'start --tls-cert': ['start', '--port', '0', '--tls-cert', PIPE, '--tls-key', PIPE],
  'exec --room': ['exec', '--room', PIPE, '--', 'true'],
  'room --room': ['room', '--expose', 'ipp', '--room', PIPE],
  'explore --room': ['explore', '--room', PIPE],
  'explore --known': ['explore', '--known', PIPE],
  'check --known': ['check', '--known', PIPE],
  'check --target': ['check', '--target', PIPE],
  'check --ca': ['check', '--ca', PIPE],
  run: ['run', PIPE],
  'run --baseline': ['run', 'load.yaml', '--baseline', PIPE],
  'run --target': ['run', 'short.yaml', '--target', PIPE],
  replay: ['replay', PIPE],
  diff: ['diff', PIPE, PIPE],
  analyze: ['analyze', PIPE],
  report: ['report', PIPE],
  clone: ['clone', PIPE],
  print: ['print', PIPE],
  'worker --nats-creds': ['worker', '--nats', 'nats://127.0.0.1:1', '--nats-creds', PIPE],
};

/** Commands that ask the service at --url. */
const ASKS: Readonly<Record<string, readonly string[]>> = {
  print: ['print', 'invoice'],
  jobs: ['jobs'],
  fault: ['fault', '--clear'],
  clock: ['clock'],
  reset: ['reset'],
  ready: ['ready', '--wait', '1m'],
};

/** Commands that make things at the address that they are given. */
const WRITES: Readonly<Record<string, readonly string[]>> = {
  check: ['check'],
  run: ['run', 'short.yaml'],
};

/** Commands that open a link there. */
const LINKS: Readonly<Record<string, readonly string[]>> = {
  ...WRITES,
  'run of a load': ['run', 'load.yaml', '--no-calibration'],
  explore: ['explore'],
  room: ['room'],
  client: ['client'],
};

const PHASES: readonly Phase[] = [
  ...Object.entries(READS).map(([name, argv]): Phase => ({
    phase: `${name} reads a pipe`,
    argv: () => argv,
    begins: 'pipe',
  })),
  { phase: 'print reads standard input', argv: () => ['print', '-'], begins: 'input' },
  ...Object.entries(ASKS).map(([name, argv]): Phase => ({
    phase: `${name} asks one that never answers`,
    argv: ({ url }) => [...argv, '--url', url],
  })),
  ...Object.entries(LINKS).map(([name, argv]): Phase => ({
    phase: `${name} asks one that never answers`,
    argv: ({ url }) => [...argv, url],
  })),
  ...Object.entries(LINKS).map(([name, argv]): Phase => ({
    phase: `${name} opens a link that never opens`,
    argv: (place) => [...argv, ...keyed(place)],
    meets: opensNoLink,
  })),
  ...Object.entries(WRITES).map(([name, argv]): Phase => ({
    phase: `${name} is told to come later`,
    argv: (place) => [...argv, ...keyed(place)],
    meets: refusesToWrite,
  })),
  {
    phase: 'clone asks a printer that never answers',
    argv: ({ url }) => ['clone', url.replace('http', 'ipp')],
  },
  {
    phase: 'worker asks a NATS server that never answers',
    argv: ({ url }) => ['worker', '--nats', url.replace('http', 'nats')],
  },
  {
    phase: 'run asks a NATS server that never answers',
    argv: ({ url, bench }) => ['run', 'load.yaml', bench.url, '--workers', '2', '--nats', url.replace('http', 'nats')],
  },
  {
    phase: 'print waits for its job',
    argv: ({ url, bench }) => ['print', 'invoice', '--wait', '--timeout', '5m', '--url', url, '--key', bench.key],
    meets: neverPrints,
  },
  { phase: 'start runs', argv: () => ['start', '--port', '0'], begins: /is ready/, code: 0 },
  { phase: 'room is connected', argv: (place) => ['room', ...own(place)], begins: /Connected/, code: 0 },
  { phase: 'room is exposed', argv: () => ['room', '--expose', 'ipp,raw,lpd'], begins: /ready/, code: 0 },
  {
    phase: 'client is connected',
    argv: ({ bench }) => ['client', bench.url, '--key', bench.key, '--data', 'out'],
    begins: /connected/i,
    code: 0,
  },
  {
    phase: 'exec runs a command',
    argv: () => ['exec', '--', 'sh', '-c', 'echo begun; exec sleep 60'],
    begins: /begun/,
  },
  { phase: 'check of a service', argv: (place) => ['check', ...own(place)], begins: / ok /, leaves: 'run.json' },
  { phase: 'check of its own', argv: () => ['check', '--out', 'out'], begins: / ok /, leaves: 'run.json' },
  {
    phase: 'run on a real clock',
    argv: () => ['run', 'waits.yaml', '--clock', 'real', '--out', 'out'],
    leaves: 'run.json',
  },
  { phase: 'run at a service', argv: (place) => ['run', 'waits.yaml', ...own(place)], leaves: 'run.json' },
  { phase: 'run --watch', argv: () => ['run', 'short.yaml', '--watch'], begins: /Plays again/, code: 0 },
  { phase: 'run calibrates', argv: () => ['run', 'load.yaml'], begins: /calibrating/ },
  {
    phase: 'run of a load',
    argv: () => ['run', 'load.yaml', '--no-calibration', '--out', 'out'],
    begins: /running/,
    leaves: 'run.json',
  },
  {
    phase: 'run drains',
    argv: () => ['run', 'slow.yaml', '--no-calibration', '--out', 'out'],
    begins: /draining/,
    leaves: 'run.json',
  },
  {
    phase: 'run --find-knee',
    argv: () => ['run', 'load.yaml', '--no-calibration', '--find-knee'],
    begins: /running/,
  },
  {
    phase: 'explore of its own',
    argv: () => ['explore', '--for', '5m', '--out', 'out'],
    begins: /Exploring/,
    leaves: 'run.json',
  },
  {
    phase: 'explore of a service',
    argv: (place) => ['explore', ...own(place), '--for', '5m'],
    begins: /Exploring/,
    leaves: 'run.json',
  },
];

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Each phase meets one of the signals. */
export const SIGNAL_ATTACKS: AttackTable = {
  kind: 'Ctrl-C and SIGTERM',
  against: 'command',
  attacks: PHASES.map((phase, index): Attack => {
    const signal = SIGNALS[index % SIGNALS.length] ?? 'SIGINT';
    return tried(`${phase.phase}: ${signal}`, `${phase.code ?? 130} within 2 s`, (bench) => play(phase, signal, bench));
  }),
};

async function play(phase: Phase, signal: NodeJS.Signals, bench: AttackedBench): Promise<string> {
  const { promise: met, resolve: meet } = Promise.withResolvers<void>();
  await using server = await serve((phase.meets ?? accepts)(bench, meet));
  const place: Place = { folder: folderFor(bench, server.url), url: server.url, bench, writers: [] };
  const child = spawn(process.execPath, [path.join(PROJECT, 'bin/platen.js'), ...phase.argv(place)], {
    cwd: place.folder,
    env: cleanEnvironment({}),
  });
  const output = { said: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => (output.said += String(piece)));
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  try {
    const tooEarly = ended.then(([code]) => Promise.reject(new Error(`it ended before with ${code}: ${output.said}`)));
    const begun = phase.begins === undefined ? met : hasBegun(phase.begins, child, place, output);
    await within(Promise.race([begun, tooEarly]), { description: 'the phase', limit: BEGIN_LIMIT });
    const elapsedMs = startStopwatch();
    child.kill(signal);
    const [code, by] = await within(ended, { description: 'the end', limit: END_LIMIT });
    const tookMs = elapsedMs();
    const time = tookMs <= MOST_MS * busyFactor() ? 'within 2 s' : `after ${(tookMs / 1_000).toFixed(1)} s`;
    const isLeft = phase.leaves === undefined || existsSync(path.join(place.folder, 'out', phase.leaves));
    await soon(
      'the end of the processes that the command began',
      LEFT_LIMIT,
      () => (processesIn(place.folder).length === 0 ? true : undefined),
      { every: '100ms' },
    );
    return `${code ?? by} ${time}${isLeft ? '' : `, without ${phase.leaves}: ${output.said.slice(-200)}`}`;
  } finally {
    child.kill('SIGKILL');
    for (const writer of place.writers) closeSync(writer);
  }
}

/** The processes with this working folder, which those of a command inherit. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return readlinkSync(`/proc/${name}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

async function serve(server: Server): Promise<AsyncDisposable & { readonly url: string }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    async [Symbol.asyncDispose]() {
      server.on('connection', (socket: Socket) => socket.destroy());
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function folderFor(bench: AttackedBench, url: string): string {
  const folder = mkdtempSync(path.join(bench.folder, 'phase-'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(folder, name), text.replace('URL', url));
  mkdirSync(path.join(folder, 'out'));
  spawnSync('mkfifo', [path.join(folder, PIPE)]);
  return folder;
}

/** More than the system keeps for a reader. */
const MUCH_INPUT = Buffer.alloc(1024 * 1024);

async function hasBegun(
  begins: Begin,
  { stdin }: ChildProcess,
  place: Place,
  output: { readonly said: string },
): Promise<void> {
  if (begins === 'input') {
    await new Promise((resolve) => stdin?.on('error', resolve).write(MUCH_INPUT, resolve));
    return;
  }
  await soon('the phase', BEGIN_LIMIT, () =>
    (begins === 'pipe' ? isRead(place) : begins.test(output.said)) ? true : undefined,
  );
}

/** A pipe that nobody reads cannot be opened to write. Nothing is ever written to this one. */
function isRead({ folder, writers }: Place): boolean {
  try {
    writers.push(openSync(path.join(folder, PIPE), constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch {
    return false;
  }
}
