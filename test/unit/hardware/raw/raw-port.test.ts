import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { sleep, systemClock } from '../../../../src/common/clock.ts';
import { within } from '../../../../src/common/waiter.ts';
import { RawPort } from '../../../../src/hardware/raw/raw-port.ts';
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

  it.each(['offline', 'shutdown'])(
    'refuses connections of a printer with %s, and takes them again at its port',
    async (fault) => {
      desk.printer.fail(fault);
      await expect.poll(() => exchange(port.port, ZPL).catch(({ code }) => code as string)).toBe('ECONNREFUSED');
      desk.printer.clear();
      const printed = desk.printed();
      await expect
        .poll(() =>
          exchange(port.port, ZPL).then(
            () => 'taken',
            ({ code }) => code as string,
          ),
        )
        .toBe('taken');
      expect(await printed).toMatchObject({ length: ZPL.length });
    },
  );

  it('of a printer that is off from the beginning has its number, and refuses', async () => {
    await using off = new PrinterOnDesk({ ...desk.printer.profile, state: 'offline' });
    const closed = await RawPort.start({ printer: off.hardware, port: 0 });
    expect(await exchange(closed.port, ZPL).catch(({ code }) => code as string)).toBe('ECONNREFUSED');
    await closed.close();
  });
});

describe('a raw port of a receipt printer that is stopped', () => {
  /** The buffer of the profile, and what Node and the kernel take of a sender that is not read. */
  const MORE_THAN_ANY_BUFFER = 32 * 1024 * 1024;
  const BUFFER_BYTES = 4_096;
  let till: PrinterOnDesk;
  let kept: RawPort;
  let socket: Socket;
  let heard = Buffer.alloc(0);

  beforeEach(async () => {
    till = new PrinterOnDesk('receipt-80mm');
    kept = await RawPort.start({ printer: till.hardware, port: 0 });
    till.printer.fail('cover-open');
    heard = Buffer.alloc(0);
    socket = connect(kept.port, '127.0.0.1');
    socket.on('data', (bytes) => (heard = Buffer.concat([heard, bytes])));
    socket.on('error', () => undefined);
    await once(socket, 'connect');
  });

  afterEach(async () => {
    socket.destroy();
    await kept.close();
    await till[Symbol.asyncDispose]();
  });

  async function asks(request: string): Promise<string> {
    heard = Buffer.alloc(0);
    socket.write(Buffer.from(request, 'latin1'));
    await sleep(systemClock, 200);
    return heard.toString('hex');
  }

  it('lets its sender wait once its buffer is full, and prints all of it when it goes on', async () => {
    const receipt = Buffer.alloc(MORE_THAN_ANY_BUFFER, 'Coffee 2.50\n');
    const sent = promisify(socket.end.bind(socket) as (bytes: Buffer, done: () => void) => void)(receipt);
    // More than two seconds, after which a pause would end the job.
    expect(await Promise.race([sent.then(() => 'sent'), sleep(systemClock, 2_500).then(() => 'waits')])).toBe('waits');
    const printed = till.printed();
    till.printer.clear();
    await sent;
    const printout = await within(printed, { description: 'the receipt', limit: '20s' });
    expect(printout.kind === 'raw' && printout.length).toBe(MORE_THAN_ANY_BUFFER);
  }, 40_000);

  it('counts in its buffer what it has not printed of earlier connections', async () => {
    await exchange(kept.port, 'z'.repeat(BUFFER_BYTES - 1));
    expect(await asks('y\x10\x04\x02')).toBe('');
    const printed = till.printed();
    till.printer.clear();
    expect(await printed).toMatchObject({ length: BUFFER_BYTES - 1 });
  });

  it('loses what it had when it is switched off, and its connections end', async () => {
    await asks('Coffee\n');
    await exchange(kept.port, 'Tea\n');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    till.printer.fail('shutdown');
    await closed;
    till.printer.clear();
    expect([till.hardware.waiting, till.printer.printouts()]).toEqual([0, []]);
  });

  it('loses what it had when it is told to clear its buffer, and says so', async () => {
    await exchange(kept.port, 'Tea\n');
    expect(await asks('Coffee\n\x10\x14\x08\x01\x03\x20\x01\x06\x02\x08')).toBe('372500');
    const printed = till.printed();
    till.printer.clear();
    socket.end('Milk\n');
    expect(await printed.then((printout) => printout.kind === 'raw' && printout.drawn?.texts())).toEqual(['Milk']);
    expect(till.hardware.waiting).toBe(0);
  });

  it('keeps what was torn off before the rest was lost', async () => {
    till.printer.fail('media-empty', { afterMm: 5 });
    till.printer.clear('cover-open');
    await exchange(kept.port, 'Coffee\nTea\nMilk\n');
    till.hardware.clearBuffer();
    till.printer.clear();
    const [printout, ...others] = till.printer.printouts();
    expect(others).toEqual([]);
    expect(printout?.kind === 'raw' && [printout.complete, printout.drawn?.texts()]).toEqual([false, ['Coffee\nTea']]);
  });
});

describe.each([
  ['receipt-80mm', 4_096, '\x10\x04\x02', '16'],
  ['receipt-windows', 4_096, '\x10\x04\x02', '16'],
  ['receipt-chinese', 65_536, '\x10\x04\x02', '16'],
  ['receipt-star', 4_096, '\x05', '24'],
])('a raw port of %s, which is open', (profile, bufferBytes, request, answer) => {
  it('answers as long as it reads: to the byte of its buffer', async () => {
    await using till = new PrinterOnDesk(profile);
    till.printer.fail('cover-open');
    const open = await RawPort.start({ printer: till.hardware, port: 0 });
    const socket = connect(open.port, '127.0.0.1');
    let heard = '';
    socket.on('data', (bytes) => (heard += bytes.toString('hex')));
    const ask = (text: string): boolean => socket.write(Buffer.from(`${text}${request}`, 'latin1'));
    ask('x'.repeat(bufferBytes - 1));
    await expect.poll(() => heard).toBe(answer);
    ask('y');
    await sleep(systemClock, 200);
    expect(heard).toBe(answer);
    till.printer.clear();
    await expect.poll(() => heard.length).toBe(answer.length * 2);
    socket.destroy();
    await open.close();
  });
});
