/**
 * USB/IP server: virtual devices on a bus that an unmodified kernel attaches over TCP.
 *
 *   usbip list    ─► OP_REQ_DEVLIST ─► what is plugged in
 *   usbip attach  ─► OP_REQ_IMPORT  ─► transfers until either side ends the connection (usb-attachment.ts)
 *
 * A device has one host at a time. Pulling its plug ends the connection, upon which the kernel takes the device away.
 */

import { createServer, type Socket } from 'node:net';

import type { Clock } from '../../common/clock.ts';
import { hostInUri, TcpPort, type PortAddress } from '../tcp-port.ts';
import { UsbAttachment } from './usb-attachment.ts';
import type { UsbDevice } from './usb-device.ts';
import {
  BUS_ID_BYTES,
  deviceList,
  deviceRecord,
  OPERATION,
  OPERATION_BYTES,
  OPERATION_STATUS,
  operationReply,
  USBIP_VERSION,
  type ListedDevice,
} from './usb-ip-messages.ts';

export interface UsbIpServerOptions extends PortAddress {
  readonly clock: Clock;
}

interface Plugged extends ListedDevice {
  readonly device: UsbDevice;
  attachment: UsbAttachment | undefined;
}

/** The idle time counts until a host has said what it wants. */
const LIMITS = { most: 256, idleMs: 30_000 };

export class UsbIpServer {
  readonly #options: UsbIpServerOptions;
  readonly #port: TcpPort;
  readonly #plugged = new Map<string, Plugged>();
  #devices = 0;

  private constructor(options: UsbIpServerOptions) {
    this.#options = options;
    const server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
    this.#port = new TcpPort(server, LIMITS);
  }

  /** Resolves when it listens. Rejects as `listen` does, with EADDRINUSE and the like. */
  static async start(options: UsbIpServerOptions): Promise<UsbIpServer> {
    const usb = new UsbIpServer(options);
    await usb.#port.listen(options);
    return usb;
  }

  get port(): number {
    return this.#port.number;
  }

  /**
   * Puts a device on the bus and says at which URI.
   *
   * @param before - URI of a device whose place it takes; it gets the next one unless given
   */
  add(device: UsbDevice, before?: string): string {
    const number = Number(/-(\d+)$/.exec(before ?? '')?.[1] ?? ++this.#devices);
    const busId = `1-${number}`;
    const { description } = device;
    this.#plugged.set(busId, { device, busId, number, description, attachment: undefined });
    return `usbip://${hostInUri(this.#options.host)}:${this.port}/${busId}`;
  }

  remove(device: UsbDevice): void {
    const plugged = [...this.#plugged.values()].find((one) => one.device === device);
    if (!plugged) return;
    this.#plugged.delete(plugged.busId);
    plugged.attachment?.end();
  }

  async close(): Promise<void> {
    for (const { attachment } of this.#plugged.values()) attachment?.end();
    await this.#port.close();
  }

  #accept(socket: Socket): void {
    let bytes = Buffer.alloc(0);
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const operation = operationIn(bytes);
      if (!operation) return;
      socket.off('data', onData);
      this.#serve(socket, operation);
    };
    socket.on('data', onData);
  }

  #serve(socket: Socket, { version, code, busId, rest }: Operation): void {
    if (version !== USBIP_VERSION) return void socket.end(operationReply(code, OPERATION_STATUS.refused));
    const present = [...this.#plugged.values()].filter(({ device }) => device.isPlugged);
    if (code === OPERATION.listDevices) return void socket.end(deviceList(present));
    if (code !== OPERATION.importDevice) return void socket.end(operationReply(code, OPERATION_STATUS.refused));
    const plugged = present.find((one) => one.busId === busId);
    if (!plugged) return void socket.end(operationReply(code, OPERATION_STATUS.noDevice));
    if (plugged.attachment) return void socket.end(operationReply(code, OPERATION_STATUS.busy));
    this.#port.keep(socket);
    socket.write(operationReply(code, OPERATION_STATUS.ok, deviceRecord(plugged)));
    const attachment = new UsbAttachment(socket, plugged.device, this.#options.clock);
    plugged.attachment = attachment;
    socket.on('close', () => {
      attachment.end();
      plugged.attachment = undefined;
    });
    attachment.take(rest);
  }
}

/** What a host asks for first. */
interface Operation {
  readonly version: number;
  readonly code: number;
  readonly busId: string;
  /** What has come after it. */
  readonly rest: Buffer;
}

/** The operation that these bytes begin with, as soon as it is whole. */
function operationIn(bytes: Buffer): Operation | undefined {
  if (bytes.length < OPERATION_BYTES) return undefined;
  const version = bytes.readUInt16BE(0);
  const code = bytes.readUInt16BE(2);
  const hasBusId = version === USBIP_VERSION && code === OPERATION.importDevice;
  const length = OPERATION_BYTES + (hasBusId ? BUS_ID_BYTES : 0);
  if (bytes.length < length) return undefined;
  const [busId = ''] = bytes.toString('latin1', OPERATION_BYTES, length).split('\0');
  return { version, code, busId, rest: bytes.subarray(length) };
}
