/**
 * USB scale: a virtual scale as a HID device (HID 1.11; HID Point of Sale Usage Tables 1.02, Weighing Devices).
 *
 *   report of the scale ─► interrupt endpoint 1 ─► /dev/hidraw0
 *   output report 2 ◄─ a program: zero the scale
 *
 * The bytes are those that the scale makes, faults included. Like a real one it repeats its last report while
 * nothing changes, so that a program that begins to read learns at once what lies on it.
 */

import type { Clock } from '../../common/clock.ts';
import type { VirtualScale } from '../../devices/scale/scale.ts';
import {
  NO_DATA,
  type UsbConnection,
  type UsbDescription,
  type UsbDevice,
  type UsbHost,
  type UsbSetup,
} from './usb-device.ts';

const HID = { class: 3, descriptor: 0x21, reportDescriptor: 0x22 } as const;
/** Type and request: what a host asks of a HID interface. */
const REQUEST = {
  getDescriptor: 0x81_06,
  getReport: 0xa1_01,
  getIdle: 0xa1_02,
  getProtocol: 0xa1_03,
  setReport: 0x21_09,
  setIdle: 0x21_0a,
  setProtocol: 0x21_0b,
} as const;
const REPORT_ENDPOINT = 1;
const REPORT_PACKET_BYTES = 8;
const POLL_MS = 16;
const REPEAT_MS = 100;
/** Output report: bit 0 zeroes the scale, bit 1 returns it to zero by force. */
const CONTROL_REPORT = 2;
const ZERO_BITS = 0x03;

export class UsbScale implements UsbDevice {
  readonly description: UsbDescription;
  readonly #scale: VirtualScale;
  readonly #clock: Clock;
  readonly #reportDescriptor: Buffer;

  /** @param serial - distinguishes it from others of its model */
  constructor(scale: VirtualScale, serial: string, clock: Clock) {
    this.#scale = scale;
    this.#clock = clock;
    this.#reportDescriptor = reportDescriptor(scale.reportId);
    const { vendorId, productId, vendor, product } = scale.listing();
    const { length } = this.#reportDescriptor;
    this.description = {
      vendorId,
      productId,
      manufacturer: vendor ?? '',
      product: product ?? '',
      serial,
      interfaceClass: HID.class,
      interfaceSubclass: 0,
      interfaceProtocol: 0,
      classDescriptor: Buffer.from([
        9,
        HID.descriptor,
        0x11,
        0x01,
        0,
        1,
        HID.reportDescriptor,
        length & 0xff,
        length >> 8,
      ]),
      endpoints: [
        {
          number: REPORT_ENDPOINT,
          direction: 'in',
          kind: 'interrupt',
          packetBytes: REPORT_PACKET_BYTES,
          intervalMs: POLL_MS,
        },
      ],
    };
  }

  get isPlugged(): boolean {
    return this.#scale.attached;
  }

  connect(host: UsbHost): UsbConnection {
    const scale = this.#scale;
    const controlDelayMs = scale.enumerationDelayMs();
    let saidSince = false;
    const stop = scale.listen({
      scalesChanged: () => {
        if (!scale.attached) host.unplug();
      },
      scaleReported: (_, report) => {
        saidSince = true;
        host.deliver(REPORT_ENDPOINT, report);
      },
      endpointStalled: () => host.stall(REPORT_ENDPOINT),
    });
    const repeating = this.#clock.beat(REPEAT_MS, () => {
      if (!saidSince && !scale.moving) host.deliver(REPORT_ENDPOINT, scale.report);
      saidSince = false;
    });
    return {
      controlDelayMs,
      control: (setup, data) => this.#control(setup, data),
      out: () => undefined,
      close: () => {
        stop();
        repeating.cancel();
      },
    };
  }

  #control({ requestType, request, value, length }: UsbSetup, data: Uint8Array): Uint8Array | undefined {
    switch ((requestType << 8) | request) {
      case REQUEST.getDescriptor:
        if (value >> 8 === HID.descriptor) return this.description.classDescriptor.subarray(0, length);
        return value >> 8 === HID.reportDescriptor ? this.#reportDescriptor.subarray(0, length) : undefined;
      case REQUEST.getReport:
        return (value & 0xff) === this.#scale.reportId ? this.#scale.report : undefined;
      case REQUEST.setReport:
        return this.#setReport(data);
      case REQUEST.getIdle:
      case REQUEST.getProtocol:
        return Uint8Array.of(0);
      case REQUEST.setIdle:
      case REQUEST.setProtocol:
        return NO_DATA;
      default:
        return undefined;
    }
  }

  #setReport([id, bits = 0]: Uint8Array): Uint8Array | undefined {
    if (id !== CONTROL_REPORT) return undefined;
    if ((bits & ZERO_BITS) !== 0) this.#scale.press('zero');
    return NO_DATA;
  }
}

/**
 * What the bytes of the reports mean: the control report, and the data report of status, unit, exponent, weight.
 *
 * @param reportId - of the data report
 */
function reportDescriptor(reportId: number): Buffer {
  const bytes = [
    [0x05, 0x8d, 0x09, 0x20, 0xa1, 0x01], // weighing devices: scale, application
    [0x09, 0x31, 0xa1, 0x02, 0x85, CONTROL_REPORT], // control report
    [0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x02], // two bits,
    [0x09, 0x80, 0x09, 0x81, 0x91, 0x02], // zero and enforced zero return, output,
    [0x75, 0x06, 0x95, 0x01, 0x91, 0x03, 0xc0], // and six of padding
    [0x09, 0x32, 0xa1, 0x02, 0x85, reportId], // data report
    [0x75, 0x08, 0x95, 0x01], // of one byte each:
    [0x09, 0x70, 0xa1, 0x02, 0x15, 0x01, 0x25, 0x08], // status, 1 to 8,
    [0x19, 0x71, 0x29, 0x78, 0x81, 0x00, 0xc0], // input, one of the list
    [0x09, 0x50, 0xa1, 0x02, 0x15, 0x01, 0x25, 0x0c], // unit, 1 to 12,
    [0x19, 0x51, 0x29, 0x5c, 0x81, 0x00, 0xc0], // input, one of the list
    [0x09, 0x41, 0x15, 0x80, 0x25, 0x7f, 0x81, 0x02], // exponent, input
    [0x09, 0x40, 0x15, 0x00, 0x27, 0xff, 0xff, 0x00, 0x00, 0x75, 0x10, 0x81, 0x02], // weight, 16 bits, input
    [0xc0, 0xc0],
  ];
  return Buffer.from(bytes.flat());
}
