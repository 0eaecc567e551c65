import { PDFDocument } from 'pdf-lib';
import { describe, expect, it } from 'vitest';

import { PRINTER_PROFILES, type PrinterProfile } from '../../../../src/devices/printer/printer-profile.ts';
import { amountInWords, type SheetsPrintout } from '../../../../src/devices/printer/printout.ts';
import type { DeliveredJob } from '../../../../src/link/device-link.ts';
import { fixtureDocument, PrintRoom } from '../../../support/print-room.ts';

const laser = PRINTER_PROFILES.load('laser-a4');
/** One side a second, after eight seconds for the first sheet. */
const steady: PrinterProfile = {
  ...laser,
  speed: { firstPageOutMs: 8_000, printrate: { unit: 'ppm', rate: 60 } },
};

class TimedRoom extends PrintRoom {
  constructor(profile: PrinterProfile = steady, timeScale = 1) {
    super(profile, undefined, timeScale);
  }

  /** Sheets out of a job. */
  sheetsOut(jobId = 1): number {
    return this.printer
      .printouts(jobId)
      .reduce((sum, printout) => sum + (printout.kind === 'sheets' ? printout.sheets.length : printout.pieces), 0);
  }

  /** States of the printer as reported to the service, each once. */
  reportedStates(): (string | null | undefined)[] {
    const states = this.link.printerReports.map((printers) => printers[0]?.state);
    return states.filter((state, index) => state !== states[index - 1]);
  }

  sheets(jobId = 1): SheetsPrintout {
    const [printout] = this.printer.printouts(jobId);
    if (printout?.kind !== 'sheets') throw new Error('no sheets came out');
    return printout;
  }
}

async function connected(...parts: ConstructorParameters<typeof TimedRoom>): Promise<TimedRoom> {
  const room = new TimedRoom(...parts);
  await room.computer.connect();
  return room;
}

describe('the paper path', () => {
  it('is done at once where time does not count, and says so in the job first', async () => {
    await using room = await connected(steady, 0);
    await room.print();
    expect(room.sheetsOut()).toBe(3);
    expect(room.sheets()).toMatchObject({ complete: true, sheetsLost: 0 });
  });

  it('lays sheets out at the rate of the machine, after the time for the first, while the job is done', async () => {
    await using room = await connected();
    await room.print();
    expect(room.link.statesOf(1).at(-1)).toBe('done');
    expect(room.sheetsOut()).toBe(0);
    await room.clock.advance('9s');
    expect(room.sheetsOut()).toBe(1);
    expect(room.sheets().complete).toBe(false);
    await room.clock.advance('2s');
    expect(room.sheetsOut()).toBe(3);
    expect(room.sheets()).toMatchObject({ complete: true, printedAtMs: room.clock.now() });
  });

  it('waits for the first sheet of a run only: the next job follows', async () => {
    await using room = await connected();
    await room.print({ jobId: 1 });
    await room.print({ jobId: 2 });
    await room.clock.advance('14s');
    expect([room.sheetsOut(1), room.sheetsOut(2)]).toEqual([3, 3]);
  });

  it('takes as long as there are sides, and twice as long where duplex halves the rate', async () => {
    const options = { duplex: 'long-edge' };
    await using room = await connected();
    await room.print({ options });
    await room.clock.advance('11s');
    expect(room.sheetsOut()).toBe(1);
    await room.clock.advance('1s');
    expect(room.sheetsOut()).toBe(2);
    await using slow = await connected({ ...steady, quirks: { ...steady.quirks, halfRateDuplex: true } });
    await slow.print({ options });
    await slow.clock.advance('15s');
    expect(slow.sheetsOut()).toBe(1);
    await slow.clock.advance('1s');
    expect(slow.sheetsOut()).toBe(2);
  });

  it('scales time, and takes none where neither profile nor driver gives a rate', async () => {
    await using room = await connected(steady, 0.1);
    await room.print();
    await room.clock.advance('1100ms');
    expect(room.sheetsOut()).toBe(3);
    const capabilities = laser.capabilities && { ...laser.capabilities, printrate: null };
    await using silent = await connected({ ...laser, capabilities });
    await silent.print();
    expect(silent.sheetsOut()).toBe(3);
  });

  it('shows a half-printed job as a PDF of what came out', async () => {
    await using room = await connected();
    await room.print({ options: { duplex: 'short-edge' } });
    await room.clock.advance('10s');
    const printout = room.sheets();
    expect((await PDFDocument.load(await printout.pdf())).getPageCount()).toBe(2);
    expect(await printout.text(2)).toContain('page 2 of 3');
    await expect(printout.png(3)).rejects.toThrow('sides 1 to 2 came out');
    await room.clock.advance('1m');
    expect((await PDFDocument.load(await room.sheets().pdf())).getPageCount()).toBe(4);
  });

  it('has nothing scheduled once everything is out', async () => {
    await using room = await connected();
    await room.print();
    await room.clock.advance('1d');
    expect(room.clock.heldBy).toEqual([]);
    expect(room.sheets().printedAtMs).toBeLessThan(room.clock.now() - 80_000_000);
  });
});

describe('a tray', () => {
  const profile: PrinterProfile = { ...steady, trays: { Tray1: 2, 'MP Tray': 1 } };

  it('runs empty: sheets stop, the printer says out_of_paper, the job stays done, a refill goes on', async () => {
    await using room = await connected(profile, 0);
    await room.print({ options: { bin: 'Tray1' } });
    expect(room.sheetsOut()).toBe(2);
    expect(room.printer.faults).toEqual(['media-empty']);
    await room.clock.advance('1h');
    expect(room.link.statesOf(1).at(-1)).toBe('done');
    room.printer.loadPaper('Tray1', 100);
    await room.clock.settle();
    expect(room.sheetsOut()).toBe(3);
    expect(room.reportedStates()).toEqual(['online', 'out_of_paper', 'online']);
  });

  it('is chosen by the printer where the job names none: the next one with paper', async () => {
    await using room = await connected(profile, 0);
    await room.print();
    expect(room.sheetsOut()).toBe(3);
    await room.print({ jobId: 2, options: { pages: '1' } });
    expect(room.sheetsOut(2)).toBe(0);
    expect(room.printer.state).toBe('out_of_paper');
  });

  it('is not helped by clearing the fault alone, nor by paper in another tray', async () => {
    await using room = await connected(profile, 0);
    await room.print({ options: { bin: 'Tray1' } });
    room.printer.clear('media-empty');
    room.printer.loadPaper('MP Tray', 10);
    expect([room.sheetsOut(), room.printer.state]).toEqual([2, 'out_of_paper']);
  });

  it('never runs empty unless it is counted, and is counted once it was loaded', async () => {
    await using room = await connected(steady, 0);
    await room.print({ options: { copies: 50 } });
    expect(room.sheetsOut()).toBe(150);
    room.printer.loadPaper('Tray1', 2);
    await room.print({ jobId: 2, options: { bin: 'Tray1' } });
    expect(room.sheetsOut(2)).toBe(2);
  });

  it('has to exist', async () => {
    await using room = await connected(profile);
    expect(() => room.printer.loadPaper('Tray 9', 1)).toThrow("printer 'Laser' has no tray 'Tray 9'");
    expect(() => room.printer.loadPaper('Tray1', -1)).toThrow('-1 is not a number of sheets');
  });
});

describe('a fault', () => {
  it.each([
    ['media-jam', 'error'],
    ['cover-open', 'error'],
    ['toner-empty', 'error'],
    ['media-empty', 'out_of_paper'],
    ['offline', 'offline'],
    ['paused', 'offline'],
  ])('%s after two sheets stops the third, is reported as %s, and the rest follows', async (reason, state) => {
    await using room = await connected(steady, 0);
    room.printer.fail(reason, { afterSheets: 2 });
    expect(room.printer.state).toBe('online');
    await room.print();
    await room.clock.advance('1h');
    expect(room.sheetsOut()).toBe(2);
    expect(room.link.statesOf(1).at(-1)).toBe('done');
    room.printer.clear(reason);
    await room.clock.settle();
    expect(room.sheetsOut()).toBe(3);
    expect(room.reportedStates()).toEqual(['online', state, 'online']);
    expect(room.sheets().sheetsLost).toBe(reason === 'media-jam' ? 1 : 0);
  });

  it('media-jam loses the sheet in the path, and prints it again on paper from the tray', async () => {
    await using room = await connected({ ...steady, trays: { Tray1: 3 } });
    await room.print({ options: { bin: 'Tray1' } });
    await room.clock.advance('9500ms');
    room.printer.fail('media-jam');
    room.printer.clear();
    await room.clock.advance('1m');
    expect(room.sheetsOut()).toBe(2);
    expect(room.printer.faults).toEqual(['media-empty']);
    room.printer.loadPaper('Tray1', 1);
    await room.clock.advance('1m');
    expect(room.sheets()).toMatchObject({ complete: true, sheetsLost: 1 });
    expect(room.sheets().sheets.map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  it('keeps the sheet in the path unless it is a jam', async () => {
    await using room = await connected({ ...steady, trays: { Tray1: 3 } });
    await room.print({ options: { bin: 'Tray1' } });
    await room.clock.advance('9500ms');
    room.printer.fail('cover-open');
    await room.clock.advance('1h');
    expect(room.sheetsOut()).toBe(1);
    room.printer.clear('cover-open');
    await room.clock.advance('10s');
    expect(room.sheets()).toMatchObject({ complete: true, sheetsLost: 0 });
  });

  it('of several is reported as the worst, until all that stop are cleared', async () => {
    await using room = await connected(steady, 0);
    room.printer.fail('media-empty');
    room.printer.fail('cover-open');
    room.printer.fail('offline');
    await room.print();
    for (const reason of ['offline', 'cover-open']) room.printer.clear(reason);
    await room.clock.settle();
    expect(room.sheetsOut()).toBe(0);
    room.printer.clear();
    await room.clock.settle();
    expect(room.sheetsOut()).toBe(3);
    expect(room.reportedStates()).toEqual([
      'online',
      'out_of_paper',
      'error',
      'offline',
      'error',
      'out_of_paper',
      'online',
    ]);
  });

  it('toner-low is a warning that stops nothing', async () => {
    await using room = await connected(steady, 0);
    room.printer.fail('toner-low');
    await room.print();
    expect([room.sheetsOut(), room.printer.state]).toEqual([3, 'online']);
    expect(room.printer.faults).toEqual(['toner-low']);
  });

  it('spool-area-full lets what is queued come out, and fails new jobs', async () => {
    await using room = await connected();
    await room.print();
    room.printer.fail('spool-area-full');
    await room.print({ jobId: 2 });
    expect(room.link.statesOf(2).at(-1)).toBe('error');
    expect(room.link.messageOf(2)).toContain('spool-area-full');
    await room.clock.advance('1m');
    expect([room.sheetsOut(1), room.sheetsOut(2)]).toEqual([3, 0]);
  });

  it('that is only coming can be called off', async () => {
    await using room = await connected(steady, 0);
    room.printer.fail('media-jam', { afterSheets: 1 });
    room.printer.clear('media-jam');
    await room.print();
    expect(room.sheetsOut()).toBe(3);
  });

  it('holds raw jobs back as well', async () => {
    await using room = await connected(steady, 0);
    room.printer.fail('offline');
    await room.print({ contentType: 'raw_base64', content: 'AAEC' });
    expect([room.link.statesOf(1).at(-1), room.sheetsOut()]).toEqual(['done', 0]);
    room.printer.clear();
    expect(room.sheetsOut()).toBe(1);
  });

  it('has to be one of the known ones', async () => {
    await using room = await connected();
    expect(() => room.printer.fail('media-jammed')).toThrow("a printer has no fault 'media-jammed'");
    expect(() => room.printer.clear('toString')).toThrow("a printer has no fault 'toString'");
  });
});

function raw(text: string, more: Partial<DeliveredJob> = {}): Partial<DeliveredJob> {
  return { contentType: 'raw_base64', content: Buffer.from(text, 'latin1').toString('base64'), ...more };
}

describe('raw bytes on paper', () => {
  /** A 4 x 6 inch label, 152.4 mm long, in one second. */
  const labels: PrinterProfile = {
    ...PRINTER_PROFILES.load('label-4x6'),
    speed: { firstPageOutMs: 0, mmPerSecond: 152.4 },
  };
  const roll: PrinterProfile = { ...labels, trays: { Roll: 2 } };

  it.each([
    ['ZPL', '^XA^FO1,1^FDa^FS^PQ3^XZ^XA^FDb^FS^XZ', 4],
    ['EPL', 'N\nA10,10,0,1,1,1,N,"a"\nP2\n', 2],
    ['TSPL', 'SIZE 4,6\nCLS\nTEXT 1,1,"1",0,1,1,"a"\nPRINT 2,2\n', 4],
    ['PostScript', '%!PS\n%%Pages: 3\nshowpage\n', 3],
    ['ESC/POS', '\x1b@a\n\x1dV\x00b\n\x1dV\x00', 2],
    ['settings alone', '^XA^MMT^XZ', 0],
    ['an unknown language', '\x00\x01\x02', 1],
    ['a bomb', '^XA^FDa^FS^PQ99999999^XZ', 1_000],
  ])('come out in as many pieces as they ask for: %s', async (_, text, pieces) => {
    await using room = await connected(labels, 0);
    await room.print(raw(text));
    expect(room.printer.printouts()).toMatchObject([{ kind: 'raw', complete: true, pieces, length: text.length }]);
  });

  it('are described in words that people count in', async () => {
    await using room = await connected(labels, 0);
    await room.print(raw('^XA^FDa^FS^XZ'));
    await room.print(raw('\x00\x01', { jobId: 2 }));
    await room.print({ jobId: 3 });
    expect(room.printer.printouts().map(amountInWords)).toEqual([
      '13 raw bytes (1 label)',
      '2 raw bytes (of unknown extent)',
      '3 sheets',
    ]);
  });

  it('come out at the speed of the paper, label by label, whole bytes from the first one', async () => {
    await using room = await connected(labels, 1);
    await room.print(raw('^XA^FDa^FS^PQ3^XZ', { qty: 2 }));
    const out: number[] = [];
    for (let second = 0; second < 7; second++) {
      out.push(room.sheetsOut());
      await room.clock.advance('1s');
    }
    expect(out).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('take the time of receipts as long as these are', async () => {
    const receipts: PrinterProfile = {
      ...PRINTER_PROFILES.load('receipt-80mm'),
      speed: { firstPageOutMs: 0, mmPerSecond: 4.25 },
    };
    await using room = await connected(receipts, 1);
    await room.print(raw('\x1b@a\nb\n\x1dV\x00c\n\x1dV\x00'));
    const out: number[] = [];
    for (let second = 0; second < 4; second++) {
      out.push(room.sheetsOut());
      await room.clock.advance('1s');
    }
    expect(out).toEqual([0, 0, 1, 2]);
  });

  it('stop where the roll is empty, and go on with the next one', async () => {
    await using room = await connected(roll, 0);
    await room.print(raw('^XA^FDa^FS^PQ5^XZ'));
    expect(room.printer.printouts()).toMatchObject([{ pieces: 2, complete: false }]);
    expect(room.printer.state).toBe('out_of_paper');
    room.printer.loadPaper('Roll', 500);
    expect(room.printer.printouts()).toMatchObject([{ pieces: 5, complete: true }]);
  });

  it('lose a label in a jam, which is printed again', async () => {
    await using room = await connected(labels, 0);
    room.printer.fail('media-jam', { afterSheets: 2 });
    await room.print(raw('^XA^FDa^FS^PQ5^XZ'));
    expect(room.sheetsOut()).toBe(2);
    room.printer.clear();
    expect(room.printer.printouts()).toMatchObject([{ pieces: 5, sheetsLost: 1 }]);
  });

  it('time PDF labels by the length of the paper as well', async () => {
    await using room = await connected(labels, 1);
    await room.print({ content: fixtureDocument('label-4x6.pdf').toString('base64') });
    await room.clock.advance('999ms');
    expect(room.sheetsOut()).toBe(0);
    await room.clock.advance('1ms');
    expect(room.sheetsOut()).toBe(1);
  });
});

describe('a printer that is offline from the beginning', () => {
  it('holds what is queued until it is put online, and is online then', async () => {
    await using room = await connected({ ...laser, state: 'offline' }, 0);
    expect([room.printer.state, room.printer.faults]).toEqual(['offline', ['offline']]);
    await room.print();
    expect([room.link.statesOf(1).at(-1), room.sheetsOut()]).toEqual(['done', 0]);
    expect(room.printer.state).toBe('offline');
    room.printer.clear('offline');
    expect([room.printer.state, room.printer.faults, room.sheetsOut()]).toEqual(['online', [], 3]);
    await room.clock.settle();
    expect(room.reportedStates()).toEqual(['offline', 'online']);
  });
});
