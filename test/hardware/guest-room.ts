/**
 * A guest with a room on its bus: every scale profile and a label printer.
 */

import { systemClock } from '../../src/common/clock.ts';
import { FaultPlan } from '../../src/common/fault-plan.ts';
import { createRandom } from '../../src/common/random.ts';
import { Press } from '../../src/devices/press/press.ts';
import { AutoOff } from '../../src/devices/scale/auto-off.ts';
import { SCALE_PROFILES } from '../../src/devices/scale/scale-profile.ts';
import { VirtualScale } from '../../src/devices/scale/scale.ts';
import { ExposedRoom } from '../../src/hardware/exposed-room.ts';
import { PrinterOnDesk } from '../support/hardware-printer.ts';
import { KernelGuest } from './kernel-guest/kernel-guest.ts';

export const GRAM = 1_000_000;

export class GuestRoom {
  readonly plan: FaultPlan;
  readonly desk: PrinterOnDesk;
  readonly guest: KernelGuest;
  readonly #scales: readonly VirtualScale[];
  readonly #room: ExposedRoom;
  readonly #press: Press;

  private constructor(
    parts: Pick<GuestRoom, 'plan' | 'desk' | 'guest'>,
    scales: readonly VirtualScale[],
    room: ExposedRoom,
    press: Press,
  ) {
    this.plan = parts.plan;
    this.desk = parts.desk;
    this.guest = parts.guest;
    this.#scales = scales;
    this.#room = room;
    this.#press = press;
  }

  /** @param republishMs - how often a scale repeats its reading */
  static async open(republishMs: number): Promise<GuestRoom> {
    const guest = await KernelGuest.start();
    const plan = new FaultPlan(systemClock, createRandom('faults'));
    const desk = new PrinterOnDesk('label-zebra-zpl');
    const press = new Press(systemClock);
    const options = { clock: systemClock, autoOff: new AutoOff(systemClock), faults: plan };
    const host = { random: createRandom(1), scalesChanged: () => undefined, scaleReported: () => undefined };
    const scales = SCALE_PROFILES.names().map((name, index) => {
      const description = { profile: SCALE_PROFILES.load(name), as: name, autoOffMs: null, republishMs };
      return new VirtualScale(index + 1, description, options, host);
    });
    const computers = () => [{ name: 'DESK', printers: [desk.printer], scales }];
    const room = await ExposedRoom.open({ clock: systemClock, press, exposure: { usb: 0 }, computers });
    return new GuestRoom({ plan, desk, guest }, scales, room, press);
  }

  scale(profile: string): VirtualScale {
    const scale = this.#scales[SCALE_PROFILES.names().indexOf(profile)];
    if (!scale) throw new Error(`there is no scale ${profile}`);
    return scale;
  }

  async attachScale(profile: string): Promise<VirtualScale> {
    const scale = this.scale(profile);
    await this.guest.attach(this.#room.addressesOf(scale)?.uris.usb, '/dev/hidraw0');
    return scale;
  }

  async attachPrinter(): Promise<void> {
    await this.guest.attach(this.#room.addressesOf(this.desk.printer)?.uris.usb, '/dev/usb/lp0');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.guest[Symbol.asyncDispose]();
    await this.#room.close();
    for (const scale of this.#scales) scale.close();
    await this.#press.close();
    await this.desk[Symbol.asyncDispose]();
  }
}

/** What a scale sends from now on, in hexadecimal, until `stop`. */
export function recordReports(scale: VirtualScale): { readonly sent: readonly string[]; readonly stop: () => void } {
  const sent: string[] = [];
  const stop = scale.listen({
    scalesChanged: () => undefined,
    scaleReported: (_, report) => void sent.push(Buffer.from(report).toString('hex')),
  });
  return { sent, stop };
}

/** Splits what came from `/dev/hidraw0` into reports, in hexadecimal. */
export class ReadReports {
  readonly reports: string[] = [];
  readonly #bytes: number;
  #rest = Buffer.alloc(0);

  /** @param bytes - of a report */
  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  take(chunk: Buffer): void {
    let rest = Buffer.concat([this.#rest, chunk]);
    while (rest.length >= this.#bytes) {
      this.reports.push(rest.toString('hex', 0, this.#bytes));
      rest = rest.subarray(this.#bytes);
    }
    this.#rest = rest;
  }
}

/** The reports that were read in another order than they were sent; repeated ones count once. */
export function outOfOrder(read: readonly string[], sent: readonly string[]): readonly string[] {
  let next = 0;
  return read.filter(isOther).filter((report) => {
    const at = sent.indexOf(report, next);
    if (at !== -1) next = at + 1;
    return at === -1;
  });
}

function isOther(report: string, index: number, all: readonly string[]): boolean {
  return report !== all[index - 1];
}
