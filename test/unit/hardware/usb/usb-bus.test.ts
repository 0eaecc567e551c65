import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { systemClock } from '../../../../src/common/clock.ts';
import { FaultPlan } from '../../../../src/common/fault-plan.ts';
import { createRandom } from '../../../../src/common/random.ts';
import { Press } from '../../../../src/devices/press/press.ts';
import { AutoOff } from '../../../../src/devices/scale/auto-off.ts';
import { REPORT_FAULTS } from '../../../../src/devices/scale/scale-faults.ts';
import { SCALE_PROFILES } from '../../../../src/devices/scale/scale-profile.ts';
import { VirtualScale } from '../../../../src/devices/scale/scale.ts';
import { ExposedRoom } from '../../../../src/hardware/exposed-room.ts';
import { PRINTER_PROFILES } from '../../../../src/devices/printer/printer-profile.ts';
import { MOST_DOCUMENT_BYTES } from '../../../../src/hardware/hardware-printer.ts';
import { UsbPrinter } from '../../../../src/hardware/usb/usb-printer.ts';
import { PrinterOnDesk } from '../../../support/hardware-printer.ts';
import { SERVER_PATH } from '../../../support/machine-parts.ts';
import { exchange } from '../../../support/peer.ts';
import { fixtureDocument } from '../../../support/print-room.ts';
import { expectParcelLabel, PARCEL_LABEL } from '../../../support/parcel-label.ts';
import { operation, partsOf, UsbIpHost } from '../../../support/usb-ip-host.ts';

const GRAM = 1_000_000;
const LIST = 0x8005;
const IMPORT = 0x8003;
const STALLED = -32;
const UNLINKED = -104;

/** The reports of a scale from now on, in hex. */
function shownBy(scale: VirtualScale): readonly string[] {
  const shown: string[] = [];
  scale.listen({
    scalesChanged: () => undefined,
    scaleReported: (_, report) => void shown.push(Buffer.from(report).toString('hex')),
  });
  return shown;
}

/** A room of one desk with its scales on a bus. */
class Bus {
  readonly plan = new FaultPlan(systemClock, createRandom('faults'));
  readonly scales: VirtualScale[] = [];
  readonly desk: PrinterOnDesk;
  #room: ExposedRoom | undefined;

  constructor(printer = 'label-zebra-zpl') {
    this.desk = new PrinterOnDesk(printer);
  }

  get room(): ExposedRoom {
    if (!this.#room) throw new Error('the bus is not open');
    return this.#room;
  }

  async open(...profiles: readonly string[]): Promise<this> {
    const options = { clock: systemClock, autoOff: new AutoOff(systemClock), faults: this.plan };
    const host = { random: createRandom(1), scalesChanged: () => undefined, scaleReported: () => undefined };
    for (const [index, name] of profiles.entries()) {
      const description = { profile: SCALE_PROFILES.load(name), autoOffMs: null, republishMs: 20 };
      this.scales.push(new VirtualScale(index + 1, description, options, host));
    }
    const computers = () => [{ name: 'DESK', printers: [this.desk.printer], scales: this.scales }];
    const press = new Press(systemClock);
    this.#room = await ExposedRoom.open({ clock: systemClock, press, exposure: { usb: 0 }, computers });
    return this;
  }

  addressOf(device: VirtualScale | PrinterOnDesk['printer']): { readonly port: number; readonly busId: string } {
    return partsOf(this.room.addressesOf(device)?.uris.usb);
  }

  get port(): number {
    return this.addressOf(this.desk.printer).port;
  }

  get scale(): VirtualScale {
    const [scale] = this.scales;
    if (!scale) throw new Error('there is no scale');
    return scale;
  }

  attach(device: VirtualScale | PrinterOnDesk['printer'] = this.scale): Promise<UsbIpHost> {
    const { port, busId } = this.addressOf(device);
    return UsbIpHost.attach(port, busId);
  }

  async close(): Promise<void> {
    await this.#room?.close();
    for (const scale of this.scales) scale.close();
    await this.desk[Symbol.asyncDispose]();
  }
}

let bus: Bus;
beforeEach(() => {
  bus = new Bus();
});
afterEach(() => bus.close());

describe('a USB bus', () => {
  it('lists what is plugged in, each with its ids and class', async () => {
    await bus.open('dymo-m25', 'dymo-s250');
    bus.scales[1]?.unplug();
    const list = await exchange(bus.port, operation(LIST));
    expect([list.readUInt16BE(0), list.readUInt16BE(2), list.readUInt32BE(4)]).toEqual([0x0111, 0x0005, 0]);
    expect(list.readUInt32BE(8)).toBe(2);
    const devices = [12, 12 + 316].map((at) => ({
      busId: list.toString('latin1', at + 256, at + 259),
      ids: [list.readUInt16BE(at + 300), list.readUInt16BE(at + 302)],
      interfaceClass: list[at + 312],
    }));
    expect(devices).toEqual([
      { busId: '1-1', ids: [0x1209, 1], interfaceClass: 7 },
      { busId: '1-2', ids: [0x0922, 0x8004], interfaceClass: 3 },
    ]);
  });

  it.each([
    ['an unknown bus id', operation(IMPORT, '9-9'), 4],
    ['another version', operation(IMPORT, '1-1', 0x0106), 1],
    ['an unknown operation', operation(0x8888), 1],
  ])('refuses %s', async (_, bytes, status) => {
    await bus.open('dymo-m25');
    expect((await exchange(bus.port, bytes)).readUInt32BE(4)).toBe(status);
  });

  it('gives a device to one host at a time, and to the next once it is free', async () => {
    await bus.open('dymo-m25');
    const first = await bus.attach();
    await expect(bus.attach()).rejects.toThrow('status 2');
    first[Symbol.dispose]();
    await expect.poll(() => bus.attach().then((host) => host[Symbol.dispose](), String)).toBeUndefined();
  });

  it('keeps the place of a scale when another takes it', async () => {
    await bus.open('dymo-m25');
    const before = bus.addressOf(bus.scale);
    bus.scale.close();
    const options = { clock: systemClock, autoOff: new AutoOff(systemClock) };
    const host = { random: createRandom(1), scalesChanged: () => undefined, scaleReported: () => undefined };
    bus.scales[0] = new VirtualScale(1, { profile: SCALE_PROFILES.load('dymo-m25') }, options, host);
    await bus.room.refresh();
    expect(bus.addressOf(bus.scale)).toEqual(before);
  });
});

describe('the program of Debian', { tags: ['usbip'] }, () => {
  it('lists each device and says what it is', async () => {
    await bus.open(...SCALE_PROFILES.names());
    const { stdout } = await promisify(execFile)('usbip', ['--tcp-port', String(bus.port), 'list', '-r', '127.0.0.1'], {
      env: { ...process.env, PATH: SERVER_PATH },
    });
    const listed = [...stdout.matchAll(/^ +1-(\d+): .*\(([0-9a-f]{4}:[0-9a-f]{4})\)$/gm)].map(([, , ids]) => ids);
    const scales = SCALE_PROFILES.names().map((name) => SCALE_PROFILES.load(name));
    expect(listed).toEqual(['1209:0001', ...scales.map((one) => `${hex(one.vendorId)}:${hex(one.productId)}`)]);
    expect(stdout.match(/Human Interface Device/g)).toHaveLength(scales.length);
    expect(stdout).toMatch(/Printer \/ Printer \/ Bidirectional \(07\/01\/02\)/);
  });
});

describe('a scale on the bus', () => {
  it.each(SCALE_PROFILES.names())('enumerates as itself: %s', async (name) => {
    await bus.open(name);
    const profile = SCALE_PROFILES.load(name);
    using host = await bus.attach();
    const device = (await host.controlIn(0x80, 6, 0x0100, 18)).data;
    expect([device.readUInt16LE(8), device.readUInt16LE(10)]).toEqual([profile.vendorId, profile.productId]);
    const configuration = (await host.controlIn(0x80, 6, 0x0200, 255)).data;
    expect([configuration.length, configuration.readUInt16LE(2)]).toEqual([34, 34]);
    const strings = [];
    for (const index of [1, 2, 3]) strings.push((await host.controlIn(0x80, 6, 0x0300 | index, 255)).data);
    expect(strings.map((text) => text.toString('utf16le', 2))).toEqual([
      profile.vendor,
      profile.product,
      expect.stringMatching(/^[0-9A-F]{13}$/),
    ]);
    const reports = (await host.controlIn(0x81, 6, 0x2200, 255)).data;
    expect(reports.length).toBe(configuration.readUInt16LE(25));
    expect(reports.includes(Buffer.of(0x85, profile.reportId))).toBe(true);
  });

  it('sends its reports to the byte, and repeats the last one while it is idle', async () => {
    await bus.open('dymo-m25');
    using host = await bus.attach();
    const idle = await host.read();
    expect(idle.data).toEqual(Buffer.from(bus.scale.report));
    const shown = shownBy(bus.scale);
    bus.scale.load(500 * GRAM);
    const read: string[] = [];
    while (read.filter((report) => report === shown.at(-1)).length < 3) {
      read.push((await host.read()).data.toString('hex'));
    }
    expect(read.filter((report) => report !== idle.data.toString('hex'))).toEqual(shown.slice(0, read.length));
  });

  // These two end the reports; what they do is shown below.
  it.each(REPORT_FAULTS.filter((fault) => fault !== 'unplug' && fault !== 'stalled-endpoint'))(
    'sends the bytes of %s as its computer gets them',
    async (fault) => {
      await bus.open('dymo-m25');
      bus.plan.add({ at: 'scale/*', fault, after: 5 });
      using host = await bus.attach();
      const shown = shownBy(bus.scale);
      bus.scale.load(500 * GRAM);
      const read: string[] = [];
      while (read.length < 30) read.push((await host.read()).data.toString('hex'));
      const first = read.indexOf(shown[0] ?? '');
      expect(read.slice(first)).toEqual(shown.slice(0, read.length - first));
    },
  );

  // A program that reads one report at a time gets an old one: https://github.com/qzind/tray/issues/81
  it('has old reports for a host that did not read, and the weight of now for one that reads on', async () => {
    await bus.open('dymo-m25');
    using host = await bus.attach();
    await host.read();
    const onItsWay = host.submit(1, true, 64).answer;
    bus.scale.load(500 * GRAM);
    await expect.poll(() => bus.scale.moving).toBe(false);
    const settled = Buffer.from(bus.scale.report);
    expect((await onItsWay).data).not.toEqual(settled);
    await expect.poll(async () => (await host.read()).data.toString('hex')).toBe(settled.toString('hex'));
  });

  it.each([
    ['an output report', 0x0202],
    ['a feature report', 0x0302],
  ])('is zeroed by %s', async (_, value) => {
    await bus.open('dymo-m25');
    using host = await bus.attach();
    bus.scale.load(500 * GRAM);
    await expect.poll(async () => (await host.read()).data.readUInt16LE(4)).toBeGreaterThan(100);
    expect((await host.controlOut(0x21, 9, value, 0, Buffer.of(2, 1))).status).toBe(0);
    await expect.poll(async () => (await host.read()).data.readUInt16LE(4)).toBe(0);
    expect((await host.controlOut(0x21, 9, 0x0207, 0, Buffer.of(7, 1))).status).toBe(STALLED);
  });

  it('leaves its host in the middle of a transfer when its plug is pulled', async () => {
    await bus.open('dymo-m25');
    using host = await bus.attach();
    bus.scale.unplug();
    await host.closed;
    await expect(bus.attach()).rejects.toThrow('status 4');
    bus.scale.plug();
    using again = await bus.attach();
    expect((await again.read()).status).toBe(0);
  });

  it('halts its endpoint until the host clears it', async () => {
    await bus.open('dymo-m25');
    bus.plan.add({ at: 'scale/*', fault: 'stalled-endpoint', times: 1 });
    using host = await bus.attach();
    bus.scale.load(500 * GRAM);
    await expect.poll(async () => (await host.read()).status).toBe(STALLED);
    expect((await host.read()).status).toBe(STALLED);
    await host.controlOut(0x02, 1, 0, 0x81, Buffer.alloc(0));
    expect((await host.read()).status).toBe(0);
  });

  it('answers slowly about itself, with the fault for it', async () => {
    await bus.open('dymo-m25');
    bus.plan.add({ at: 'scale/*', fault: 'slow-enumeration', times: 1, with: { delay: '200ms' } });
    using host = await bus.attach();
    const beganMs = systemClock.now();
    expect((await host.controlIn(0x80, 6, 0x0100, 18)).data).toHaveLength(18);
    expect(systemClock.now() - beganMs).toBeGreaterThanOrEqual(190);
  });

  it('lets a transfer be taken back, once', async () => {
    await bus.open('dymo-m25');
    using host = await bus.attach();
    await host.read();
    const { sequence, answer } = host.submit(1, true, 64);
    expect(await host.unlink(sequence)).toBe(UNLINKED);
    expect((await answer).status).toBe(UNLINKED);
    expect(await host.unlink(sequence)).toBe(0);
    expect((await host.read()).status).toBe(0);
  });

  it.each([
    ['an unknown command', (host: UsbIpHost) => host.header(9, 1, true, 1)],
    ['a transfer of 2 GB', (host: UsbIpHost) => withLength(host.header(1, 1, false, 1), 0x7fff_ffff)],
    ['isochronous packets', (host: UsbIpHost) => withPackets(host.header(1, 1, true, 1), 3)],
  ])('ends the connection of a host that sends %s, and still weighs', async (_, bytes) => {
    await bus.open('dymo-m25');
    const host = await bus.attach();
    host.socket.write(bytes(host));
    await host.closed;
    using again = await bus.attach();
    expect((await again.read()).data).toEqual(Buffer.from(bus.scale.report));
  });

  it('drops a host that asks and never reads', async () => {
    await bus.open('dymo-m25');
    const host = await bus.attach();
    host.socket.pause();
    const head = withLength(host.header(1, 1, true, 0), 255);
    head.set([0x80, 6, 0, 2, 0, 0, 255, 0], 40);
    const many = Buffer.concat(Array.from({ length: 5_000 }, () => head));
    while (!host.socket.destroyed) {
      host.socket.write(many);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expect.poll(() => bus.attach().then((again) => again[Symbol.dispose](), String)).toBeUndefined();
  });

  it('is not kept by a host that has said nothing', async () => {
    await bus.open('dymo-m25');
    const silent = connect(bus.port, '127.0.0.1');
    await once(silent, 'connect');
    using host = await bus.attach();
    expect((await host.read()).status).toBe(0);
    silent.destroy();
  });
});

describe('a printer on the bus', () => {
  it.each(PRINTER_PROFILES.names())('enumerates as itself: %s', async (name) => {
    await bus.close();
    bus = await new Bus(name).open();
    // Some are off from the beginning.
    bus.desk.printer.clear();
    const { description, kind } = PRINTER_PROFILES.load(name);
    using host = await bus.attach(bus.desk.printer);
    const device = (await host.controlIn(0x80, 6, 0x0100, 18)).data;
    expect([device.readUInt16LE(8), device.readUInt16LE(10)]).toEqual([0x1209, 1]);
    const configuration = (await host.controlIn(0x80, 6, 0x0200, 255)).data;
    expect([configuration.length, configuration.readUInt16LE(2)]).toEqual([32, 32]);
    const strings = [];
    for (const index of [1, 2, 3]) strings.push((await host.controlIn(0x80, 6, 0x0300 | index, 255)).data);
    const [maker, model, serial] = strings.map((text) => text.toString('utf16le', 2));
    expect(serial).toMatch(/^[0-9A-F]{13}$/);
    const id = (await host.controlIn(0xa1, 0, 0, 1_023)).data;
    expect(id.readUInt16BE(0)).toBe(id.length);
    const language = { label: 'ZPL', receipt: 'ESCPOS' }[kind as string] ?? 'PDF';
    expect(id.toString('latin1', 2)).toBe(`MFG:${maker};MDL:${model};CLS:PRINTER;CMD:${language};`);
    const plain = description.replaceAll(/[^\x20-\x7e]/g, '').match(/[^\s;:,]+/g) ?? ['Printer'];
    expect(`${maker} ${model}`.split(' ').slice(0, plain.length)).toEqual(plain);
  });

  it('prints what is written to it as one job, after a pause', async () => {
    await bus.open();
    const label = fixtureDocument('zpl-label.zpl');
    using host = await bus.attach(bus.desk.printer);
    const printed = bus.desk.printed();
    await host.write(1, label.subarray(0, 64));
    await host.write(1, label.subarray(64));
    const printout = await printed;
    expect(printout).toMatchObject({ kind: 'raw', origin: { protocol: 'usb', id: 1 } });
    expect(printout.kind === 'raw' && Buffer.compare(printout.bytes, label)).toBe(0);
  });

  it('shows a label that is written to it as a picture', async () => {
    await bus.open();
    using host = await bus.attach(bus.desk.printer);
    const printed = bus.desk.printed();
    await host.write(1, Buffer.from(PARCEL_LABEL));
    const printout = await printed;
    expect(printout.complete).toBe(true);
    await expectParcelLabel(printout);
  });

  it('leaves the bus instead of printing the beginning of a job that is too long', async () => {
    let isOnBus = true;
    const host = { deliver: () => undefined, stall: () => undefined, unplug: () => void (isOnBus = false) };
    const connection = new UsbPrinter(bus.desk.hardware, '1').connect(host);
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    for (let written = 0; written < MOST_DOCUMENT_BYTES; written += megabyte.length) connection.out(1, megabyte);
    expect(isOnBus).toBe(true);
    connection.out(1, megabyte);
    expect(isOnBus).toBe(false);
    connection.close();
    expect(bus.desk.hardware.waiting).toBe(0);
    expect(bus.desk.printer.printouts()).toEqual([]);
  });

  it('says its state, and answers status requests', async () => {
    await bus.open();
    using host = await bus.attach(bus.desk.printer);
    expect((await host.controlIn(0xa1, 1, 0, 1)).data).toEqual(Buffer.of(0x18));
    bus.desk.printer.fail('media-empty');
    expect((await host.controlIn(0xa1, 1, 0, 1)).data).toEqual(Buffer.of(0x30));
    await host.write(1, Buffer.from('~HS'));
    expect((await host.read(2)).data.toString('latin1')).toContain('\x02030,1');
  });

  it.each(['offline', 'shutdown'])('is gone while it has %s', async (fault) => {
    await bus.open();
    const host = await bus.attach(bus.desk.printer);
    bus.desk.printer.fail(fault);
    host.submit(1, false, 4, Buffer.alloc(8), Buffer.from('^XA^')).answer.catch(() => undefined);
    await host.closed;
    await expect(bus.attach(bus.desk.printer)).rejects.toThrow('status 4');
  });
});

function hex(id: number): string {
  return id.toString(16).padStart(4, '0');
}

function withLength(head: Buffer, length: number): Buffer {
  head.writeUInt32BE(length, 24);
  return head;
}

function withPackets(head: Buffer, packets: number): Buffer {
  head.writeUInt32BE(packets, 32);
  return head;
}
