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
 * Usage: node test/bench/room-at-size.ts [--computers 10000] [--rate 2000] [--megabytes 220]
 * Exits 1 when a computer is missing, a job is not printed exactly once, or memory misses its bar.
 */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

import { Pool } from 'undici';

import { startStopwatch } from '../../src/common/stopwatch.ts';
import { ROOM_NODE_FLAGS } from '../../src/load/shard/shard-child.ts';
import { watchServiceMemory } from '../../src/load/service-memory.ts';
import { processTarget } from '../../src/target/process.ts';
import { basic } from '../support/running-service.ts';
import { machineLine } from './paired.ts';

const { values } = parseArgs({
  options: {
    computers: { type: 'string', default: '10000' },
    rate: { type: 'string', default: '2000' },
    megabytes: { type: 'string', default: '220' },
  },
});
const computers = Number(values.computers);
const MEGABYTE = 1024 * 1024;
const ROOM = scriptPath('fleet');
const PAGE = 1_000;
const SUBMITTERS = 16;
const LABEL = Buffer.from('^XA^FO50,50^A0N,50,50^FDParcel^FS^XZ').toString('base64');

interface Printer {
  readonly id: number;
  readonly name: string;
}

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

await using service = await processTarget({ limits: 'off' }).then((target) => ({
  ...target,
  [Symbol.asyncDispose]: () => target.close(),
}));
const serviceMemory = watchServiceMemory(service.baseUrl);
const pool = new Pool(service.baseUrl, { connections: SUBMITTERS });
const settings = { url: service.baseUrl, key: service.apiKey, computers, rate: Number(values.rate) };
const room = spawn(process.execPath, [...ROOM_NODE_FLAGS, ROOM, JSON.stringify(settings)], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const lines = createInterface({ input: room.stdout })[Symbol.asyncIterator]();
const nextLine = async (): Promise<Record<string, number>> => {
  const { value, done } = await lines.next();
  if (done === true) throw new Error('the room process ended early');
  return JSON.parse(value) as Record<string, number>;
};

const connected = await nextLine();
const elapsedMs = startStopwatch();
await printOnEach(await labelPrinters());
const submitMs = elapsedMs();
const printed = await nextLine();
const held = serviceMemory.end() ?? [];
if (room.exitCode === null) await once(room, 'exit');
await pool.destroy();
const bare = await bareSockets();

const mostMb = (printed['mostRss'] ?? 0) / MEGABYTE;
say(machineLine());
say(`${connected['connected']} of ${computers} computers connected in ${connected['connectMs']} ms`);
say(`ramp of ${values.rate} a second: ${Math.round((computers / Number(values.rate)) * 1_000)} ms of it are the ramp`);
say(`${computers} jobs submitted in ${Math.round(submitMs)} ms`);
say(
  `printed: ${printed['printed']} jobs on ${printed['distinct']} computers, ${printed['reported']} acknowledged as done`,
);
say(
  `resident: ${mb(connected['rss'])} MB connected, ${mb(printed['rss'])} MB after the jobs, at most ${mb(printed['mostRss'])} MB; ` +
    `${Math.round((printed['mostRss'] ?? 0) / computers)} bytes a computer, all of the process counted`,
);
say(`the service: ${mb(held[0])} MB at first, at most ${mb(Math.max(...held))} MB`);
say(
  `a computer more: ${Math.round(((connected['rss'] ?? 0) - (connected['rssBefore'] ?? 0)) / computers)} bytes; ` +
    `a bare ws socket more: ${bare.rss} bytes, ${computers} of them connected in ${bare.connectMs} ms without a ramp`,
);
const isGood =
  connected['connected'] === computers &&
  printed['printed'] === computers &&
  printed['distinct'] === computers &&
  printed['reported'] === computers &&
  mostMb <= Number(values.megabytes);
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

function mb(bytes: number | undefined): string {
  return ((bytes ?? 0) / MEGABYTE).toFixed(0);
}

async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
  const response = await pool.request({
    method,
    path,
    headers: { authorization: basic(service.apiKey) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
  return JSON.parse(text);
}

async function labelPrinters(): Promise<number[]> {
  const ids: number[] = [];
  for (let after = ''; ;) {
    const page = (await ask('GET', `/printers?limit=${PAGE}&dir=asc${after}`)) as Printer[];
    ids.push(...page.filter(({ name }) => name === 'Labels').map(({ id }) => id));
    if (page.length < PAGE) return ids;
    after = `&after=${page.at(-1)?.id}`;
  }
}

async function printOnEach(printerIds: readonly number[]): Promise<void> {
  const left = printerIds.values();
  const submitNext = async (): Promise<void> => {
    for (const printerId of left) {
      await ask('POST', '/printjobs', { printerId, contentType: 'raw_base64', content: LABEL });
    }
  };
  await Promise.all(Array.from({ length: SUBMITTERS }, submitNext));
}
