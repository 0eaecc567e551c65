/**
 * USB/IP messages (protocol 1.1.1): what a host and a server of devices say to each other, as bytes.
 *
 *   before a device is taken   8 bytes of version, code, status; then what the code demands
 *   afterwards                 48 bytes of header; then the data of the transfer
 *
 * All numbers are big-endian, except in the setup of a control transfer, which is as on the bus.
 * Source: Documentation/usb/usbip_protocol.rst of Linux.
 */

import { CONFIGURATION_VALUE, DEVICE_RELEASE } from './usb-descriptors.ts';
import type { UsbDescription, UsbSetup } from './usb-device.ts';

export const USBIP_VERSION = 0x0111;
export const OPERATION = { listDevices: 0x8005, importDevice: 0x8003 } as const;
/** The answer to an operation has the code of its request without this bit. */
const REQUEST_BIT = 0x8000;
export const OPERATION_BYTES = 8;
export const BUS_ID_BYTES = 32;
export const OPERATION_STATUS = { ok: 0, refused: 1, busy: 2, noDevice: 4 } as const;

export const COMMAND = { submit: 1, unlink: 2 } as const;
const REPLY = { submit: 3, unlink: 4 } as const;
export const HEADER_BYTES = 48;

/** What became of a transfer, as an error number of Linux. */
export const TRANSFER_STATUS = { ok: 0, noEndpoint: -2, stalled: -32, overflow: -75, unlinked: -104 } as const;

export interface ListedDevice {
  readonly busId: string;
  /** From 1. */
  readonly number: number;
  readonly description: UsbDescription;
}

export interface UsbTransfer {
  readonly sequence: number;
  readonly isIn: boolean;
  readonly endpoint: number;
  /** Bytes that follow (out), or that the host has room for (in). */
  readonly length: number;
  readonly setup: UsbSetup;
}

export function operationReply(operation: number, status: number, ...rest: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(OPERATION_BYTES);
  head.writeUInt16BE(USBIP_VERSION, 0);
  head.writeUInt16BE(operation & ~REQUEST_BIT, 2);
  head.writeUInt32BE(status, 4);
  return Buffer.concat([head, ...rest]);
}

/** The answer to a request for the list. */
export function deviceList(devices: readonly ListedDevice[]): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(devices.length);
  const listed = devices.flatMap(({ description, ...device }) => {
    const { interfaceClass, interfaceSubclass, interfaceProtocol } = description;
    const oneInterface = Buffer.of(interfaceClass, interfaceSubclass, interfaceProtocol, 0);
    return [deviceRecord({ ...device, description }), oneInterface];
  });
  return operationReply(OPERATION.listDevices, OPERATION_STATUS.ok, count, ...listed);
}

const FULL_SPEED = 2;

export function deviceRecord({ busId, number, description }: ListedDevice): Buffer {
  const bytes = Buffer.alloc(312);
  bytes.write(`/sys/devices/platen/usb1/${busId}`, 0, 'latin1');
  bytes.write(busId, 256, 'latin1');
  bytes.writeUInt32BE(1, 288);
  bytes.writeUInt32BE(number + 1, 292);
  bytes.writeUInt32BE(FULL_SPEED, 296);
  bytes.writeUInt16BE(description.vendorId, 300);
  bytes.writeUInt16BE(description.productId, 302);
  bytes.writeUInt16BE(DEVICE_RELEASE, 304);
  // Class, subclass and protocol stand in the interface; one configuration with one interface.
  bytes.set([0, 0, 0, CONFIGURATION_VALUE, 1, 1], 306);
  return bytes;
}

/** @param header - of 48 bytes */
export function readTransfer(header: Buffer): UsbTransfer {
  return {
    sequence: header.readUInt32BE(4),
    isIn: header.readUInt32BE(12) === 1,
    endpoint: header.readUInt32BE(16),
    length: header.readUInt32BE(24),
    setup: {
      requestType: header.readUInt8(40),
      request: header.readUInt8(41),
      value: header.readUInt16LE(42),
      index: header.readUInt16LE(44),
      length: header.readUInt16LE(46),
    },
  };
}

/** Packets of an isochronous transfer, which none of these devices has: 0, or all bits set. */
export function packetsOf(header: Buffer): number {
  const packets = header.readUInt32BE(32);
  return packets === 0xff_ff_ff_ff ? 0 : packets;
}

/** The answer to a transfer. @param data - of an IN transfer; of an OUT transfer only its length counts */
export function transferReply(
  { sequence, isIn }: Pick<UsbTransfer, 'sequence' | 'isIn'>,
  status: number,
  data: Uint8Array,
): Buffer {
  // From the pool of Node: there are thousands a second.
  const reply = Buffer.allocUnsafe(HEADER_BYTES + (isIn ? data.length : 0)).fill(0);
  reply.writeUInt32BE(REPLY.submit, 0);
  reply.writeUInt32BE(sequence, 4);
  reply.writeInt32BE(status, 20);
  reply.writeUInt32BE(data.length, 24);
  if (isIn) reply.set(data, HEADER_BYTES);
  return reply;
}

/** The answer to an unlink. @param wasPending - false where the transfer had ended before */
export function unlinkReply(sequence: number, wasPending: boolean): Buffer {
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt32BE(REPLY.unlink, 0);
  head.writeUInt32BE(sequence, 4);
  head.writeInt32BE(wasPending ? TRANSFER_STATUS.unlinked : TRANSFER_STATUS.ok, 20);
  return head;
}
