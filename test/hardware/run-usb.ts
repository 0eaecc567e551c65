/**
 * Scales on the USB bus, in figures: many on one server, what a Linux kernel reads of them, and what the checks of
 * scales say with a client program that reads them there.
 *
 *   npm run prove usb [-- --only many-scales|start|plug|slider|jitter|faults|client]
 *
 * Writes reports/baseline/usb.md when all of it was measured. Exits with 1 when a bar is missed.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { z } from 'zod';

import { sleep, systemClock } from '../../src/common/clock.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { within } from '../../src/common/waiter.ts';
import { REPORT_FAULTS } from '../../src/devices/scale/scale-faults.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { partsOf, UsbIpHost } from '../support/usb-ip-host.ts';
import { checkInGuest } from './client-in-guest.ts';
import { print, say, tableOf, type Figure } from './figures.ts';
import { GRAM, GuestRoom, outOfOrder, ReadReports, recordReports } from './guest-room.ts';
import { untilTrue } from './kernel-guest/kernel-guest.ts';
import { slide } from './slider-chain.ts';

const MANY_SCALES = 100;
const REPORTS_A_SECOND = 10;
const MEASURED_MS = 20_000;
const CORE_SHARE = 0.2;
const MANY_SCALES_MB = 60;
const costSchema = z.object({ coreShare: z.number(), grownMb: z.number(), keptMb: z.number() });
/** Those that need a scale, and their neighbours. */
const SCALE_CHECKS = '^(scales/|scale-data/|scale-retention/re|scale-websocket/|gaps/scale)';

const REPEAT_MS = 1_000 / REPORTS_A_SECOND;
const ATTACHED_S = 15;
const JITTER_MS = 20;
const JITTER_REPORTS = 600;
/** The scale swings for half a second of it. */
const SLIDER_S = 1;
/** Out of a thousand: 20 g to 7 kg. */
const SLIDER_POSITIONS = [129, 183, 26, 289, 100, 483, 224, 45, 365, 173];
const REPORTS_OF_A_FAULT = 1_000;
/** As often as a scale of this proof repeats itself: a thousand reports in a quarter of a minute. */
const FAST_REPEAT_MS = 15;
/** They end the reports, or are what the kernel hands to no reader: an unknown report id, or another length. */
const NOT_READ = ['unplug', 'stalled-endpoint', 'garbage-report', 'short-report', 'long-report'];
/** For a thousand reports, of which each takes 15 ms. */
const READ_LIMIT = '2m';

async function manyScales(): Promise<Figure[]> {
  const file = path.join(import.meta.dirname, 'scales-process.ts');
  const server = fork(file, [MANY_SCALES, REPEAT_MS].map(String), { execArgv: ['--expose-gc'] });
  const hears = async <T>(schema: z.ZodType<T>): Promise<T> => schema.parse((await once(server, 'message'))[0]);
  const hosts = await Promise.all(
    (await hears(z.array(z.string()))).map((uri) => {
      const { port, busId } = partsOf(uri);
      return UsbIpHost.attach(port, busId);
    }),
  );
  let read = 0;
  const over = new AbortController();
  const readers = hosts.map(async (host) => {
    while (!over.signal.aborted) {
      await host.read();
      read++;
    }
  });
  await sleep(systemClock, 2_000);
  const [readBefore, elapsedMs] = [read, startStopwatch()];
  server.send(MEASURED_MS);
  const { coreShare, grownMb, keptMb } = await hears(costSchema);
  const rate = ((read - readBefore) * 1_000) / elapsedMs();
  over.abort();
  await Promise.all(readers);
  for (const host of hosts) host[Symbol.dispose]();
  server.disconnect();
  const what = `of a process with ${MANY_SCALES} scales, each read ${REPORTS_A_SECOND} times a second`;
  return [
    {
      what: `share of a core ${what}`,
      bar: `${CORE_SHARE * 100} % at most`,
      found: `${Math.round(coreShare * 100)} % at ${Math.round(rate)} reports a second`,
      isMet: coreShare <= CORE_SHARE && rate >= 0.9 * MANY_SCALES * REPORTS_A_SECOND,
    },
    {
      what: `memory ${what}, more than before it had any: with garbage; objects alone`,
      bar: `${MANY_SCALES_MB} MB at most`,
      found: `${grownMb.toFixed(0)} MB; ${keptMb.toFixed(1)} MB`,
      isMet: grownMb <= MANY_SCALES_MB,
    },
  ];
}

/** Verdicts of what no scale on a bus can bring about, and of what is about the device link. */
const NOT_JUDGED: ReadonlySet<string> = new Set(['untestable', 'not-applicable']);

/** Checks of scales with a client program, by a kernel that can attach scales. */
async function throughClient(): Promise<Figure> {
  const { checks, leftAttached } = await checkInGuest(SCALE_CHECKS);
  const judged = checks.filter(({ verdict }) => !NOT_JUDGED.has(verdict));
  const other = judged.filter(({ verdict, overLink }) => verdict !== overLink);
  for (const { id, verdict, message, notes, overLink } of checks) {
    const isOther = verdict !== overLink;
    for (const why of isOther ? [message] : notes) print(`  ${id}: ${verdict}, over the link ${overLink}: ${why}`);
  }
  return {
    what: 'checks of scales with `platen client` in the guest whose verdict is another one than over the link, or that leave a scale attached',
    bar: '0',
    found: `${other.length} of ${judged.length}; ${checks.length - judged.length} cannot be caused by a scale on a bus`,
    isMet: judged.length > 0 && other.length === 0 && leftAttached === '',
  };
}

async function attachedFromStart(): Promise<Figure> {
  const elapsedMs = startStopwatch();
  await using room = await GuestRoom.open(REPEAT_MS);
  await room.attachScale('dymo-m25');
  const seconds = elapsedMs() / 1_000;
  return {
    what: 'seconds from the start of the guest until a scale is attached and has its node',
    bar: `${ATTACHED_S} at most`,
    found: seconds.toFixed(1),
    isMet: seconds <= ATTACHED_S,
  };
}

/** Reads as a program in the guest does, until there are enough. */
async function readUntil(
  room: GuestRoom,
  isEnough: (read: readonly string[]) => boolean,
  bytes: number,
): Promise<ReadReports> {
  const read = new ReadReports(bytes);
  await room.guest.stream(
    'cat /dev/hidraw0',
    (chunk) => read.take(chunk),
    async () => {
      while (!isEnough(read.reports)) await sleep(systemClock, REPEAT_MS);
    },
  );
  return read;
}

/** Between two reports, how far from the time that it should be: from the device through kernel and reader to here. */
async function jitter(): Promise<Figure> {
  await using room = await GuestRoom.open(REPEAT_MS);
  const scale = await room.attachScale('mettler-ps60');
  scale.load(5_000 * GRAM);
  const times: number[] = [];
  const elapsedMs = startStopwatch();
  await room.guest.stream(
    'cat /dev/hidraw0',
    () => void times.push(elapsedMs()),
    async () => {
      while (times.length < JITTER_REPORTS) await sleep(systemClock, REPEAT_MS);
    },
  );
  // The first come while the scale still swings.
  const off = times.slice(20).map((time, index) => Math.abs(time - (times[index + 19] ?? 0) - REPEAT_MS));
  const p99 = off.toSorted((a, b) => a - b)[Math.floor(off.length * 0.99)] ?? Infinity;
  return {
    what: `ms by which a report comes too early or late after the one before, p99 of ${off.length} at ${REPORTS_A_SECOND} a second`,
    bar: `${JITTER_MS} at most`,
    found: p99.toFixed(1),
    isMet: p99 <= JITTER_MS,
  };
}

async function bytesOfFaults(): Promise<Figure> {
  await using room = await GuestRoom.open(FAST_REPEAT_MS);
  const faults = REPORT_FAULTS.filter((fault) => !NOT_READ.includes(fault));
  let compared = 0;
  const wrong: string[] = [];
  for (const fault of faults) {
    const scale = await room.attachScale('dymo-m10');
    scale.load(500 * GRAM);
    const id = room.plan.add({ at: 'scale/dymo-m10', fault });
    const { sent, stop } = recordReports(scale);
    const { reports } = await within(
      readUntil(room, (read) => read.length >= REPORTS_OF_A_FAULT, scale.report.length),
      { description: `${REPORTS_OF_A_FAULT} reports of ${fault}`, limit: READ_LIMIT },
    );
    stop();
    room.plan.remove(id);
    scale.load(0);
    compared += reports.length;
    wrong.push(...outOfOrder(reports, sent).map((report) => `${fault}: ${report}`));
    await room.guest.detach();
  }
  return {
    what: `reports that a program in the guest read and the scale did not send then, ${REPORTS_OF_A_FAULT} or more of each of ${faults.length} faults`,
    bar: '0',
    found: `${wrong.length} of ${compared}${wrong.length > 0 ? `, ${wrong[0]}` : ''}`,
    isMet: wrong.length === 0,
  };
}

async function plugPulled(): Promise<Figure> {
  await using room = await GuestRoom.open(REPEAT_MS);
  const scale = await room.attachScale('dymo-m25');
  const goneMs = startStopwatch();
  scale.unplug();
  await room.guest.run(untilTrue('! [ -e /dev/hidraw0 ]'));
  const gone = goneMs() / 1_000;
  scale.plug();
  const backMs = startStopwatch();
  await room.attachScale('dymo-m25');
  const back = backMs() / 1_000;
  return {
    what: 'seconds until the node of a scale is gone after its plug is pulled, and there again as /dev/hidraw0 once it is attached',
    bar: '2 at most, each',
    found: `${gone.toFixed(1)}, ${back.toFixed(1)}`,
    isMet: gone <= 2 && back <= 2,
  };
}

async function sliderToApi(): Promise<Figure> {
  const seconds = await slide(SLIDER_POSITIONS);
  const worst = Math.max(...seconds);
  return {
    what: `seconds from moving the slider of a scale on the page until GET /computer/{id}/scales has the weight, through the kernel of the guest and platen client; the longest of ${seconds.length}`,
    bar: `${SLIDER_S} at most`,
    found: worst.toFixed(2),
    isMet: worst <= SLIDER_S,
  };
}

const MEASURES: Readonly<Record<string, () => Promise<Figure | Figure[]>>> = {
  'many-scales': manyScales,
  start: attachedFromStart,
  plug: plugPulled,
  slider: sliderToApi,
  jitter,
  faults: bytesOfFaults,
  client: throughClient,
};

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const load = ((loadavg()[0] ?? 0) / availableParallelism()).toFixed(1);
const figures: Figure[] = [];
for (const [name, measure] of Object.entries(MEASURES)) {
  if (values.only === undefined || values.only === name) figures.push(...[await measure()].flat().map(say));
}
if (values.only === undefined) {
  writeBaselinePage('usb.md', {
    title: 'Scales on the USB bus',
    command: 'npm run prove usb',
    about:
      'Many scales with their hosts in another process; the rest in a guest with the kernel of Debian, in QEMU without ' +
      `hardware support. Times are those of a machine on which ${load} programs wanted to run for each of its processors.`,
    ...tableOf(figures),
  });
}
process.exitCode = figures.length > 0 && figures.every(({ isMet }) => isMet) ? 0 : 1;
