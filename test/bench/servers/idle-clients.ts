/**
 * Connected and idle clients in one process, and what one more of them costs.
 *
 * Usage: node --expose-gc idle-clients.ts bare|room COUNT URL
 * Prints bytes a client of heap and of resident memory, and how many timers there are.
 *
 * The first clients are not counted: they pay for compiled code and caches, once a process. Memory is
 * read after collections that also give back what V8 keeps for later: its young generation grows to
 * 128 MB while clients of either kind connect, which would hide what a client holds.
 */

import { WebSocket } from 'ws';

import { systemClock, type Clock } from '../../../src/common/clock.ts';
import { createRandom } from '../../../src/common/random.ts';
import { startStopwatch } from '../../../src/common/stopwatch.ts';
import { Room } from '../../../src/devices/room.ts';
import { encodeMessage } from '../../../src/link/codec.ts';
import { LINK_PATH, LINK_PROTOCOLS } from '../../../src/link/messages.ts';
import { webSocketLink } from '../../../src/link/websocket-link.ts';

const [kind, countText, url = ''] = process.argv.slice(2);
const count = Number(countText);
const UNCOUNTED = 500;
const AT_ONCE = 64;
const KEY = 'k';

/** What must stay reachable while it is measured. */
const kept: unknown[] = [];
let timers = 0;
const clock: Clock = {
  ...systemClock,
  beat(intervalMs, task) {
    timers++;
    return systemClock.beat(intervalMs, task);
  },
  schedule(delayMs, task) {
    timers++;
    const timer = systemClock.schedule(delayMs, () => {
      timers--;
      task();
    });
    return {
      cancel: () => {
        timers--;
        timer.cancel();
      },
    };
  },
};
const link = webSocketLink({ clock });

const HELLO = encodeMessage({
  type: 'hello',
  client: {
    installationId: 'bare',
    computerName: 'BARE',
    hostname: null,
    inet: null,
    inet6: null,
    version: null,
    edition: null,
  },
  holding: [],
});
const onWelcome = new WeakMap<WebSocket, () => void>();

function sayHello(this: WebSocket): void {
  this.send(HELLO);
}

function hear(this: WebSocket): void {
  onWelcome.get(this)?.();
  onWelcome.delete(this);
}

function fail(): never {
  throw new Error('the service ended a connection');
}

/** What any client of the link must do, and no more: key, protocol, hello, and shared listeners. */
function openBare(): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${LINK_PATH}`, [...LINK_PROTOCOLS], {
    perMessageDeflate: false,
    headers: { authorization: `Basic ${Buffer.from(`${KEY}:`).toString('base64')}` },
  });
  kept.push(socket);
  socket.on('open', sayHello);
  socket.on('message', hear);
  socket.on('error', fail);
  socket.on('close', fail);
  return new Promise((resolve) => onWelcome.set(socket, resolve));
}

async function connectBare(clients: number): Promise<void> {
  const turns = Array.from({ length: clients }).values();
  const connectNext = async (): Promise<void> => {
    while (!turns.next().done) await openBare();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, connectNext));
}

async function connectRoom(clients: number): Promise<void> {
  const computers = Array.from({ length: clients }, (_, index) => ({
    name: `DESK-${index + 1}`,
    version: '4.27.8',
    printers: [
      { profile: 'laser-a4', name: 'Laser', default: true },
      { profile: 'label-4x6', name: 'Label' },
    ],
    scales: [{ profile: 'dymo-m10', name: 'Counter scale' }],
  }));
  const credential = { kind: 'api-key', key: KEY } as const;
  const room = new Room({ computers }, { clock, random: createRandom(1), link, serviceUrl: url, credential });
  kept.push(room);
  await room.connect();
}

/** Waits until what was begun has ended, then collects garbage. */
async function rest(): Promise<NodeJS.MemoryUsage> {
  for (let round = 0; round < 6; round++) {
    await new Promise((resolve) => systemClock.schedule(100, () => resolve(undefined)));
    await globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' });
  }
  return process.memoryUsage();
}

const connect = kind === 'room' ? connectRoom : connectBare;
await connect(UNCOUNTED);
const before = { ...(await rest()), timers };
const elapsedMs = startStopwatch();
await connect(count);
const connectMs = Math.round(elapsedMs());
const after = await rest();
const figures = {
  heap: Math.round((after.heapUsed - before.heapUsed) / count),
  rss: Math.round((after.rss - before.rss) / count),
  timers: timers - before.timers,
  connectMs,
  kept: kept.length,
};
process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
