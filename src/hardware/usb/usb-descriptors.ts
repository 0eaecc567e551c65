/**
 * USB descriptors: the bytes in which a device describes itself (USB 2.0, chapter 9), and the standard requests
 * that every device answers alike.
 *
 *   configuration ─┬─ interface ─┬─ descriptor of the class, if any
 *                  │             └─ endpoints
 */

import { NO_DATA, type UsbDescription, type UsbSetup } from './usb-device.ts';

const TYPE = { device: 1, configuration: 2, string: 3, interface: 4, endpoint: 5 } as const;
const REQUEST = {
  getStatus: 0,
  clearFeature: 1,
  setFeature: 3,
  setAddress: 5,
  getDescriptor: 6,
  getConfiguration: 8,
  setConfiguration: 9,
  getInterface: 10,
  setInterface: 11,
} as const;

const DEVICE_RECIPIENT = 0x00;
const ENDPOINT_RECIPIENT = 0x02;
const CLASS_TYPE_MASK = 0x60;
const RECIPIENT_MASK = 0x1f;
const DIRECTION_IN = 0x80;
const ENDPOINT_HALT = 0;
const TRANSFER_KIND = { bulk: 2, interrupt: 3 } as const;
const US_ENGLISH = 0x0409;
/** A string descriptor counts its bytes in one byte. */
const LONGEST_STRING = 126;

/** How a device with full speed is numbered in its configuration. */
export const CONFIGURATION_VALUE = 1;
/** In binary-coded decimal. */
export const DEVICE_RELEASE = 0x0100;

/** The endpoint address that a request to clear a halt names; undefined for any other request. */
export function clearedEndpoint({ requestType, request, value, index }: UsbSetup): number | undefined {
  const isForEndpoint = requestType === ENDPOINT_RECIPIENT && request === REQUEST.clearFeature;
  return isForEndpoint && value === ENDPOINT_HALT ? index & 0xff : undefined;
}

/** The answer to a standard request, `'stall'` where it cannot be; undefined for what the class has to answer. */
export function standardAnswer(description: UsbDescription, setup: UsbSetup): Uint8Array | 'stall' | undefined {
  const { requestType, request } = setup;
  if ((requestType & CLASS_TYPE_MASK) !== 0) return undefined;
  const recipient = requestType & RECIPIENT_MASK;
  switch (request) {
    case REQUEST.getDescriptor:
      if (recipient !== DEVICE_RECIPIENT) return undefined;
      return descriptorOf(description, setup) ?? 'stall';
    case REQUEST.getStatus:
      return Uint8Array.of(recipient === DEVICE_RECIPIENT ? 1 : 0, 0);
    case REQUEST.getConfiguration:
      return Uint8Array.of(CONFIGURATION_VALUE);
    case REQUEST.getInterface:
      return Uint8Array.of(0);
    case REQUEST.clearFeature:
    case REQUEST.setFeature:
    case REQUEST.setAddress:
    case REQUEST.setConfiguration:
    case REQUEST.setInterface:
      return NO_DATA;
    default:
      return 'stall';
  }
}

function descriptorOf(description: UsbDescription, { value, length }: UsbSetup): Uint8Array | undefined {
  const whole = wholeDescriptor(description, value >> 8, value & 0xff);
  return whole?.subarray(0, length);
}

function wholeDescriptor(description: UsbDescription, type: number, index: number): Uint8Array | undefined {
  if (type === TYPE.device) return deviceDescriptor(description);
  if (type === TYPE.configuration && index === 0) return configurationDescriptor(description);
  if (type === TYPE.string) return stringDescriptor(description, index);
  return undefined;
}

function deviceDescriptor({ vendorId, productId }: UsbDescription): Buffer {
  const bytes = Buffer.from([18, TYPE.device, 0x00, 0x02, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 1, 2, 3, 1]);
  bytes.writeUInt16LE(vendorId, 8);
  bytes.writeUInt16LE(productId, 10);
  bytes.writeUInt16LE(DEVICE_RELEASE, 12);
  return bytes;
}

/** Bus-powered, 100 mA. */
const POWERED_BY_BUS = 0x80;
const TWO_MILLIAMPERES = 50;

function configurationDescriptor(description: UsbDescription): Buffer {
  const { interfaceClass, interfaceSubclass, interfaceProtocol, classDescriptor, endpoints } = description;
  const parts = [
    [9, TYPE.interface, 0, 0, endpoints.length, interfaceClass, interfaceSubclass, interfaceProtocol, 0],
    classDescriptor,
    ...endpoints.map(({ number, direction, kind, packetBytes, intervalMs }) => [
      7,
      TYPE.endpoint,
      number | (direction === 'in' ? DIRECTION_IN : 0),
      TRANSFER_KIND[kind],
      packetBytes & 0xff,
      packetBytes >> 8,
      intervalMs,
    ]),
  ].map((part) => Buffer.from(part));
  const length = 9 + parts.reduce((sum, part) => sum + part.length, 0);
  const head = [9, TYPE.configuration, length & 0xff, length >> 8, 1, CONFIGURATION_VALUE, 0];
  return Buffer.concat([Buffer.from([...head, POWERED_BY_BUS, TWO_MILLIAMPERES]), ...parts]);
}

function stringDescriptor({ manufacturer, product, serial }: UsbDescription, index: number): Buffer | undefined {
  if (index === 0) return Buffer.from([4, TYPE.string, US_ENGLISH & 0xff, US_ENGLISH >> 8]);
  const text = [manufacturer, product, serial][index - 1];
  if (text === undefined) return undefined;
  const utf16 = Buffer.from(text.slice(0, LONGEST_STRING), 'utf16le');
  return Buffer.concat([Buffer.of(2 + utf16.length, TYPE.string), utf16]);
}
