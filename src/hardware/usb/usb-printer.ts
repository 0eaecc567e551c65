/**
 * USB printer: a virtual printer as a device of the printer class (USB Printer Class 1.1), bidirectional.
 *
 *   /dev/usb/lp0 ─► bulk endpoint 1 ─► bytes … ─► a pause ─► one raw job ─► paper path ─► sheets
 *                ◄─ bulk endpoint 2 ◄─ answers to status requests among the bytes
 *
 * The bus has no notion of a job: bytes without a pause are one. A job that is too long is not printed: the printer
 * leaves the bus, as nothing else on it informs the host.
 */

import type { PrinterProfile } from '../../devices/printer/printer-profile.ts';
import { deviceId, modelOf } from '../device-id.ts';
import { hasAny, NO_PAPER } from '../fault-groups.ts';
import { MOST_DOCUMENT_BYTES, type HardwarePrinter } from '../hardware-printer.ts';
import { JobBytes } from '../job-bytes.ts';
import { StatusRequests } from '../raw/status-requests.ts';
import {
  NO_DATA,
  type UsbConnection,
  type UsbDescription,
  type UsbDevice,
  type UsbHost,
  type UsbSetup,
} from './usb-device.ts';

const PRINTER = { class: 7, subclass: 1, bidirectional: 2 } as const;
/** Type and request: what a host asks of a printer. */
const REQUEST = { getDeviceId: 0xa1_00, getPortStatus: 0xa1_01, softReset: 0x21_02 } as const;
/** The pair that the pid.codes project reserves for tests. */
const TEST_DEVICE = { vendorId: 0x1209, productId: 0x0001 } as const;
const ENDPOINT = { documents: 1, answers: 2 } as const;
const PACKET_BYTES = 64;
/** A pause of this length ends a job. In real time: it is about a real cable. */
const PAUSE_MS = 500;
const STATUS = { paperEmpty: 0x20, selected: 0x10, noError: 0x08 } as const;

export class UsbPrinter implements UsbDevice {
  readonly description: UsbDescription;
  readonly #printer: HardwarePrinter;
  #jobs = 0;

  /** @param serial - distinguishes it from others of its model */
  constructor(printer: HardwarePrinter, serial: string) {
    this.#printer = printer;
    const { maker, model } = modelOf(printer.profile.description);
    const bulk = { kind: 'bulk', packetBytes: PACKET_BYTES, intervalMs: 0 } as const;
    this.description = {
      ...TEST_DEVICE,
      manufacturer: maker,
      product: model,
      serial,
      interfaceClass: PRINTER.class,
      interfaceSubclass: PRINTER.subclass,
      interfaceProtocol: PRINTER.bidirectional,
      classDescriptor: NO_DATA,
      endpoints: [
        { ...bulk, number: ENDPOINT.documents, direction: 'out' },
        { ...bulk, number: ENDPOINT.answers, direction: 'in' },
      ],
    };
  }

  get isPlugged(): boolean {
    return !this.#printer.isSwitchedOff;
  }

  connect(host: UsbHost): UsbConnection {
    const job = new JobBytes((bytes) => this.#print(bytes), { ms: PAUSE_MS, mayEnd: () => true });
    const peer = {
      send: (answer: Buffer) => host.deliver(ENDPOINT.answers, answer),
      clear: () => {
        job.drop();
        this.#printer.clearBuffer();
      },
    };
    let requests = new StatusRequests(this.#printer, peer);
    return {
      controlDelayMs: 0,
      control: (setup) => {
        if (((setup.requestType << 8) | setup.request) !== REQUEST.softReset) return this.#control(setup);
        requests.close();
        requests = new StatusRequests(this.#printer, peer);
        job.drop();
        return NO_DATA;
      },
      out: (_, data) => {
        if (!this.isPlugged || this.#printer.has('drops-connection')) return host.unplug();
        const document = requests.take(data);
        if (job.length + document.length > MOST_DOCUMENT_BYTES) {
          job.drop();
          return host.unplug();
        }
        job.add(document, () => requests.rest());
      },
      close: () => {
        requests.close();
        job.end();
      },
    };
  }

  #control({ requestType, request, length }: UsbSetup): Uint8Array | undefined {
    switch ((requestType << 8) | request) {
      case REQUEST.getDeviceId:
        return deviceIdAnswer(this.#printer.profile).subarray(0, length);
      case REQUEST.getPortStatus:
        return Uint8Array.of(portStatus(this.#printer));
      default:
        return undefined;
    }
  }

  #print(written: Buffer): void {
    const id = ++this.#jobs;
    const bytes = this.#printer.connections.kept(written);
    const job = { protocol: 'usb', id, user: 'usb', title: `USB ${id}`, bytes } as const;
    // A printer swallows what it cannot print; the host hears nothing of it.
    this.#printer.print(job, () => undefined).catch(() => undefined);
  }
}

/** What it understands, by its kind; the others take a PDF. */
const LANGUAGES: Readonly<Partial<Record<PrinterProfile['kind'], string>>> = { label: 'ZPL', receipt: 'ESCPOS' };

/** The device id, after its own length in two bytes. */
function deviceIdAnswer({ description, kind }: PrinterProfile): Buffer {
  const bytes = Buffer.from(`\0\0${deviceId(description, LANGUAGES[kind] ?? 'PDF')}`, 'latin1');
  bytes.writeUInt16BE(bytes.length, 0);
  return bytes;
}

function portStatus({ faults, isStopped }: HardwarePrinter): number {
  return (hasAny(faults, NO_PAPER) ? STATUS.paperEmpty : 0) | STATUS.selected | (isStopped ? 0 : STATUS.noError);
}
