/**
 * HID scales: weighing scales that Linux shows as /dev/hidraw*. Whether a device is one shows in its first report.
 *
 * They are read without waiting: a read that waits for a report keeps a thread of the process, and its end, until one
 * comes.
 */

import { closeSync, constants, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';

import { sleep, systemClock } from '../common/clock.ts';
import { decodeWeighingReport } from '../devices/scale/hid-report.ts';
import { readingOf, type WeighingReading } from '../devices/scale/weighing-reading.ts';
import type { LinkSession } from '../link/device-link.ts';
import type { ScaleReport } from '../link/messages.ts';

interface Device {
  readonly fd: number;
  readonly scale: ScaleReport;
  /** A keyboard, say: it is not read. */
  isOther: boolean;
  /** Undefined until it has reported a weight. */
  weight?: WeighingReading;
  sent: string;
  sentMs: number;
}

const LOOK_EVERY_MS = 100;
/** A service keeps a reading for 45 seconds. */
const REPEAT_MS = 15_000;
/** No report of HID at full speed is longer. */
const REPORT_BYTES = 64;
/** What a display shows beside the report is not known. */
const NO_DISPLAY = { division: null, twoPart: false };

export class HidScales {
  readonly #folder: string;
  readonly #devices = new Map<string, Device>();
  #listed = '[]';

  /** @param folder - of the devices, such as /dev */
  constructor(folder: string) {
    this.#folder = folder;
  }

  list(): readonly ScaleReport[] {
    return [...this.#devices.values()].filter(({ weight }) => weight).map(({ scale }) => scale);
  }

  /** Until the signal aborts, whenever there is a connection. */
  async publish(session: () => LinkSession | undefined, over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const open = session();
      if (open?.connected) this.#look(open);
      await sleep(systemClock, LOOK_EVERY_MS);
    }
  }

  /** Reads what has come, and reports scales that came or went and weights that changed. */
  #look(session: LinkSession): void {
    const names = existsSync(this.#folder) ? readdirSync(this.#folder) : [];
    const present = new Set(names.filter((name) => /^hidraw\d+$/.test(name)));
    for (const name of present) if (!this.#devices.has(name)) this.#open(name);
    for (const [name, device] of this.#devices) {
      if (present.has(name) && isRead(device)) continue;
      closeSync(device.fd);
      this.#devices.delete(name);
    }
    const listed = JSON.stringify(this.list());
    if (listed !== this.#listed) session.reportScales(this.list()).catch(() => undefined);
    this.#listed = listed;
    for (const device of this.#devices.values()) publish(device, session);
  }

  /** One that this user may not read is tried again at the next look. */
  #open(name: string): void {
    try {
      const fd = openSync(path.join(this.#folder, name), constants.O_RDONLY | constants.O_NONBLOCK);
      this.#devices.set(name, { fd, scale: describe(name), isOther: false, sent: '', sentMs: 0 });
    } catch {
      return;
    }
  }
}

/** Takes the reports that are there; false when the device is gone. */
function isRead(device: Device): boolean {
  const bytes = Buffer.alloc(REPORT_BYTES);
  try {
    while (!device.isOther) {
      const length = readSync(device.fd, bytes);
      if (length === 0) return true;
      const report = decodeWeighingReport(bytes.subarray(0, length));
      if (report.ok) device.weight = readingOf(report.value, NO_DISPLAY);
      device.isOther = device.weight === undefined;
    }
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
  }
}

function publish(device: Device, session: LinkSession): void {
  const { weight, scale } = device;
  const nowMs = systemClock.now();
  const sent = JSON.stringify(weight);
  if (!weight || (sent === device.sent && nowMs - device.sentMs < REPEAT_MS)) return;
  Object.assign(device, { sent, sentMs: nowMs });
  const { mass, measurement } = weight;
  const clientReportedCreateTimestamp = new Date(nowMs).toISOString();
  session
    .publishReading({ scaleKey: scale.key, mass, measurement, clientReportedCreateTimestamp })
    .catch(() => undefined);
}

/** What the kernel says of it: `HID_ID=0003:00000922:00008003`, `HID_NAME=DYMO M10`. */
function describe(name: string): ScaleReport {
  const file = `/sys/class/hidraw/${name}/device/uevent`;
  const said = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const [, vendor = '0', id = '0'] = /^HID_ID=\w+:(\w+):(\w+)$/m.exec(said) ?? [];
  const [, product = name] = /^HID_NAME=(.+)$/m.exec(said) ?? [];
  const [, port = name] = /^HID_PHYS=(.+)$/m.exec(said) ?? [];
  const ids = { vendorId: Number.parseInt(vendor, 16), productId: Number.parseInt(id, 16) };
  return { key: port, deviceName: product, vendor: null, product, ...ids, port };
}
