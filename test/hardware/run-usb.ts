/**
 * Scales on the USB bus, in figures: many on one server, and what a Linux kernel reads of them.
 *
 *   npm run prove usb
 *
 * Writes reports/baseline/usb.md. Exits with 1 when a bar is missed.
 */

import { availableParallelism, loadavg } from 'node:os';

import { sleep, systemClock } from '../../src/common/clock.ts';
import { createRandom } from '../../src/common/random.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { within } from '../../src/common/waiter.ts';
import { Press } from '../../src/devices/press/press.ts';
import { AutoOff } from '../../src/devices/scale/auto-off.ts';
import { REPORT_FAULTS } from '../../src/devices/scale/scale-faults.ts';
import { SCALE_PROFILES } from '../../src/devices/scale/scale-profile.ts';
import { VirtualScale } from '../../src/devices/scale/scale.ts';
import { ExposedRoom } from '../../src/hardware/exposed-room.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { partsOf, UsbIpHost } from '../support/usb-ip-host.ts';
import { MB, say, tableOf, type Figure } from './figures.ts';
import { GRAM, GuestRoom, outOfOrder, ReadReports, recordReports } from './guest-room.ts';
import { untilTrue } from './kernel-guest/kernel-guest.ts';
import { slide } from './slider-chain.ts';

const MANY_SCALES = 100;
const REPORTS_A_SECOND = 10;
const MEASURED_MS = 20_000;
const CORE_SHARE = 0.2;
const MANY_SCALES_MB = 60;

const REPEAT_MS = 1_000 / REPORTS_A_SECOND;
const ATTACHED_S = 15;
const JITTER_MS = 20;
const JITTER_REPORTS = 600;
/** The scale swings for half a second of it. */
const SLIDER_S = 1;
/** Of a thousand: 20 g to 7 kg. */
const SLIDER_POSITIONS = [129, 183, 26, 289, 100, 483, 224, 45, 365, 173];
const REPORTS_OF_A_FAULT = 1_000;
/** As often as a scale of this proof repeats itself: a thousand reports in a quarter of a minute. */
const FAST_REPEAT_MS = 15;
/** They end the reports, or are what the kernel hands to no reader: an unknown report id, or another length. */
const NOT_READ = ['unplug', 'stalled-endpoint', 'garbage-report', 'short-report', 'long-report'];
/** For a thousand reports, of which each takes 15 ms. */
const READ_LIMIT = '2m';

async function manyScales(): Promise<Figure[]> {
  const beforeBytes = process.memoryUsage().rss;
  const profiles = SCALE_PROFILES.names();
  const options = { clock: systemClock, autoOff: new AutoOff(systemClock) };
  const owner = { random: createRandom(1), scalesChanged: () => undefined, scaleReported: () => undefined };
  const scales = Array.from({ length: MANY_SCALES }, (_, index) => {
    const profile = SCALE_PROFILES.load(profiles[index % profiles.length] ?? 'dymo-m25');
    const description = { profile, name: `Scale ${index + 1}`, autoOffMs: null, republishMs: REPEAT_MS };
    return new VirtualScale(index + 1, description, options, owner);
  });
  const press = new Press(systemClock);
  const computers = () => [{ name: 'DESK', printers: [], scales }];
  await using room = await ExposedRoom.open({ clock: systemClock, press, exposure: { usb: 0 }, computers });
  const hosts = await Promise.all(
    scales.map((scale) => {
      const { port, busId } = partsOf(room.addressesOf(scale)?.uris.usb);
      return UsbIpHost.attach(port, busId);
    }),
  );
  for (const scale of scales) scale.load(500 * GRAM);
  let read = 0;
  const over = new AbortController();
  const readers = hosts.map(async (host) => {
    while (!over.signal.aborted) {
      await host.read();
      read++;
    }
  });
  await sleep(systemClock, 2_000);
  const [readBefore, processor, elapsedMs] = [read, process.cpuUsage(), startStopwatch()];
  await sleep(systemClock, MEASURED_MS);
  const { user, system } = process.cpuUsage(processor);
  const share = (user + system) / 1_000 / elapsedMs();
  const rate = ((read - readBefore) * 1_000) / elapsedMs();
  const megabytes = Math.round((process.memoryUsage().rss - beforeBytes) / MB);
  over.abort();
  await Promise.all(readers);
  for (const host of hosts) host[Symbol.dispose]();
  for (const scale of scales) scale.close();
  await press.close();
  const what = `of ${MANY_SCALES} scales on one server, each read ${REPORTS_A_SECOND} times a second`;
  return [
    {
      what: `share of a core ${what}, hosts in the same process`,
      bar: `${CORE_SHARE * 100} % at most`,
      found: `${Math.round(share * 100)} % at ${Math.round(rate)} reports a second`,
      isMet: share <= CORE_SHARE && rate >= 0.9 * MANY_SCALES * REPORTS_A_SECOND,
    },
    {
      what: `memory ${what}`,
      bar: `${MANY_SCALES_MB} MB at most`,
      found: `${megabytes} MB`,
      isMet: megabytes <= MANY_SCALES_MB,
    },
  ];
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

const load = ((loadavg()[0] ?? 0) / availableParallelism()).toFixed(1);
const figures = (await manyScales()).map(say);
for (const measure of [attachedFromStart, plugPulled, sliderToApi, jitter, bytesOfFaults])
  figures.push(say(await measure()));
writeBaselinePage('usb.md', {
  title: 'Scales on the USB bus',
  command: 'npm run prove usb',
  about:
    'Many scales with a host in Node; the rest in a guest with the kernel of Debian, in QEMU without hardware support. ' +
    `Times are those of a machine on which ${load} programs wanted to run for each of its processors.`,
  ...tableOf(figures),
});
process.exitCode = figures.every(({ isMet }) => isMet) ? 0 : 1;
