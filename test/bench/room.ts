/**
 * What an idle computer costs: 10,000 computers with two printers and a scale each in one process, against as
 * many bare `ws` client sockets in another. Rounds in turn, the figure is the median of the ratios.
 *
 * Both connect as any client of the link must: key, subprotocol, hello, welcome. The bare socket then says
 * nothing more and holds nothing but itself; its listeners are functions that all sockets share. The
 * computer reports printers, scale and a reading as well: what that leaves behind is its own cost, so the
 * socket is not made to send the same. Not counted, on either side: room that V8 keeps for later. A process
 * that ran such a ramp holds on to up to 128 MB of young generation, and more of it is touched by computers
 * that report; V8 bounds it for the process, however many clients there are.
 *
 * Usage: node test/bench/room.ts [--computers 10000] [--rounds 3]
 * Exits 1 when memory misses its bar, a computer has a timer, or connecting floods the service.
 */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

import { request } from 'undici';

import { machineLine, median } from './paired.ts';

const { values } = parseArgs({
  options: {
    computers: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
  },
});

const MOST_RATIO = 1.6;
/** One for the room: it switches off the scales that lie idle. */
const MOST_TIMERS = 1;
/** So many computers connect at the same time. */
const MOST_CONNECTING = 64;

interface Figures {
  readonly heap: number;
  readonly rss: number;
  readonly timers: number;
  readonly connectMs: number;
  readonly mostConnecting: number;
}

function scriptPath(name: string): string {
  return fileURLToPath(new URL(`./servers/${name}.ts`, import.meta.url));
}

/** One kind of client, with a fresh service's end. */
async function measure(kind: 'bare' | 'room'): Promise<Figures> {
  const server = spawn(process.execPath, [scriptPath('link-end')], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
    const { url } = JSON.parse(line) as { url: string };
    const args = ['--expose-gc', scriptPath('idle-clients'), kind, values.computers, url];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { body } = await request(url);
    const { mostConnecting } = (await body.json()) as { mostConnecting: number };
    return { ...(JSON.parse(stdout) as Omit<Figures, 'mostConnecting'>), mostConnecting };
  } finally {
    server.kill('SIGKILL');
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  }
}

const pairs: { readonly bare: Figures; readonly room: Figures }[] = [];
for (let round = 0; round < Number(values.rounds); round++) {
  pairs.push({ bare: await measure('bare'), room: await measure('room') });
}

const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const ratio = (of: 'heap' | 'rss'): number => median(pairs.map(({ bare, room }) => room[of] / bare[of]));
const of = (side: 'bare' | 'room', field: keyof Figures): number => median(pairs.map((pair) => pair[side][field]));
say(machineLine());
say(`${values.computers} clients, ${values.rounds} rounds, medians; bytes a client`);
for (const field of ['heap', 'rss'] as const) {
  say(`${field}: bare socket ${of('bare', field)}, computer ${of('room', field)}, ratio ${ratio(field).toFixed(2)}`);
}
say(`timers: ${of('room', 'timers')}; connected in ${of('room', 'connectMs')} ms (bare ${of('bare', 'connectMs')} ms)`);
say(`on their way in at once: at most ${of('room', 'mostConnecting')}`);
const isGood =
  ratio('heap') <= MOST_RATIO &&
  ratio('rss') <= MOST_RATIO &&
  of('room', 'timers') <= MOST_TIMERS &&
  of('room', 'mostConnecting') <= MOST_CONNECTING;
process.exitCode = isGood ? 0 : 1;
