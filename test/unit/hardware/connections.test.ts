/**
 * What the faults of its connection do to those that print, by each protocol, over real sockets.
 */

import { once } from 'node:events';
import { connect } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { systemClock } from '../../../src/common/clock.ts';
import { keysOf } from '../../../src/common/keys-of.ts';
import { isReported, PRINTER_FAULTS } from '../../../src/devices/printer/printer-fault.ts';
import { SMALL_BUFFER_BYTES } from '../../../src/hardware/connections.ts';
import { ExposedRoom, type HardwareAddresses } from '../../../src/hardware/exposed-room.ts';
import { mediaType, strings, uri } from '../../../src/hardware/ipp/attribute.ts';
import { encodeMessage } from '../../../src/hardware/ipp/codec.ts';
import { OPERATIONS, STATUSES } from '../../../src/hardware/ipp/operations.ts';
import { PrinterOnDesk } from '../../support/hardware-printer.ts';
import { exchange } from '../../support/peer.ts';
import { UsbIpHost, partsOf } from '../../support/usb-ip-host.ts';

const LABEL = Buffer.from('^XA^FO20,20^FDparcel 7^FS^XZ\n');
const LONG_RECEIPT = Buffer.alloc(3 * SMALL_BUFFER_BYTES, 'receipt ');

let desk: PrinterOnDesk;
let room: ExposedRoom;
let uris: HardwareAddresses['uris'];

beforeEach(async () => {
  desk = new PrinterOnDesk('label-zebra-zpl');
  const { clock, press } = desk;
  const computers = (): { name: string; printers: [typeof desk.printer]; scales: [] }[] => [
    { name: 'DESK', printers: [desk.printer], scales: [] },
  ];
  room = await ExposedRoom.open({ clock, press, exposure: { ipp: 0, raw: 0, lpd: 0, usb: 0 }, computers });
  uris = room.addresses[0]?.uris ?? {};
});

afterEach(async () => {
  await room.close();
  await desk[Symbol.asyncDispose]();
});

type Sent = 'answered' | 'refused' | 'cut off';

/** Sends a document as a client of the protocol does, and says how that ended. */
const SENDERS: Readonly<Record<'ipp' | 'raw' | 'lpd', (document: Uint8Array) => Promise<Sent>>> = {
  ipp: async (document) => {
    const answer = await printJob(document).catch(() => undefined);
    if (!answer) return 'cut off';
    return answer.readUInt16BE(2) === STATUSES['successful-ok'] ? 'answered' : 'refused';
  },
  raw: (document) => exchange(portOf(uris.raw), document).then(always('answered'), always('cut off')),
  lpd: async (document) => {
    const control = Buffer.from('Hdesk\nPada\nJlabel\n');
    const acks = await exchange(
      portOf(uris.lpd),
      '\x02desk-laser\n',
      `\x02${control.length} cfA001desk\n`,
      Buffer.concat([control, Buffer.of(0)]),
      `\x03${document.length} dfA001desk\n`,
      Buffer.concat([document, Buffer.of(0)]),
    ).catch(() => Buffer.alloc(0));
    return acks.equals(Buffer.alloc(5)) ? 'answered' : 'cut off';
  },
};
const PROTOCOLS = ['ipp', 'raw', 'lpd'] as const;

/** What a client says first, and is answered; the shared ports of IPP and LPD know the printer from then on. */
const OPENINGS: Readonly<Record<(typeof PROTOCOLS)[number], (uris: HardwareAddresses['uris']) => string>> = {
  ipp: ({ ipp = '' }) =>
    `POST ${new URL(ipp).pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: application/ipp\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`,
  raw: () => '~HS',
  lpd: () => '\x02desk-laser\n',
};

function always<Value>(value: Value): () => Value {
  return () => value;
}

function portOf(address = ''): number {
  return Number(new URL(address).port);
}

async function printJob(document: Uint8Array): Promise<Buffer> {
  const address = uris.ipp ?? '';
  const attributes = [
    strings('charset', 'attributes-charset', ['utf-8']),
    strings('naturalLanguage', 'attributes-natural-language', ['en']),
    uri('printer-uri', address),
    mediaType('document-format', 'application/octet-stream'),
  ];
  const body = encodeMessage({
    version: { major: 2, minor: 0 },
    code: OPERATIONS['Print-Job'],
    requestId: 1,
    groups: [{ type: 'operation', attributes }],
    data: document,
  });
  const headers = { 'content-type': 'application/ipp' };
  const answer = await fetch(address.replace('ipp:', 'http:'), { method: 'POST', headers, body: Buffer.from(body) });
  return Buffer.from(await answer.arrayBuffer());
}

/** The bytes of the next printout. */
async function printedBytes(): Promise<Uint8Array> {
  const printout = await desk.printed();
  if (printout.kind !== 'raw') throw new Error('it printed sheets');
  return printout.bytes;
}

const UNREACHABLE: readonly string[] = ['offline', 'shutdown'];
const REPORTED = keysOf(PRINTER_FAULTS).filter(isReported);

describe.each(PROTOCOLS)('a client that prints by %s', (protocol) => {
  const send = SENDERS[protocol];

  it.each(REPORTED)('reaches a printer with %s unless it is off, and one that is on again', async (fault) => {
    desk.printer.fail(fault);
    const isRefused = protocol === 'ipp' && fault === 'spool-area-full';
    const wanted = UNREACHABLE.includes(fault) ? 'cut off' : isRefused ? 'refused' : 'answered';
    await expect.poll(() => send(LABEL)).toBe(wanted);
    desk.printer.clear();
    await expect.poll(() => send(LABEL)).toBe('answered');
  });

  it('has its document printed by a printer without faults', async () => {
    const bytes = printedBytes();
    expect(await send(LABEL)).toBe('answered');
    expect(Buffer.from(await bytes)).toEqual(LABEL);
  });

  it('is cut off while it sends, and nothing is printed', async () => {
    desk.printer.fail('drops-connection');
    expect(await send(LABEL)).toBe('cut off');
    expect(desk.printer.printouts()).toEqual([]);
  });

  it('gets no answer about a document that is printed', async () => {
    desk.printer.fail('drops-answer');
    const bytes = printedBytes();
    expect(await send(LABEL)).toBe('cut off');
    expect(Buffer.from(await bytes)).toEqual(LABEL);
  });

  it('waits while another is connected to a printer that serves one', async () => {
    desk.printer.fail('one-connection');
    const other = connect(portOf(uris[protocol]), '127.0.0.1');
    await once(other, 'connect');
    other.write(OPENINGS[protocol](uris));
    await once(other, 'data');
    expect(await send(LABEL)).toBe('cut off');
    other.destroy();
    await expect.poll(() => send(LABEL)).toBe('answered');
  });

  it('has the end of a long document lost or refused by a small buffer', async () => {
    desk.printer.fail('small-buffer');
    const bytes = printedBytes();
    const sent = await send(LONG_RECEIPT);
    if (sent === 'refused') await send(LABEL);
    const kept = { sent: 'answered', bytes: LONG_RECEIPT.subarray(0, SMALL_BUFFER_BYTES) };
    const refused = { sent: 'refused', bytes: LABEL };
    expect({ sent, bytes: Buffer.from(await bytes) }).toEqual(protocol === 'ipp' ? refused : kept);
  });

  it('gets the answer that a job is done of which nothing comes out', async () => {
    desk.printer.fail('forgets-jobs');
    expect(await send(LABEL)).toBe('answered');
    expect(desk.printer.printouts()).toEqual([]);
    expect(desk.hardware.waiting).toBe(0);
  });

  it('waits for a printer that reads slowly', async () => {
    desk.printer.fail('slow-connection');
    const beganMs = systemClock.now();
    expect(await send(LABEL)).toBe('answered');
    expect(systemClock.now() - beganMs).toBeGreaterThanOrEqual(490);
  });
});

describe('a printer on a USB bus', () => {
  it('leaves it when a document comes, with the fault for it', async () => {
    desk.printer.fail('drops-connection');
    const { port, busId } = partsOf(uris.usb);
    const host = await UsbIpHost.attach(port, busId);
    host.write(1, LABEL).catch(() => undefined);
    await host.closed;
    expect(desk.printer.printouts()).toEqual([]);
  });

  it('loses the end of a long document in a small buffer', async () => {
    desk.printer.fail('small-buffer');
    const { port, busId } = partsOf(uris.usb);
    using host = await UsbIpHost.attach(port, busId);
    const bytes = printedBytes();
    await host.write(1, LONG_RECEIPT);
    expect(Buffer.from(await bytes)).toEqual(LONG_RECEIPT.subarray(0, SMALL_BUFFER_BYTES));
  });
});
