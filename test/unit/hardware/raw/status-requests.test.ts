/**
 * What a printer answers in the middle of a stream, by language, request and fault, as the manuals print it.
 */

import { afterEach, describe, expect, it } from 'vitest';

import { StatusRequests } from '../../../../src/hardware/raw/status-requests.ts';
import { PrinterOnDesk } from '../../../support/hardware-printer.ts';

const desks: PrinterOnDesk[] = [];

afterEach(async () => {
  for (const desk of desks.splice(0)) await desk[Symbol.asyncDispose]();
});

interface Till {
  readonly desk: PrinterOnDesk;
  readonly requests: StatusRequests;
  /** What it said since it was asked last, in hexadecimal digits. */
  heard(): string;
  /** What belongs to the document. */
  say(bytes: string): string;
  cleared: number;
}

function tillAt(profile: string, ...faults: readonly string[]): Till {
  const desk = new PrinterOnDesk(profile);
  desks.push(desk);
  for (const fault of faults) desk.printer.fail(fault);
  let heard = '';
  const send = (answer: Buffer): void => void (heard += answer.toString('hex'));
  const requests = new StatusRequests(desk.hardware, { send, clear: () => till.cleared++ });
  const till: Till = {
    desk,
    requests,
    cleared: 0,
    heard: () => {
      const said = heard;
      heard = '';
      return said;
    },
    say: (bytes) => Buffer.from(requests.take(Buffer.from(bytes, 'latin1'))).toString('latin1'),
  };
  return till;
}

/** Fault → answers to DLE EOT 1 to 4, and the first three bytes of GS a. */
const ESC_POS: Readonly<Record<string, readonly [string, string]>> = {
  'nothing wrong': ['16121212', '140000'],
  'media-low': ['1612121e', '140003'],
  'media-empty': ['1e32127e', '1c000f'],
  'media-needed': ['1e32127e', '1c000f'],
  'cover-open': ['1e161212', '3c0000'],
  'door-open': ['1e161212', '3c0000'],
  'trimmer-jam': ['1e521a12', '1c0800'],
  'fuser-over-temp': ['1e525212', '1c4000'],
  'media-jam': ['1e523212', '1c2000'],
  other: ['1e523212', '1c2000'],
  paused: ['1e121212', '1c0000'],
};

/** Fault → answers to ENQ and EOT, and bytes 3 to 6 of the automatic status. */
const STAR: Readonly<Record<string, readonly [string, string]>> = {
  'nothing wrong': ['2010', '00000000'],
  'media-low': ['2014', '00000004'],
  'media-empty': ['281c', '0800000c'],
  'cover-open': ['2410', '28000000'],
  'trimmer-jam': ['2410', '08080000'],
  'fuser-over-temp': ['2410', '08400000'],
  other: ['2410', '08200000'],
};

const PAPERS = ['receipt-80mm', 'receipt-windows', 'receipt-chinese'];
const faultsIn = (name: string): string[] => (name === 'nothing wrong' ? [] : [name]);

describe.each(PAPERS)('a printer of ESC/POS: %s', (profile) => {
  it.each(Object.entries(ESC_POS))('with %s says so at once', (fault, [answers]) => {
    const till = tillAt(profile, ...faultsIn(fault));
    till.say('\x10\x04\x01\x10\x04\x02\x10\x04\x03\x10\x04\x04');
    expect(till.heard()).toBe(answers);
  });

  it.each(Object.entries(ESC_POS))('tells of %s when it comes and when it goes', (fault, [, status]) => {
    const till = tillAt(profile);
    till.say('\x1da\xff');
    expect(till.heard()).toBe('1400000f');
    for (const one of faultsIn(fault)) till.desk.printer.fail(one);
    expect(till.heard()).toBe(fault === 'nothing wrong' ? '' : `${status}0f`);
    till.desk.printer.clear();
    expect(till.heard()).toBe(fault === 'nothing wrong' ? '' : '1400000f');
  });
});

describe.each(['receipt-star'])('a Star printer: %s', (profile) => {
  it.each(Object.entries(STAR))('with %s says so at once', (fault, [answers, status]) => {
    const till = tillAt(profile, ...faultsIn(fault));
    till.say('\x05\x04\x1b\x06\x01');
    expect(till.heard()).toBe(`${answers}2306${status}000000`);
  });

  it.each(Object.entries(STAR))('tells of %s when it comes and when it goes', (fault, [, status]) => {
    const till = tillAt(profile);
    till.say('\x1b\x1ea\x01');
    expect(till.heard()).toBe('230600000000000000');
    for (const one of faultsIn(fault)) till.desk.printer.fail(one);
    expect(till.heard()).toBe(fault === 'nothing wrong' ? '' : `2306${status}000000`);
    till.say('\x1b\x1ea0');
    till.desk.printer.clear();
    expect(till.heard()).toBe(fault === 'nothing wrong' || fault === 'media-low' ? '' : `230600000000000000`);
  });
});

describe('automatic status', () => {
  it.each([
    ['on line and off line', 0x02, 'media-empty', true],
    ['errors', 0x04, 'media-empty', false],
    ['errors', 0x04, 'trimmer-jam', true],
    ['paper', 0x08, 'media-low', true],
    ['paper', 0x08, 'cover-open', false],
    ['the drawer', 0x01, 'cover-open', false],
  ])('of %s (%i) tells of %s: %s', (_, n, fault, isTold) => {
    const till = tillAt('receipt-80mm');
    till.say(`\x1da${String.fromCharCode(n)}`);
    till.heard();
    till.desk.printer.fail(fault);
    expect(till.heard() !== '').toBe(isTold);
  });

  it.each([['\x1da\0'], ['the end of the connection']])('ends with %j', (end) => {
    const till = tillAt('receipt-80mm');
    till.say('\x1da\xff');
    till.heard();
    if (end.startsWith('\x1d')) till.say(end);
    else till.requests.close();
    till.desk.printer.fail('cover-open');
    expect(till.heard()).toBe('');
  });
});

describe('a request that is answered in turn', () => {
  const IN_TURN = [
    ['GS r 1', '\x1dr\x01', '00'],
    ['GS r 49', '\x1dr1', '00'],
    ['GS r 2', '\x1dr\x02', '01'],
    ['ESC v', '\x1bv', '00'],
    ['ESC u 0', '\x1bu\0', '01'],
    ['GS I 1', '\x1dI\x01', '20'],
    ['GS I 2', '\x1dI2', '02'],
    ['GS I 66', '\x1dIB', Buffer.from('_EPSON\0').toString('hex')],
    ['GS I 67', '\x1dIC', Buffer.from('_TM-T88V\0').toString('hex')],
    ['GS I 68', '\x1dID', Buffer.from('_\0').toString('hex')],
    ['GS I 99', '\x1dIc', ''],
    ['GS a 255', '\x1da\xff', '1400000f'],
  ] as const;

  it.each(IN_TURN)('%s: at once while the printer prints, and after a stop', (_, request, answer) => {
    const till = tillAt('receipt-80mm');
    expect([till.say(`a${request}b`), till.heard()]).toEqual(['ab', answer]);
    till.say('\x1da\0');
    till.heard();
    till.desk.printer.fail('media-empty');
    expect([till.say(request), till.heard()]).toEqual(['', '']);
    till.desk.printer.clear();
    expect(till.heard()).toBe(answer);
  });

  it('says that the paper ends soon', () => {
    const till = tillAt('receipt-80mm', 'media-low');
    till.say('\x1dr\x01\x1bv');
    expect(till.heard()).toBe('0303');
  });

  it.each([
    ['a raster', 'receipt-80mm', '\x1dv0\0\x03\0\x02\0\x1dr\x01\x1dr\x01'],
    ['a QR code', 'receipt-80mm', '\x1d(k\x06\0\x31\x50\x30\x1dr\x01'],
    ['tabs', 'receipt-80mm', '\x1bD\x1dr\x01\0'],
    ['a raster of Star', 'receipt-star', '\x1b*rAb\x03\0\x05\x04\x05\x1b*rB'],
    ['a picture of Star', 'receipt-star', '\x1bX\x01\0\x05\x04\x05'],
    ['a picture of StarPRNT', 'receipt-star', '\x1b\x1dS\x01\x03\0\x01\0\0\x05\x04\x05'],
  ])('is none in %s, wherever that is cut', (_, profile, document) => {
    for (let cut = 0; cut <= document.length; cut++) {
      const till = tillAt(profile);
      const rest = (): string => Buffer.from(till.requests.rest()).toString('latin1');
      const seen = till.say(document.slice(0, cut)) + till.say(document.slice(cut)) + rest();
      expect([seen, till.heard()]).toEqual([document, '']);
    }
  });
});

describe('a request to lose what is in the buffer', () => {
  it.each([
    ['DLE ENQ 2', '\x10\x05\x02', 'trimmer-jam', 1],
    ['DLE ENQ 1', '\x10\x05\x01', 'trimmer-jam', 0],
    ['DLE ENQ 2', '\x10\x05\x02', 'media-empty', 0],
    ['DLE DC4 8', '\x10\x14\x08\x01\x03\x14\x01\x06\x02\x08', 'media-empty', 1],
  ])('%s (%j) is heard with %s: %i times', (_, request, fault, times) => {
    const till = tillAt('receipt-80mm', fault);
    expect([till.say(`a${request}b`), till.cleared]).toEqual([times > 0 ? 'b' : 'ab', times]);
  });
});

describe('status requests', () => {
  it.each(['%PDF-1.4\n', 'RaS2', '\x1b%-12345X@PJL'])('are none in a document that begins with %j', (beginning) => {
    const till = tillAt('receipt-80mm');
    const document = `${beginning}…\x10\x04\x01…\x1dr\x01`;
    expect([till.say(document), till.say(document), till.heard()]).toEqual([document, document, ''].map(latin1));
    till.requests.rest();
    till.say('\x10\x04\x01');
    expect(till.heard()).toBe('16');
  });

  it.each([
    ['label-zebra-zpl', ['^XA^FDone~H^FS\x10\x10^XZ', '~HS', '\x10\x04\x01']],
    ['receipt-80mm', ['\x1bE\x01Total\x1bE\0\n\x10\x10x\n', '\x1dr\x01', '\x10\x04\x01']],
    ['receipt-star', ['\x1bETotal\x1bF\n\x1d\n', '\x05', '\x1b\x06\x01']],
  ] as const)('are found wherever a chunk is cut, and leave the document as it is: %s', (profile, [text, one, two]) => {
    const stream = text.slice(0, 5) + one + text.slice(5) + two;
    const whole = tillAt(profile);
    whole.say(stream);
    const answers = whole.heard();
    for (let cut = 0; cut <= stream.length; cut++) {
      const till = tillAt(profile);
      const said = till.say(stream.slice(0, cut)) + till.say(stream.slice(cut));
      expect(said + Buffer.from(till.requests.rest()).toString('latin1')).toBe(text);
      expect(till.heard()).toBe(answers);
    }
    expect(answers.length).toBeGreaterThan(2);
  });
});

function latin1(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
