/**
 * Faults in the middle of a receipt: what is on the paper when the printer stops, and how it goes on.
 */

import { PDFDocument } from 'pdf-lib';
import { describe, expect, it } from 'vitest';

import { PRINTER_FAULTS, isPaperGone, isReported, stopsSheets } from '../../../../src/devices/printer/printer-fault.ts';
import { keysOf } from '../../../../src/common/keys-of.ts';
import type { Printout } from '../../../../src/devices/printer/printout.ts';
import { faultComplaint, ROOM_FAULTS } from '../../../../src/devices/room-faults.ts';
import { PrintRoom } from '../../../support/print-room.ts';

/** Ten lines of 4.25 mm, then a second receipt. */
const LINES = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`);
const RECEIPTS = Buffer.from(`${LINES.join('\n')}\n\x1dV\0thanks\n\x1dV\0`, 'latin1');
const STOPS = keysOf(PRINTER_FAULTS).filter(
  (fault) => isReported(fault) && stopsSheets(fault) && fault !== 'media-jam',
);
const PROFILES = ['receipt-80mm', 'receipt-star', 'receipt-windows', 'receipt-chinese'];

async function roomWith(profile = 'receipt-80mm', timeScale = 0): Promise<PrintRoom> {
  const room = new PrintRoom(profile, undefined, timeScale);
  await room.computer.connect();
  return room;
}

function print(room: PrintRoom): Promise<void> {
  return room.print({ contentType: 'raw_base64', content: RECEIPTS.toString('base64') });
}

function paperOf(room: PrintRoom): Printout & { readonly kind: 'raw' } {
  const [printout] = room.printer.printouts();
  if (printout?.kind !== 'raw') throw new Error('nothing came out');
  return printout;
}

function textsOf(room: PrintRoom): string[] {
  return paperOf(room).drawn?.texts() ?? [];
}

const lines = (from: number, to: number): string => LINES.slice(from, to).join('\n');

describe('a receipt printer that stops after 10 mm', () => {
  it.each(STOPS)('with %s shows the lines that are out, and goes on where it stopped', async (fault) => {
    await using room = await roomWith();
    room.printer.fail(fault, { afterMm: 10 });
    await print(room);
    expect(room.printer.faults).toEqual([fault]);
    expect([paperOf(room).complete, paperOf(room).pieces, textsOf(room)]).toEqual([false, 1, [lines(0, 3)]]);
    room.printer.clear(fault);
    await room.clock.settle();
    const torn = [lines(0, 3), lines(3, 10), 'thanks'];
    const whole = [lines(0, 10), 'thanks'];
    expect([paperOf(room).complete, textsOf(room)]).toEqual([true, isPaperGone(fault) ? torn : whole]);
    expect(paperOf(room).pieces).toBe(textsOf(room).length);
  });

  it.each(PROFILES)('has a picture of each piece of paper: %s', async (profile) => {
    await using room = await roomWith(profile);
    room.printer.fail('media-empty', { afterMm: 10 });
    await print(room);
    room.printer.clear();
    await room.clock.settle();
    const pdf = await PDFDocument.load((await paperOf(room).drawn?.pdf()) ?? new Uint8Array());
    const mm = pdf.getPages().map((page) => Math.round((page.getHeight() * 25.4) / 72));
    expect(mm).toEqual([13, 30, 4]);
  });

  it('has no piece of paper with nothing on it', async () => {
    await using room = await roomWith();
    room.printer.fail('media-empty', { afterMm: 8 });
    const content = Buffer.from('a\nb\n\x1bd\x05\x1dV\0', 'latin1').toString('base64');
    await room.print({ contentType: 'raw_base64', content });
    expect([room.printer.faults, paperOf(room).complete, textsOf(room)]).toEqual([['media-empty'], true, ['a\nb']]);
  });

  it('loses what a jam has spoiled, and prints it again', async () => {
    await using room = await roomWith();
    room.printer.fail('media-jam', { afterMm: 10 });
    await print(room);
    expect(room.printer.printouts()).toEqual([]);
    room.printer.clear();
    await room.clock.settle();
    expect([textsOf(room), paperOf(room).sheetsLost]).toEqual([[lines(0, 10), 'thanks'], 1]);
  });
});

describe('a roll', () => {
  it('can end several times in a receipt', async () => {
    await using room = await roomWith();
    room.printer.fail('media-empty', { afterMm: 10 });
    await print(room);
    room.printer.fail('media-needed', { afterMm: 10 });
    room.printer.clear('media-empty');
    room.printer.clear('media-needed');
    await room.clock.settle();
    expect(textsOf(room)).toEqual([lines(0, 3), lines(3, 6), lines(6, 10), 'thanks']);
  });

  it('has so much paper left, whatever is printed on it', async () => {
    await using room = await roomWith();
    room.printer.fail('media-empty', { afterMm: 60 });
    await print(room);
    expect([paperOf(room).complete, room.printer.faults]).toEqual([true, []]);
    await room.print({ jobId: 2, contentType: 'raw_base64', content: RECEIPTS.toString('base64') });
    expect(room.printer.faults).toEqual(['media-empty']);
    expect(room.printer.printouts(2).map((one) => one.kind === 'raw' && one.drawn?.texts())).toEqual([[lines(0, 4)]]);
  });

  it('that ends soon warns, and the printer prints on', async () => {
    await using room = await roomWith();
    room.printer.fail('media-low', { afterMm: 10 });
    await print(room);
    expect([room.printer.faults, textsOf(room)]).toEqual([['media-low'], [lines(0, 10), 'thanks']]);
  });

  it.each([
    [40, undefined],
    [0.5, undefined],
    [0, 'mm of media-empty is not a length; write 40'],
    [-1, 'mm of media-empty is not a length; write 40'],
    ['40mm', 'mm of media-empty is not a length; write 40'],
  ])('ends after mm: %j', (mm, complaint) => {
    const rule = { at: 'printer/Till', fault: 'media-empty', with: { mm } };
    expect(faultComplaint(rule, ROOM_FAULTS)).toBe(complaint);
  });

  it('is what a fault in millimetres needs', async () => {
    await using room = new PrintRoom('laser-a4');
    expect(() => room.printer.fail('media-empty', { afterMm: 10 })).toThrow("'Laser' is no receipt printer");
  });
});

describe('a receipt that takes its time', () => {
  it('is out as far as the printer has got when a fault comes, and takes the rest of its time later', async () => {
    await using room = await roomWith('receipt-80mm', 100);
    await print(room);
    // 300 mm a second, a hundred times slower.
    await room.clock.advance('5s');
    room.printer.fail('cover-open');
    expect(textsOf(room)).toEqual([lines(0, 4)]);
    room.printer.clear();
    await room.clock.advance('8s');
    expect(textsOf(room)).toEqual([lines(0, 4)]);
    await room.clock.advance('4s');
    expect(textsOf(room)).toEqual([lines(0, 10), 'thanks']);
  });
});
