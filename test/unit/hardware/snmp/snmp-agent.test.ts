import { createSocket } from 'node:dgram';

import snmp from 'net-snmp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { detectedErrors, SnmpAgent } from '../../../../src/hardware/snmp/snmp-agent.ts';
import { PrinterOnDesk } from '../../../support/hardware-printer.ts';

const DEVICE_STATUS = '1.3.6.1.2.1.25.3.2.1.5.1';
const PRINTER_STATUS = '1.3.6.1.2.1.25.3.5.1.1.1';
const DETECTED_ERRORS = '1.3.6.1.2.1.25.3.5.1.2.1';
const PRINTER_NAME = '1.3.6.1.2.1.43.5.1.1.16.1';

/** A GET of an object identifier that begins with 5. */
const MALFORMED_OID = Buffer.from(
  '302602010104067075626c6963a019020101020100020100300e300c0608ff060102010101000500',
  'hex',
).toString('latin1');

let desk: PrinterOnDesk;
let agent: SnmpAgent;

beforeEach(async () => {
  desk = new PrinterOnDesk();
  agent = await SnmpAgent.start({ port: 0 });
  agent.add(desk.hardware);
});

afterEach(async () => {
  await agent.close();
  await desk[Symbol.asyncDispose]();
});

async function ask(...oids: string[]): Promise<unknown[]> {
  const session = snmp.createSession('127.0.0.1', 'public', { port: agent.port, version: snmp.Version2c });
  try {
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
    session.get(oids, (error: Error | null, varbinds: { readonly value?: unknown }[] = []) =>
      error ? reject(error) : resolve(varbinds.map(({ value }) => value)),
    );
    return await promise;
  } finally {
    session.close();
  }
}

describe('an SNMP agent', () => {
  it('says that a printer runs, and what it is called', async () => {
    const [device, printer, errors, name] = await ask(DEVICE_STATUS, PRINTER_STATUS, DETECTED_ERRORS, PRINTER_NAME);
    expect([device, printer]).toEqual([2, 3]);
    expect(errors).toEqual(Buffer.of(0));
    expect(String(name)).toBe('Laser');
  });

  it('reports a fault as soon as there is one', async () => {
    desk.printer.fail('media-jam');
    desk.printer.fail('media-low');
    const [device, printer, errors] = await ask(DEVICE_STATUS, PRINTER_STATUS, DETECTED_ERRORS);
    expect([device, printer]).toEqual([5, 1]);
    expect(errors).toEqual(Buffer.of(0b1000_0100));
  });

  it('goes on after bytes that are not SNMP', async () => {
    const socket = createSocket('udp4');
    for (const bytes of ['', 'hello', '\x30\x82\xff\xff', '\x30\x03\x02\x01\x01', MALFORMED_OID]) {
      await new Promise((resolve) => socket.send(Buffer.from(bytes, 'latin1'), agent.port, '127.0.0.1', resolve));
    }
    socket.close();
    expect(await ask(DEVICE_STATUS)).toEqual([2]);
  });
});

describe('detected errors', () => {
  it('take a second octet where a condition needs it', () => {
    expect(detectedErrors([])).toEqual(Buffer.of(0));
    expect(detectedErrors(['media-empty', 'offline'])).toEqual(Buffer.of(0b0100_0010));
    expect(detectedErrors(['input-tray-missing'])).toEqual(Buffer.of(0, 0b1000_0000));
  });
});
