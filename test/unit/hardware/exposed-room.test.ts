import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { TLSSocket } from 'node:tls';

import { describe, expect, it } from 'vitest';

import { portOf } from '../../../src/common/port-of.ts';
import { PRINTER_PROFILES } from '../../../src/devices/printer/printer-profile.ts';
import { VirtualPrinter } from '../../../src/devices/printer/printer.ts';
import { strings, stringsOf, uri } from '../../../src/hardware/ipp/attribute.ts';
import { decodeMessage, encodeMessage } from '../../../src/hardware/ipp/codec.ts';
import { OPERATIONS } from '../../../src/hardware/ipp/operations.ts';
import { ExposedRoom, type Exposure } from '../../../src/hardware/exposed-room.ts';
import { PrinterOnDesk } from '../../support/hardware-printer.ts';

const ANY: Exposure = { ipp: 0, raw: 0, lpd: 0 };

class Desk extends PrinterOnDesk {
  printers: VirtualPrinter[] = [this.printer];

  open(exposure: Exposure = ANY): Promise<ExposedRoom> {
    const computers = (): { name: string; printers: VirtualPrinter[]; scales: [] }[] => [
      { name: 'DESK', printers: this.printers, scales: [] },
    ];
    return ExposedRoom.open({ clock: this.clock, press: this.press, exposure, computers });
  }

  another(name = 'Laser'): VirtualPrinter {
    const profile = PRINTER_PROFILES.load('label-4x6');
    const { clock, press } = this;
    const options = { clock, press, timeScale: 0, trayCapacity: 5 };
    return new VirtualPrinter(2, { profile, name }, options, { refresh: () => undefined });
  }
}

const post = (url: string, body: Uint8Array, contentType = 'application/ipp'): Promise<Response> =>
  fetch(url.replace('ipp:', 'http:'), {
    method: 'POST',
    headers: { 'content-type': contentType },
    body: Buffer.from(body),
  });

describe('an exposed room', () => {
  it('gives each printer an address for each protocol, two of one name included', async () => {
    await using desk = new Desk();
    desk.printers.push(desk.another());
    const room = await desk.open();
    const [first, second] = room.addresses;
    expect(first).toMatchObject({ computer: 'DESK', kind: 'printer', name: 'Laser' });
    expect(first?.uris.ipp).toMatch(/^ipp:\/\/127\.0\.0\.1:\d+\/ipp\/print\/desk-laser$/);
    expect(second?.uris.ipp).toMatch(/\/ipp\/print\/desk-laser-2$/);
    expect(first?.uris.raw).toMatch(/^socket:\/\/127\.0\.0\.1:\d+$/);
    expect(second?.uris.raw).not.toBe(first?.uris.raw);
    expect(first?.uris.lpd).toMatch(/^lpd:\/\/127\.0\.0\.1:\d+\/desk-laser$/);
    await room.close();
  });

  it('opens what it is asked for alone', async () => {
    await using desk = new Desk();
    const room = await desk.open({ lpd: 0 });
    expect(Object.keys(room.addresses[0]?.uris ?? {})).toEqual(['lpd']);
    await room.close();
  });

  it('follows printers that come and go', async () => {
    await using desk = new Desk();
    const room = await desk.open({ ipp: 0 });
    const gone = room.addresses[0]?.uris.ipp ?? '';
    desk.printers = [desk.another('Labels')];
    await room.refresh();
    expect(room.addresses.map(({ name }) => name)).toEqual(['Labels']);
    expect((await post(gone, new Uint8Array())).status).toBe(404);
    await room.close();
  });

  it('says which port is taken, and leaves nothing open', async () => {
    await using desk = new Desk();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const lpd = portOf(other);
    await expect(desk.open({ ...ANY, lpd })).rejects.toThrow(`port ${lpd} for lpd is in use`);
    other.close();
  });
});

describe('the IPP port with TLS', () => {
  it('serves the same printer under a certificate for the address, and lists both addresses', async () => {
    await using desk = new Desk();
    const room = await desk.open({ ipp: 0, ipps: 0 });
    const { ipp = '', ipps = '' } = room.addresses[0]?.uris ?? {};
    expect(ipps).toMatch(/^ipps:\/\/127\.0\.0\.1:\d+\/ipp\/print\/desk-laser$/);
    const { answer, alternativeNames } = await postWithTls(ipps, getAttributes(ipps));
    expect(alternativeNames).toContain('IP Address:127.0.0.1');
    const attributes = decodeMessage(answer).groups.flatMap((group) => group.attributes);
    const valuesOf = (name: string): string[] => stringsOf(attributes.find((one) => one.name === name));
    expect(valuesOf('printer-uri-supported')).toEqual([ipp, ipps]);
    expect(valuesOf('uri-security-supported')).toEqual(['none', 'tls']);
    await room.close();
  });
});

function getAttributes(printerUri: string): Buffer {
  const attributes = [
    strings('charset', 'attributes-charset', ['utf-8']),
    strings('naturalLanguage', 'attributes-natural-language', ['en']),
    uri('printer-uri', printerUri),
  ];
  const code = OPERATIONS['Get-Printer-Attributes'];
  const groups = [{ type: 'operation', attributes }] as const;
  return encodeMessage({ version: { major: 2, minor: 0 }, code, requestId: 3, groups, data: new Uint8Array() });
}

/** Trusts whatever certificate comes, and says for which names it is. */
async function postWithTls(address: string, body: Buffer): Promise<{ answer: Buffer; alternativeNames: string }> {
  const post = request(address.replace('ipps:', 'https:'), {
    method: 'POST',
    rejectUnauthorized: false,
    headers: { 'content-type': 'application/ipp', 'content-length': body.length },
  });
  post.end(body);
  const [response]: IncomingMessage[] = await once(post, 'response');
  if (!(response?.socket instanceof TLSSocket)) throw new Error('the answer came without TLS');
  const { subjectaltname = '' } = response.socket.getPeerCertificate();
  const chunks = await Array.fromAsync(response as AsyncIterable<Buffer>);
  return { answer: Buffer.concat(chunks), alternativeNames: subjectaltname };
}

describe('the IPP port', () => {
  const unreadable = encodeMessage({
    version: { major: 2, minor: 0 },
    code: 0x000b,
    requestId: 3,
    groups: [],
    data: new Uint8Array(),
  });

  it('answers IPP in IPP, also what cannot be read', async () => {
    await using desk = new Desk();
    const room = await desk.open({ ipp: 0 });
    const address = room.addresses[0]?.uris.ipp ?? '';
    for (const body of [unreadable, unreadable.subarray(0, 5), Buffer.from('hello, printer')]) {
      const answer = await post(address, body);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/ipp']);
      expect(Buffer.from(await answer.arrayBuffer()).readUInt16BE(2)).toBe(0x0400);
    }
    await room.close();
  });

  it('answers what is not IPP with a status of HTTP', async () => {
    await using desk = new Desk();
    const room = await desk.open({ ipp: 0 });
    const address = room.addresses[0]?.uris.ipp ?? '';
    expect((await post(address, unreadable, 'text/plain')).status).toBe(415);
    expect((await post(`${address}-2`, unreadable)).status).toBe(404);
    expect((await fetch(address.replace('ipp:', 'http:'), { method: 'PUT' })).status).toBe(405);
    const page = await (await fetch(new URL('/', address.replace('ipp:', 'http:')))).text();
    expect(page).toContain(address);
    await room.close();
  });

  it('does not answer for a printer that is switched off', async () => {
    await using desk = new Desk();
    const room = await desk.open({ ipp: 0 });
    desk.printer.fail('shutdown');
    await expect(post(room.addresses[0]?.uris.ipp ?? '', unreadable)).rejects.toThrow('fetch failed');
    await room.close();
  });
});
