/**
 * A fleet at size: 30,000 computers with two printers each over three worker processes, placed and started over
 * NATS, held by a service that does nothing else.
 *
 *   this process ── NATS ──► platen worker ─► shard ══ 10,000 links ══╗
 *     coordinator      ├───► platen worker ─► shard ══ 10,000 links ══╬══► null link service,
 *                      └───► platen worker ─► shard ══ 10,000 links ══╝    three processes, one address
 *
 * Whether all are connected at once is asked of the service, not of the workers. Memory is the most that was ever
 * resident in the worker and in the process of its shard; connect rate is from the first computer to the last.
 *
 * Usage: node test/bench/fleet-at-size.ts [--computers 30000] [--rate 6000]
 * Exits 1 when not all computers were connected at once. Needs nats-server, and Linux for the memory.
 */

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { systemClock } from '../../src/common/clock.ts';
import { packageVersion } from '../../src/common/package-version.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { within } from '../../src/common/waiter.ts';
import { connectNats } from '../../src/load/nats/nats-connection.ts';
import { runFleet, type FleetRun } from '../../src/load/run-fleet.ts';
import type { ShardProgress } from '../../src/load/shard/shard-monitor.ts';
import { checkOpenFiles, openFileLimit } from '../../src/load/plan/open-files.ts';
import { sourceAddresses } from '../../src/load/plan/source-addresses.ts';
import { startWorker } from '../distributed/support/load-processes.ts';
import { loadOperation, loadStream, plainLoad } from '../support/load-scenario.ts';
import { NatsServer } from '../support/nats-server.ts';
import { machineLine } from './paired.ts';
import type { NullLinkSettings, Seen, SeenByAccount } from './servers/null-link-service.ts';

const { values } = parseArgs({
  options: {
    computers: { type: 'string', default: '30000' },
    rate: { type: 'string', default: '6000' },
  },
});
const computers = Number(values.computers);
const WORKERS = ['north', 'south', 'west'];
const SERVICE_PROCESSES = 3;
const PRINTERS = ['Labels', 'Laser'];
const HOLD_MS = 5_000;
const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;
/** What a computer takes at both of its ends, with room to spare. */
const BYTES_A_COMPUTER = 60 * KILOBYTE;
/** Which ports the system gives out; how many computers share an address stands in source-addresses.ts. */
const PORT_RANGE = '/proc/sys/net/ipv4/ip_local_port_range';

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

checkMachine();
const lasted = startStopwatch();
await using nats = await NatsServer.start();
await using service = await startService();
const workers = WORKERS.map((name) => startWorker(nats.url, name));
const connection = await connectNats({ url: nats.url }, 'bench');
let memory: readonly (readonly number[])[] = [];
let heard = 0;
try {
  for (const worker of workers) await worker.heard(/is waiting for runs/);
  const run: FleetRun = {
    scenario: plainLoad({
      title: 'A fleet at size',
      computers: [
        {
          template: {
            name: 'Shop',
            printers: [
              { profile: 'label-zebra-zpl', name: 'Labels' },
              { profile: 'laser-a4', name: 'Laser' },
            ],
          },
          count: computers,
          behaviour: 'steady',
        },
      ],
      accounts: WORKERS.length,
      connectRate: Number(values.rate),
      streams: [
        loadStream({
          operations: [loadOperation('ping')],
          arrivals: { kind: 'open', pacer: { kind: 'constant', rate: 10 } },
          forMs: HOLD_MS,
          accounts: { first: 0, last: WORKERS.length - 1 },
        }),
      ],
    }),
    seed: 1,
    target: { name: 'null link service', baseUrl: service.url, apiKey: 'all', link: { kind: 'websocket' } },
    permission: { allowedHosts: [], token: undefined },
    runId: `bench-${systemClock.now()}`,
    version: packageVersion(),
    workers: WORKERS.length,
    calibrates: false,
    tags: [],
    waitMs: 30_000,
  };
  const { parts } = await runFleet(run, {
    connection,
    clock: systemClock,
    leaseMs: 30_000,
    tell: say,
    onProgress(_, progress) {
      if ((progress as ShardProgress).phase !== 'running') return;
      heard++;
      memory = workers.map(({ pid }) => mostResident(pid));
    },
    drain: new AbortController().signal,
    stop: new AbortController().signal,
  });
  say(`${parts.length} of ${WORKERS.length} workers stored a record`);
} finally {
  await connection.close();
  await Promise.all(workers.map((worker) => worker.kill()));
}

say(machineLine());
say(`connected at once, as the service saw it: ${service.mostAtOnce} of ${computers}`);
for (const [account, { connected, firstMs, lastMs }] of Object.entries(service.atTheMost)) {
  const seconds = (lastMs - firstMs) / 1_000;
  say(
    `shard ${Number(account) + 1}: ${connected} computers in ${seconds.toFixed(1)} s, ${Math.round(connected / seconds)} a second`,
  );
}
for (const [index, [worker = 0, shard = 0]] of memory.entries()) {
  say(
    `worker ${WORKERS[index]}: at most ${mb(shard)} MB resident for its shard, ` +
      `${Math.round(shard / (computers / WORKERS.length))} bytes a computer, all of the process counted; ` +
      `${mb(worker)} MB for itself`,
  );
}
say(`${Math.round(lasted() / 1_000)} s in all`);
process.exitCode = service.mostAtOnce === computers && heard > 0 ? 0 : 1;

/** What stands in the way is better known before the first connection. */
function checkMachine(): void {
  const ofOne = Math.ceil(computers / Math.min(WORKERS.length, SERVICE_PROCESSES));
  checkOpenFiles(ofOne);
  const sources = sourceAddresses(computers, 'http://127.0.0.1').length;
  say(
    `${mb(freemem())} MB free, ${openFileLimit()} open files a process, ` +
      `ports ${readFileSync(PORT_RANGE, 'utf8').trim().replace(/\s+/, ' to ')} at each of ${sources} source addresses`,
  );
  if (freemem() < computers * BYTES_A_COMPUTER) {
    throw new Error(`${computers} computers need about ${mb(computers * BYTES_A_COMPUTER)} MB`);
  }
}

interface NullLinkService extends AsyncDisposable {
  readonly url: string;
  /** Most computers connected at the same time. */
  readonly mostAtOnce: number;
  readonly atTheMost: SeenByAccount;
}

async function startService(): Promise<NullLinkService> {
  const settings: NullLinkSettings = {
    processes: SERVICE_PROCESSES,
    computers,
    accounts: WORKERS.length,
    printers: PRINTERS,
  };
  const module = fileURLToPath(new URL('servers/null-link-service.ts', import.meta.url));
  const child = fork(module, [JSON.stringify(settings)]);
  let mostAtOnce = 0;
  let atTheMost: SeenByAccount = {};
  child.on('message', ({ seen }: { readonly seen?: SeenByAccount }) => {
    const now = Object.values(seen ?? {}).reduce((sum, { connected }: Seen) => sum + connected, 0);
    if (seen === undefined || now <= mostAtOnce) return;
    mostAtOnce = now;
    atTheMost = seen;
  });
  return {
    url: await urlOf(child),
    get mostAtOnce() {
      return mostAtOnce;
    },
    get atTheMost() {
      return atTheMost;
    },
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

async function urlOf(child: ChildProcess): Promise<string> {
  const limit = { description: 'the null link service', limit: '20s' };
  const [{ url }] = (await within(once(child, 'message'), limit)) as [{ readonly url: string }];
  return url;
}

/** The most bytes that were ever resident in a process, and in those that it started. */
function mostResident(pid: number): readonly number[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    const own = Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * KILOBYTE;
    return [own, ...children.flatMap((child) => mostResident(Number(child)))];
  } catch {
    return [];
  }
}

function mb(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(0);
}
