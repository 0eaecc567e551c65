/**
 * HID scales: weighing scales that Linux shows as /dev/hidraw*. Whether a device is one shows in its first report.
 */

import { createReadStream, existsSync, readdirSync, readFileSync, type ReadStream } from 'node:fs';
import path from 'node:path';

import { systemClock } from '../common/clock.ts';
import { decodeWeighingReport } from '../devices/scale/hid-report.ts';
import { readingOf } from '../devices/scale/weighing-reading.ts';
import type { LinkSession, ReadingReport } from '../link/device-link.ts';
import type { ScaleReport } from '../link/messages.ts';

interface Device {
  readonly stream: ReadStream;
  readonly scale: ScaleReport;
  /** Undefined until it has reported a weight. */
  weight?: Pick<ReadingReport, 'mass' | 'measurement'>;
  sent: string;
  sentMs: number;
}

/** A service keeps a reading for 45 seconds. */
const REPEAT_MS = 15_000;
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

  /** Opens devices that are new, and reports scales that came or went and weights that changed. */
  reportTo(session: LinkSession): void {
    const present = readdirSync(this.#folder).filter((name) => /^hidraw\d+$/.test(name));
    for (const name of present) if (!this.#devices.has(name)) this.#open(name);
    const listed = JSON.stringify(this.list());
    if (listed !== this.#listed) session.reportScales(this.list()).catch(() => undefined);
    this.#listed = listed;
    for (const device of this.#devices.values()) publish(device, session);
  }

  close(): void {
    for (const { stream } of this.#devices.values()) stream.destroy();
  }

  #open(name: string): void {
    const stream = createReadStream(path.join(this.#folder, name));
    const device: Device = { stream, scale: describe(name), sent: '', sentMs: 0 };
    this.#devices.set(name, device);
    stream.on('data', (bytes) => {
      const report = decodeWeighingReport(Buffer.from(bytes));
      if (report.ok) device.weight = readingOf(report.value, NO_DISPLAY);
      // A keyboard, say: the rest of it is not read.
      else if (!device.weight) stream.pause();
    });
    // Unplugged, or not to be read by this user: looked at again, as another may come under the name.
    for (const event of ['error', 'end'] as const) stream.on(event, () => this.#devices.delete(name));
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
