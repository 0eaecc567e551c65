import { describe, expect, it } from 'vitest';

import type { Printout, SheetsPrintout } from '../../../../src/devices/printer/printout.ts';
import { fixtureDocument, PrintRoom } from '../../../support/print-room.ts';

const LABEL = fixtureDocument('zpl-label.zpl');

function sheetsOf(printout: Printout | undefined): SheetsPrintout {
  if (printout?.kind !== 'sheets') throw new Error(`no sheets came out, but ${printout?.kind ?? 'nothing'}`);
  return printout;
}

describe('a virtual computer', () => {
  it('reports its printers when it connects and when it is asked to', async () => {
    await using room = await PrintRoom.connected();
    room.link.refresh();
    expect(room.link.printerReports).toHaveLength(2);
    expect(room.link.printerReports[1]).toMatchObject([{ key: 'printer-1', name: 'Laser', state: 'online' }]);
  });

  it('prints pages 2-3 twice as 2 3 2 3, and reports each state once', async () => {
    await using room = await PrintRoom.connected();
    await room.print({ options: { pages: '2-3', copies: 2 } });
    expect(room.link.statesOf(1)).toEqual(['received', 'preparing_to_print', 'queued_to_print', 'done']);
    const printout = sheetsOf(room.printer.printouts(1)[0]);
    expect(printout.sheets.map((sheet) => sheet.sides[0]?.sourcePages)).toEqual([[2], [3], [2], [3]]);
    expect(await printout.text(3)).toContain('page 2 of 3');
  });

  it('makes as many printouts as qty says, of the same bytes, on the paper of the printer', async () => {
    await using room = await PrintRoom.connected();
    await room.print({ qty: 3 });
    const printouts = room.printer.printouts().map(sheetsOf);
    expect(printouts.map(({ submission }) => submission)).toEqual([1, 2, 3]);
    expect(await printouts[2]?.pdf()).toEqual(await printouts[0]?.pdf());
    expect(printouts[0]?.sheets[0]?.paper.name).toBe('A4');
  });

  it('O4: repeats the whole submission for qty, copies and all, also when they are not collated', async () => {
    await using room = await PrintRoom.connected();
    await room.print({ qty: 2, options: { pages: '1-2', copies: 3, collate: false } });
    const pages = room.printer
      .printouts()
      .map(sheetsOf)
      .map(({ sheets }) => sheets.flatMap(({ sides }) => sides.flatMap(({ sourcePages }) => sourcePages)));
    expect(pages).toEqual([
      [1, 1, 1, 2, 2, 2],
      [1, 1, 1, 2, 2, 2],
    ]);
  });

  it('makes byte-identical sheets from the same job', async () => {
    await using room = await PrintRoom.connected();
    await room.print({ jobId: 1 });
    await room.print({ jobId: 2 });
    const [first, second] = room.printer.printouts().map(sheetsOf);
    expect(await second?.pdf()).toEqual(await first?.pdf());
  });

  it('acknowledges a job that is delivered again, and does not print it again', async () => {
    await using room = await PrintRoom.connected();
    await room.print();
    await room.print();
    expect(room.printer.printouts(1)).toHaveLength(1);
    expect(room.link.statesOf(1).filter((state) => state === 'done')).toHaveLength(1);
  });

  it('hands raw bytes on as they are, qty times, whatever the options say', async () => {
    await using room = await PrintRoom.connected();
    const options = { copies: 5, paper: 'no such paper' };
    await room.print({ contentType: 'raw_base64', content: LABEL.toString('base64'), qty: 2, options });
    const printouts = room.printer.printouts(1);
    expect(printouts).toHaveLength(2);
    expect(printouts[1]).toMatchObject({ kind: 'raw', length: LABEL.length });
    expect(printouts[1]?.kind === 'raw' && Buffer.compare(printouts[1].bytes, LABEL)).toBe(0);
  });

  it('keeps the newest printouts when the tray is full, and announces each that comes out', async () => {
    await using room = await PrintRoom.connected();
    let heard = 0;
    room.printer.onPrintout(() => heard++);
    await room.print({ contentType: 'raw_base64', content: 'AAEC', qty: 25 });
    expect(heard).toBe(25);
    expect(room.printer.printouts().map(({ submission }) => submission)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 6),
    );
  });

  it('takes base64 with line breaks', async () => {
    await using room = await PrintRoom.connected();
    const lines = room.job().content.replaceAll(/.{76}/g, '$&\r\n');
    await room.print({ content: lines });
    expect(room.link.statesOf(1)).toContain('done');
  });

  it.each([
    ['content that is not base64', { content: 'a*b' }, 'the content is not base64'],
    ['a printer it does not have', { printerKey: 'gone' }, "printer not found: this computer has none with key 'gone'"],
    ['an unknown paper', { options: { paper: 'A9' } }, 'print option paper = "A9"'],
    ['a page outside the document', { options: { pages: '4' } }, 'print option pages = "4": page 4 is outside'],
    ['a file: address', { contentType: 'pdf_uri', content: 'file:///etc/hosts' }, 'file: addresses are not fetched'],
  ] as const)('reports error for %s, and prints nothing', async (_, changes, message) => {
    await using room = await PrintRoom.connected();
    await room.print(changes);
    expect(room.link.statesOf(1).at(-1)).toBe('error');
    expect(room.link.messageOf(1)).toContain(message);
    expect(room.printer.printouts()).toEqual([]);
  });

  it('comes back by itself after a drop, and then reports what it could not before', async () => {
    await using room = await PrintRoom.connected();
    room.computer.cut();
    await room.print();
    expect(room.link.statesOf(1)).toEqual([]);
    expect(room.computer.holding()).toEqual([1]);
    await room.clock.advance('2s');
    expect(room.computer.connected).toBe(true);
    expect(room.link.holdings).toEqual([[], [1]]);
    expect(room.link.statesOf(1).at(-1)).toBe('done');
    await room.clock.settle();
    expect(room.computer.holding()).toEqual([]);
  });

  it('reports at the next connection what it did between two, and nothing twice', async () => {
    await using room = await PrintRoom.connected();
    await room.print({ jobId: 1 });
    const underWay = room.link.deliver(room.job({ jobId: 2 }));
    await room.computer.disconnect();
    await underWay;
    await room.clock.settle();
    expect(room.link.statesOf(2)).toEqual([]);
    await room.computer.connect();
    await room.clock.settle();
    expect(room.link.statesOf(2).at(-1)).toBe('done');
    expect(room.link.statesOf(1).filter((state) => state === 'done')).toHaveLength(1);
    expect(room.computer.holding()).toEqual([]);
  });

  it('waits longer and longer while the service is away, at most 30 s at a time', async () => {
    await using room = await PrintRoom.connected();
    room.link.refusal = { reason: 'unreachable', message: 'not there' };
    room.link.drop();
    await room.clock.advance('10m');
    const early = room.link.attempts;
    await room.clock.advance('50m');
    const perTenMinutes = (room.link.attempts - early) / 5;
    expect(perTenMinutes).toBeGreaterThan(20);
    expect(perTenMinutes).toBeLessThan(100);
    room.link.refusal = undefined;
    await room.clock.advance('30s');
    expect(room.computer.connected).toBe(true);
  });

  it('does not try again where it was never welcome', async () => {
    await using room = new PrintRoom();
    room.link.refusal = { reason: 'unauthorized', message: 'there is no such key' };
    room.computer.start();
    await room.clock.advance('1h');
    expect(room.link.attempts).toBe(1);
    expect(room.computer.lastFailure?.message).toBe('there is no such key');
  });

  it('tries again, not before a minute and seldom, where it is not welcome any more', async () => {
    await using room = await PrintRoom.connected();
    await room.clock.advance('1m');
    room.link.refusal = { reason: 'unauthorized', message: 'the account is suspended' };
    room.link.drop(room.link.refusal);
    await room.clock.advance('59s');
    expect(room.link.attempts).toBe(1);
    await room.clock.advance('1d');
    expect(room.link.attempts).toBeGreaterThan(96);
    expect(room.link.attempts).toBeLessThan(300);
    expect(room.computer.lastFailure?.message).toBe('the account is suspended');
    room.link.refusal = undefined;
    await room.clock.advance('15m');
    expect(room.computer.connected).toBe(true);
  });

  it('tries again where it was refused, as a service that restarts refuses through its proxy', async () => {
    await using room = await PrintRoom.connected();
    room.link.drop({ reason: 'refused', message: 'the service refused the link with 503' });
    await room.clock.advance('1m');
    expect(room.computer.connected).toBe(true);
  });

  it('waits as long as the service asks, within limits', async () => {
    await using room = await PrintRoom.connected();
    room.link.refusal = { reason: 'refused', message: 'too many', retryAfterMs: 20_000 };
    room.link.drop(room.link.refusal);
    await room.clock.advance('65s');
    expect(room.link.attempts).toBe(4);
    room.link.refusal = { ...room.link.refusal, retryAfterMs: 86_400_000 };
    await room.clock.advance('20s');
    room.link.refusal = undefined;
    await room.clock.advance('1m');
    expect(room.computer.connected).toBe(true);
  });

  it('keeps messages short, however long a value the caller sent', async () => {
    await using room = await PrintRoom.connected();
    await room.print({ options: { paper: 'x'.repeat(100_000) } });
    expect(room.link.messageOf(1)?.length).toBe(1_000);
  });

  it('leaves nothing scheduled while it is idle', async () => {
    await using room = await PrintRoom.connected();
    await room.clock.advance('14d');
    expect(room.link.attempts).toBe(1);
    expect(room.clock.heldBy).toEqual([]);
  });
});
