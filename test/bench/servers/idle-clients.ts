/**
 * Connected and idle clients in one process, and what they cost.
 *
 * Usage: node --expose-gc idle-clients.ts bare|room COUNT URL
 * Prints bytes a client of heap and of resident memory, and how many timers there are.
 */

import { WebSocket } from 'ws';

import { systemClock, type Clock } from '../../../src/common/clock.ts';
import { createRandom } from '../../../src/common/random.ts';
import { startStopwatch } from '../../../src/common/stopwatch.ts';
import { Room } from '../../../src/devices/room.ts';
import { webSocketLink } from '../../../src/link/websocket-link.ts';

const [kind, countText, url = ''] = process.argv.slice(2);
const count = Number(countText);
const AT_ONCE = 64;

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

async function connectBare(): Promise<void> {
  const address = `${url.replace('http', 'ws')}/link`;
  const connectNext = async (numbers: IterableIterator<number>): Promise<void> => {
    while (!numbers.next().done) {
      const socket = new WebSocket(address, { perMessageDeflate: false });
      kept.push(socket);
      await new Promise((resolve, reject) => {
        socket.once('open', resolve);
        socket.once('error', reject);
      });
    }
  };
  const numbers = Array.from({ length: count }, (_, index) => index).values();
  await Promise.all(Array.from({ length: AT_ONCE }, () => connectNext(numbers)));
}

async function connectRoom(): Promise<void> {
  const computers = Array.from({ length: count }, (_, index) => ({
    name: `DESK-${index + 1}`,
    version: '4.27.8',
    printers: [
      { profile: 'laser-a4', name: 'Laser', default: true },
      { profile: 'label-4x6', name: 'Label' },
    ],
    scales: [{ profile: SCALE, name: 'Counter scale' }],
  }));
  const room = new Room(
    { computers },
    {
      clock,
      random: createRandom(1),
      link: webSocketLink({ clock }),
      serviceUrl: url,
      credential: { kind: 'api-key', key: 'k' },
    },
  );
  kept.push(room);
  await room.connect();
}

/** Lets what was begun come to an end, and throws away what nobody holds. */
async function rest(): Promise<NodeJS.MemoryUsage> {
  for (let round = 0; round < 6; round++) {
    await new Promise((resolve) => systemClock.schedule(100, () => resolve(undefined)));
    globalThis.gc?.();
  }
  return process.memoryUsage();
}

const SCALE = 'dymo-m10';

const before = await rest();
const elapsedMs = startStopwatch();
await (kind === 'room' ? connectRoom() : connectBare());
const connectMs = Math.round(elapsedMs());
const after = await rest();
const figures = {
  heap: Math.round((after.heapUsed - before.heapUsed) / count),
  rss: Math.round((after.rss - before.rss) / count),
  timers,
  connectMs,
  kept: kept.length,
};
process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
