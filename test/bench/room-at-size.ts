/**
 * A room at size: 10,000 computers with two printers and a scale each in one process, the reference
 * service in another. They connect on a ramp, a job is printed on each, and all are accounted for.
 *
 *   service process ◄══ links ══ room process (measured)
 *        ▲
 *        └── one job for each computer ── this process
 *
 * Beside it stand as many bare `ws` sockets that do nothing but connect and hold the line (the bench `room` has
 * the comparison round by round). The bar is for all that is resident in the process at any moment.
 *
 * A process has no more sockets than the system allows it files. More computers than that take several such pairs,
 * side by side and at the same time; without the bare sockets.
 *
 * Usage: node test/bench/room-at-size.ts [--computers 10000] [--rate 2000]
 *   [--pairs 1]              services with a room each, among which computers and rate are divided
 *   [--megabytes 220]        for the room, where there is one
 *   [--both-megabytes 1000]  for all processes of services and rooms
 *   [--connect-seconds 120]  until all computers are connected
 * Exits 1 when a computer is missing, a job is not printed exactly once, or memory or time misses its bar.
 */

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

import { Pool } from 'undici';

import { SPARING_NODE_FLAGS } from '../../src/common/node-flags.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { sumOf } from '../../src/common/sums.ts';
import { watchServiceMemory, type MemoryWatch } from '../../src/load/service-memory.ts';
import { processTarget, type ProcessTarget } from '../../src/targets/process.ts';
import { basic } from '../support/running-service.ts';
import { machineLine } from './paired.ts';

const { values } = parseArgs({
  options: {
    computers: { type: 'string', default: '10000' },
    rate: { type: 'string', default: '2000' },
    megabytes: { type: 'string', default: '220' },
    pairs: { type: 'string', default: '1' },
    'both-megabytes': { type: 'string', default: '1000' },
    'connect-seconds': { type: 'string', default: '120' },
  },
});
const pairCount = Number(values.pairs);
const computers = Math.ceil(Number(values.computers) / pairCount);
const ratePerSecond = Number(values.rate) / pairCount;
const connectLimitMs = Number(values['connect-seconds']) * 1_000;
const MEGABYTE = 1024 * 1024;
const ROOM = scriptPath('fleet');
/** Pages of a thousand printers are megabytes each, which the allocator of the service would keep. */
const PAGE = 200;
const SUBMITTERS = 16;
const SECONDS_A_LINE = 10;
const LABEL = Buffer.from('^XA^FO50,50^A0N,50,50^FDParcel^FS^XZ').toString('base64');

interface Printer {
  readonly id: number;
  readonly name: string;
}

/** What the process of a room says when its computers are connected. */
interface Connected {
  readonly connectMs: number;
  readonly connected: number;
  readonly rss: number;
  readonly rssBefore: number;
}

/** What it says at its end. */
interface Printed {
  readonly printed: number;
  readonly distinct: number;
  readonly reported: number;
  readonly rss: number;
  readonly mostRss: number;
  /** From its start on. */
  readonly rssOfSeconds: readonly number[];
}

/** A service with the room that is connected to it, each a process. */
class Pair implements AsyncDisposable {
  readonly #service: ProcessTarget;
  readonly #memory: MemoryWatch;
  readonly #pool: Pool;
  readonly #room: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(service: ProcessTarget) {
    this.#service = service;
    this.#memory = watchServiceMemory(service.baseUrl);
    this.#pool = new Pool(service.baseUrl, { connections: SUBMITTERS });
    const settings = { url: service.baseUrl, key: service.apiKey, computers, rate: ratePerSecond, connectLimitMs };
    const room = spawn(process.execPath, [...SPARING_NODE_FLAGS, ROOM, JSON.stringify(settings)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#room = room;
    this.#lines = createInterface({ input: room.stdout })[Symbol.asyncIterator]();
  }

  async connected(): Promise<Connected> {
    return (await this.#nextLine()) as Connected;
  }

  async printed(): Promise<Printed> {
    const printed = (await this.#nextLine()) as Printed;
    if (this.#room.exitCode === null) await once(this.#room, 'exit');
    return printed;
  }

  async printOnEach(): Promise<void> {
    const left = (await this.#labelPrinters()).values();
    const submitNext = async (): Promise<void> => {
      for (const printerId of left) {
        await this.#ask('POST', '/printjobs', { printerId, contentType: 'raw_base64', content: LABEL });
      }
    };
    await Promise.all(Array.from({ length: SUBMITTERS }, submitNext));
  }

  /** Resident bytes of the service, second by second so far. */
  serviceMemory(): readonly number[] {
    return this.#memory.end() ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#room.kill('SIGKILL');
    await this.#pool.destroy();
    await this.#service.close();
  }

  async #nextLine(): Promise<unknown> {
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error('the room process ended early');
    return JSON.parse(value);
  }

  async #labelPrinters(): Promise<number[]> {
    const ids: number[] = [];
    for (let after = ''; ;) {
      const page = (await this.#ask('GET', `/printers?limit=${PAGE}&dir=asc${after}`)) as Printer[];
      ids.push(...page.filter(({ name }) => name === 'Labels').map(({ id }) => id));
      if (page.length < PAGE) return ids;
      after = `&after=${page.at(-1)?.id}`;
    }
  }

  async #ask(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const response = await this.#pool.request({
      method,
      path,
      headers: { authorization: basic(this.#service.apiKey) },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
    return JSON.parse(text);
  }
}

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

say(machineLine());
await using stack = new AsyncDisposableStack();
const services = await Promise.all(
  Array.from({ length: pairCount }, () => processTarget({ limits: 'off', computers })),
);
const pairs = services.map((service) => stack.use(new Pair(service)));
const connections = await Promise.all(pairs.map((pair) => pair.connected()));
const connectMs = Math.max(...connections.map((room) => room.connectMs));
const connected = sumOf(connections, (room) => room.connected);
say(`${connected} of ${computers * pairCount} computers connected in ${connectMs} ms`);
say(`ramp of ${values.rate} a second: ${Math.round((computers / ratePerSecond) * 1_000)} ms of it are the ramp`);

const elapsedMs = startStopwatch();
await Promise.all(pairs.map((pair) => pair.printOnEach()));
say(`${computers * pairCount} jobs submitted in ${Math.round(elapsedMs())} ms`);
const ends = await Promise.all(pairs.map((pair) => pair.printed()));
const [printed, distinct, reported] = (['printed', 'distinct', 'reported'] as const).map((count) =>
  sumOf(ends, (end) => end[count]),
);
say(`printed: ${printed} jobs on ${distinct} computers, ${reported} acknowledged as done`);

const held = pairs.map((pair) => pair.serviceMemory());
const rooms = sumOf(ends, (end) => end.mostRss);
const ofServices = sumOf(held, (seconds) => Math.max(...seconds));
const afterConnecting = sumOf(connections, (room) => room.rss);
say(
  `rooms: ${mb(afterConnecting)} MB connected, ${mb(sumOf(ends, (end) => end.rss))} MB after the jobs, ` +
    `at most ${mb(rooms)} MB; ${Math.round(rooms / connected)} bytes a computer, all of the process counted`,
);
say(`services: ${mb(sumOf(held, ([first = 0]) => first))} MB at first, at most ${mb(ofServices)} MB`);
say(`both ends: at most ${mb(rooms + ofServices)} MB (bar ${values['both-megabytes']}), each at its own highest`);
say('second: MB of services, of rooms');
const ofRooms = ends.map((end) => end.rssOfSeconds);
for (let second = 0; ofRooms.some((one) => second < one.length); second += SECONDS_A_LINE) {
  say(`${second}: ${mb(atSecond(held, second))}, ${mb(atSecond(ofRooms, second))}`);
}
if (pairCount === 1) {
  const bare = await bareSockets();
  const before = sumOf(connections, (room) => room.rssBefore);
  say(
    `a computer more: ${Math.round((afterConnecting - before) / computers)} bytes; ` +
      `a bare ws socket more: ${bare.rss} bytes, ${computers} of them connected in ${bare.connectMs} ms without a ramp`,
  );
}
const isExact = [connected, printed, distinct, reported].every((count) => count === computers * pairCount);
const isGood =
  isExact &&
  connectMs <= connectLimitMs &&
  (pairCount > 1 || rooms / MEGABYTE <= Number(values.megabytes)) &&
  (rooms + ofServices) / MEGABYTE <= Number(values['both-megabytes']);
process.exitCode = isGood ? 0 : 1;

function scriptPath(name: string): string {
  return fileURLToPath(new URL(`./servers/${name}.ts`, import.meta.url));
}

/** What a socket costs that does no more than any client of the link must. */
async function bareSockets(): Promise<{ readonly rss: number; readonly connectMs: number }> {
  const end = spawn(process.execPath, [scriptPath('link-end')], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(createInterface({ input: end.stdout }), 'line')) as [string];
    const { url } = JSON.parse(line) as { readonly url: string };
    const args = ['--expose-gc', scriptPath('idle-clients'), 'bare', String(computers), url];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return JSON.parse(stdout) as { rss: number; connectMs: number };
  } finally {
    end.kill('SIGKILL');
    if (end.exitCode === null && end.signalCode === null) await once(end, 'exit');
  }
}

/** The total of all processes at a second; one that has ended counts with its last value. */
function atSecond(processes: readonly (readonly number[])[], second: number): number {
  return sumOf(processes, (bytes) => bytes[second] ?? bytes.at(-1) ?? 0);
}

function mb(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(0);
}
