import { once } from 'node:events';
import { connect } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { sleep, systemClock } from '../../../../src/common/clock.ts';
import { within } from '../../../../src/common/waiter.ts';
import { RawPort } from '../../../../src/hardware/raw/raw-port.ts';
import { StatusRequests } from '../../../../src/hardware/raw/status-requests.ts';
import { PrinterOnDesk } from '../../../support/hardware-printer.ts';
import { exchange } from '../../../support/peer.ts';
import { fixtureDocument } from '../../../support/print-room.ts';

const ZPL = fixtureDocument('zpl-label.zpl');

let desk: PrinterOnDesk;
let port: RawPort;

beforeEach(async () => {
  desk = new PrinterOnDesk('label-zebra-zpl');
  port = await RawPort.start({ printer: desk.hardware, port: 0 });
});

afterEach(async () => {
  await port.close();
  await desk[Symbol.asyncDispose]();
});

describe('a raw port', () => {
  it('prints what a connection carries as one job, to the byte', async () => {
    const printed = desk.printed();
    await exchange(port.port, ZPL.subarray(0, 100), ZPL.subarray(100));
    const printout = await printed;
    expect(printout).toMatchObject({ kind: 'raw', jobId: null, origin: { protocol: 'raw', id: 1 } });
    expect(printout.kind === 'raw' && Buffer.compare(printout.bytes, ZPL)).toBe(0);
  });

  it('of a receipt printer prints what it has when its sender pauses, and goes on', async () => {
    await using till = new PrinterOnDesk('receipt-80mm');
    const kept = await RawPort.start({ printer: till.hardware, port: 0 });
    const socket = connect(kept.port, '127.0.0.1');
    // Many ask again and again whether there is paper.
    const asks = systemClock.beat(100, () => socket.write(Buffer.of(0x10, 0x04, 4)));
    for (const text of ['Coffee\n', 'Tea\n~']) {
      const printed = till.printed();
      socket.write(text);
      const printout = await within(printed, { description: 'a receipt', limit: '10s' });
      expect(printout.kind === 'raw' && Buffer.from(printout.bytes).toString()).toBe(text);
    }
    asks.cancel();
    socket.end();
    await once(socket.resume(), 'close');
    await kept.close();
    expect(till.printer.printouts()).toHaveLength(2);
  });

  it('of a label printer prints each label after a pause, and none in halves', async () => {
    await using press = new PrinterOnDesk('label-4x6');
    const kept = await RawPort.start({ printer: press.hardware, port: 0 });
    const socket = connect(kept.port, '127.0.0.1');
    for (const [begun, ended] of [
      ['^XA^FDone', '^FS^XZ\n'],
      ['\nN\nA50,0,0,1,1,1,N,"two"\n', 'P1\n'],
    ] as const) {
      const printed = press.printed();
      socket.write(begun);
      await sleep(systemClock, 2_500);
      socket.write(ended);
      const printout = await within(printed, { description: 'a label', limit: '10s' });
      expect(printout.kind === 'raw' && Buffer.from(printout.bytes).toString()).toBe(begun + ended);
    }
    socket.destroy();
    await kept.close();
  });

  it('of a receipt printer prints nothing that a web page sends, also after a pause', async () => {
    await using till = new PrinterOnDesk('receipt-80mm');
    const kept = await RawPort.start({ printer: till.hardware, port: 0 });
    const socket = connect(kept.port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await sleep(systemClock, 2_500);
    socket.end('Coffee\n');
    await once(socket.resume(), 'close');
    await kept.close();
    expect(till.printer.printouts()).toEqual([]);
  });

  it('prints a PDF as sheets', async () => {
    const printed = desk.printed();
    await exchange(port.port, fixtureDocument('label-4x6.pdf'));
    expect(await printed).toMatchObject({ kind: 'sheets' });
  });

  it('answers a status request while the printer is stopped, and prints nothing for it', async () => {
    desk.printer.fail('media-empty');
    desk.printer.fail('door-open');
    const [flags, settings] = (await exchange(port.port, '~HS')).toString('latin1').split('\r\n');
    expect(flags?.split(',')[1]).toBe('1');
    expect(settings?.split(',')[2]).toBe('1');
    expect(desk.hardware.waiting).toBe(0);
  });

  it('refuses connections of a printer that is switched off', async () => {
    desk.printer.fail('shutdown');
    expect(await exchange(port.port, ZPL).catch((error: NodeJS.ErrnoException) => error.code ?? 'closed')).toSatisfy(
      (answer: unknown) => answer === 'ECONNRESET' || answer === 'EPIPE' || Buffer.isBuffer(answer),
    );
    expect(desk.hardware.waiting).toBe(0);
  });
});

describe('status requests', () => {
  it.each([1, 2, 3, 4])('of ESC/POS are answered with a byte for status %i', (kind) => {
    desk.printer.fail('media-empty');
    const { replies } = new StatusRequests(desk.hardware).take(Buffer.of(0x10, 0x04, kind));
    expect(replies).toHaveLength(1);
    expect(replies[0]?.[0]).toBe([0x1e, 0x72, 0x12, 0x7e][kind - 1]);
  });

  it.each([
    ['paper that ends soon', 'media-low', [0x1d, 0x72, 1], 0x03],
    ['no paper', 'media-empty', [0x1d, 0x72, 0x31], 0x0f],
    ['a cutter that is stuck', 'trimmer-jam', [0x10, 0x04, 3], 0x1a],
    ['a drawer', 'media-empty', [0x1d, 0x72, 2], 0x00],
  ])('of ESC/POS tell of %s', (_, fault, request, status) => {
    desk.printer.fail(fault);
    expect(new StatusRequests(desk.hardware).take(Uint8Array.from(request)).replies).toEqual([Buffer.of(status)]);
  });

  it('of the paper stay in the document, since a picture may hold the same bytes', () => {
    const document = Buffer.from('Total\n\x1dr\x01', 'latin1');
    const taken = new StatusRequests(desk.hardware).take(document);
    expect([Buffer.compare(Buffer.from(taken.document), document), taken.replies]).toEqual([0, [Buffer.of(0)]]);
  });

  it.each(['%PDF-1.4\n', 'RaS2', '\x1b%-12345X@PJL'])('are none in a document that begins with %j', (beginning) => {
    const document = Buffer.from(`${beginning}…\x10\x04\x01…`, 'latin1');
    const requests = new StatusRequests(desk.hardware);
    const taken = [document, document].map((chunk) => requests.take(chunk));
    expect(taken).toEqual([document, document].map((one) => ({ document: one, replies: [] })));
    requests.rest();
    expect(requests.take(Buffer.of(0x10, 0x04, 1)).replies).toHaveLength(1);
  });

  it('are found wherever a chunk is cut, and leave the document as it is', () => {
    const document = Buffer.concat([Buffer.from('^XA^FDone~H^FS'), Buffer.of(0x10, 0x10), Buffer.from('^XZ')]);
    const stream = Buffer.concat([
      document.subarray(0, 5),
      Buffer.from('~HS'),
      document.subarray(5),
      Buffer.of(0x10, 4, 1),
    ]);
    for (let cut = 0; cut <= stream.length; cut++) {
      const requests = new StatusRequests(desk.hardware);
      const parts = [stream.subarray(0, cut), stream.subarray(cut)].map((chunk) => requests.take(chunk));
      const found = Buffer.concat([...parts.map((part) => part.document), requests.rest()]);
      expect(found.toString('latin1')).toBe(document.toString('latin1'));
      expect(parts.flatMap(({ replies }) => replies)).toHaveLength(2);
    }
  });
});
