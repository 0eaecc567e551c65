import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { encode } from '../../../../src/devices/press/receipt-codes.ts';
import { recogniseRaw } from '../../../../src/devices/raw/raw-document.ts';
import { ESC_POS } from '../../../../src/devices/receipt/escpos-commands.ts';
import { printReceipt, type PrintedReceipt } from '../../../../src/devices/receipt/printed-receipt.ts';
import {
  textOf,
  USUAL_PAPER,
  type Encode,
  type ReceiptLanguage,
  type ReceiptPaper,
} from '../../../../src/devices/receipt/receipt-paper.ts';
import { STAR } from '../../../../src/devices/receipt/star-commands.ts';
import encoded from '../../../support/encoded-receipts.json' with { type: 'json' };

const TABLES = { 'esc-pos': ESC_POS, star: STAR };
const LANGUAGES: readonly ReceiptLanguage[] = ['esc-pos', 'star'];

function print(text: string, language: ReceiptLanguage = 'esc-pos', paper: Partial<ReceiptPaper> = {}): PrintedReceipt {
  return printReceipt(Buffer.from(text, 'latin1'), language, { paper: { ...USUAL_PAPER, ...paper } });
}

const tooShort: Encode = () => 'it is too short';

function textsOf({ pieces }: PrintedReceipt): string[] {
  return pieces.map(({ marks }) => textOf(marks));
}

describe('a receipt', () => {
  it.each([
    ['lines', 'Shop\nCoffee 2.50\n', 'Shop\nCoffee 2.50'],
    ['a euro in the code page that has it', '\x1bt\x13\xd5 5.00\n', '€ 5.00'],
    ['the same byte in the code page of the United States', '\xd5 5.00\n', '╒ 5.00'],
    ['letters of a country', '\x1bR\x02[\\]\n', 'ÄÖÜ'],
    ['Cyrillic', '\x1bt\x11\x8f\xe0\xa8\xa2\xa5\xe2\n', 'Привет'],
    ['Chinese', '\x1c&\xc4\xe3\xba\xc3\x1c.\n', '你好'],
    ['UTF-8', '\x1c(C\x02\x000\x02Caf\xc3\xa9\n', 'Café'],
    ['tabs', '\x1bD\x08\x14\0a\tb\tc\n', 'a       b           c'],
    ['a position', 'a\x1b$\x78\0b\n', 'a         b'],
    ['the number below a bar code', '\x1dH\x02\x1dk\x024006381333931\0', '4006381333931'],
    ['what a QR code says', '\x1d(k\x08\0\x31\x50\x30hello\x1d(k\x03\0\x31\x51\x30', 'hello'],
    ['a page', '\x1bLfirst\nsecond\x0c', 'first\nsecond'],
    ['what is between cuts', 'one\n\x1dV\0two\n\x1dVB\x03', 'one\n=====\ntwo'],
  ])('has the text of %s', (_, text, wanted) => {
    expect(textsOf(print(text)).join('\n=====\n')).toBe(wanted);
  });

  it.each([
    [
      'sizes, bold and the cut',
      '\x1bi\x01\x01\x1bEShop\x1bF\x1bi\0\0\nCoffee\n\x1bd\x02Tea\n\x1bd3',
      'Shop\nCoffee\n=====\nTea',
    ],
    ['a code page', '\x1b\x1dt\x04\xd5 5\n', '€ 5'],
    ['a bar code', '\x1bb\x03\x02\x01\x504006381333931\x1e\n', '4006381333931'],
    ['a QR code', '\x1b\x1dyS\x30\x02\x1b\x1dyD\x31\0\x05\0hello\x1b\x1dyP', 'hello'],
    ['no line of a raster', 'a\n\x1b*rA\x1b*rP0\0b\x02\0\x1bd\x1b*rB', 'a'],
  ])('of Star has the text of %s', (_, text, wanted) => {
    expect(textsOf(print(text, 'star')).join('\n=====\n')).toBe(wanted);
  });

  it('is as wide as the roll: longer lines are broken', () => {
    const roll = print('x'.repeat(40), 'esc-pos', { widthDots: 384 });
    expect(textsOf(roll)).toEqual([`${'x'.repeat(32)}\n${'x'.repeat(8)}`]);
  });

  it.each([
    ['esc-pos', '\x1dL\x80\x01'],
    ['star', '\x1bl\x20'],
    ['esc-pos', '\x1dW\xff\xff\x1dL\x80\x01'],
  ] as const)('keeps to the paper beside a left margin: %s %j', (language, margin) => {
    const [piece] = print(`${margin}${'x'.repeat(20)}\n`, language, { widthDots: 576 }).pieces;
    expect(piece?.items.map(({ x, width }) => [x, width])).toEqual([
      [384, 192],
      [384, 48],
    ]);
  });

  it('has a letter beside the widest margin', () => {
    const [piece] = print('\x1dL\xff\xffab\n', 'esc-pos', { widthDots: 576 }).pieces;
    expect(piece?.items.map(({ x, width }) => [x, width])).toEqual([
      [564, 12],
      [564, 12],
    ]);
  });

  it('stands where it is aligned, as large as it is set', () => {
    const [piece] = print('\x1ba\x01\x1d!\x11ab\n\x1d!\0\x1ba\x02c\n').pieces;
    expect(piece?.items.map(({ x, y, width, height }) => [x, y, width, height])).toEqual([
      [264, 0, 48, 48],
      [564, 48, 12, 24],
    ]);
  });

  it.each([
    ['left', '\x1ba\0', 0],
    ['in the middle', '\x1ba\x01', 193],
    ['right', '\x1ba\x02', 386],
    ['on a page', '\x1bL\x1b$\x64\0', 100],
  ])('has the letters of a bar code in the middle of it, where that stands %s', (_, place, left) => {
    for (const [readable, order] of [
      [1, [1, 0]],
      [2, [0, 1]],
    ] as const) {
      const bytes = Buffer.from(
        `${place}\x1dw\x02\x1dH${String.fromCharCode(readable)}\x1dk\x024006381333931\0\x0c`,
        'latin1',
      );
      const { pieces } = printReceipt(bytes, 'esc-pos', { encode });
      const items = order.map((index) => pieces[0]?.items[index]);
      expect(items.map((item) => [item?.ink.kind, item?.x])).toEqual([
        ['bitmap', left],
        ['text', left + (190 - 13 * 12) / 2],
      ]);
    }
  });

  it.each([
    ['upside down', '\x1b{\x01ab\n', [552, 180]],
    ['on its side', '\x1bV\x01a\x1bV\0\n', [0, 90]],
    ['on a page that is printed from the top down', '\x1bL\x1bW\0\0\0\0\x40\x02\xc8\0\x1bT\x03a\n\x0c', [552, 90]],
  ])('is turned where it stands %s', (_, text, [x, turn]) => {
    expect(print(text).pieces[0]?.items[0]).toMatchObject({ x, turn });
  });

  it('opens drawers and sounds buzzers beside what it prints', () => {
    const { events, count } = print('\x1bp\0\x19\xfa\x1bp\x01\x19\xfa\x10\x14\x01\0\x01\x1bB\x02\x03');
    expect(events.map(({ what, number, offset }) => [what, number, offset])).toEqual([
      ['drawer', 1, 0],
      ['drawer', 2, 5],
      ['drawer', 1, 10],
      ['buzzer', 0, 15],
    ]);
    expect(count).toBe(0);
  });

  it.each([
    ['a picture that is kept in the printer', 'a\n\x1cp\x01\0', 'FS p (kept picture), at byte 2'],
    ['a command that no printer has', 'a\x1bY', 'ESC Y, which is no command that platen knows, at byte 1'],
    [
      'a code page that it has not',
      '\x1bt\x63a\n',
      'code page 99, which the printer has not got: it goes on with cp437, at byte 0',
    ],
    ['a line without an end', 'a', 'the end of a line: a printer keeps the last one until the next job, at byte 1'],
    ['a line that a reset clears', 'a\x1b@b\n', 'a line without an end, which a reset clears, at byte 1'],
  ])('says what is not on it: %s', (_, text, why) => {
    expect(print(text).notDrawn).toContain(why);
  });

  it.each(LANGUAGES)('says of each command of %s that the document ends within it', (language) => {
    const commands = [...TABLES[language].values()].flat();
    const silent = commands.filter(({ bytes, length, title }) => {
      if (typeof length !== 'number' || length === 0) return false;
      const cut = Buffer.concat([Buffer.from(bytes), Buffer.alloc(length - 1)]);
      return !printReceipt(cut, language).notDrawn.some((what) => what.startsWith(`${title}, of which`));
    });
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('says that a picture ends too soon', () => {
    expect(print('\x1dv0\0\x02\0\x08\0\xff').notDrawn).toEqual([
      'GS v 0 (picture), of which the document has only the beginning, at byte 0',
    ]);
  });

  it('keeps to the code pages of its printer', () => {
    const printed = print('\x1bt\x13\xd5\n', 'esc-pos', { codePages: [0] });
    expect([textsOf(printed), printed.notDrawn.length]).toEqual([['╒'], 1]);
  });

  it('says why a code has no dots', () => {
    const bytes = Buffer.from('a\n\x1dk\x021\0', 'latin1');
    expect(printReceipt(bytes, 'esc-pos', { encode: tooShort }).notDrawn).toEqual([
      'a code (ean13): it is too short, at byte 2',
    ]);
  });
});

describe('what counts as no receipt', () => {
  it.each([
    ['a drawer', '\x1bp\0\x19\xfa'],
    ['a reset and a code page', '\x1b@\x1bt\x13'],
    ['a status request', '\x10\x04\x01'],
    ['an empty strip', '\n\n\x1dV\0'],
    ['a picture without a dot', '\x1dv0\0\x01\0\x02\0\0\0\x1dV\0'],
    ['a page that is never printed', '\x1bLa'],
    ['a picture that is only stored', '\x1d(L\x0b\0\x30\x70\x30\x01\x01\x31\x08\0\x01\0\xff'],
  ])('is %s', (_, text) => {
    expect(print(text).count).toBe(0);
  });
});

describe('a parameter of a receipt', () => {
  const CUTS = '\x1dV\0'.repeat(2);

  it.each([
    ['tabs', `\x1bD\x1dV\0${CUTS.slice(0, 0)}`],
    ['a raster', `\x1dv0\0\x03\0\x02\0${CUTS}`],
    ['a picture in columns', `\x1b*!\x02\0${CUTS}`],
    ['stored graphics', `\x1d8L\x06\0\0\0${CUTS}`],
    ['a bar code', `\x1dkI\x06${CUTS}`],
    ['characters of its own', `\x1b&\x03ab\x01${CUTS.slice(0, 3)}\x01${CUTS.slice(0, 3)}`],
    ['pictures to keep', `\x1cq\x01\x01\0\x01\0\x1dV\0\x1dV\0\x1d\x56`],
    ['a setting', `\x1d(E\x06\0${CUTS}`],
  ])('is no cut: %s', (_, text) => {
    expect(print(`a\n${text}b\n\x1dV\0`).count).toBe(1);
  });
});

describe('receipts of public encoders', () => {
  it.each(encoded.map((receipt, index) => [`${receipt.encoder} ${index}`, receipt] as const))(
    'are read to the letter: %s',
    (_, { base64, language, columns, receipts, lines }) => {
      const paper = { ...USUAL_PAPER, widthDots: columns * 12 };
      const content = recogniseRaw(Buffer.from(base64, 'base64'), { paper });
      const seen = content.receipt?.pieces.flatMap(({ marks }) => textOf(marks).split('\n')) ?? [];
      const printed = seen.map((line) => line.trim().replaceAll(/\s+/g, ' ')).filter((line) => !/^[-─]*$/.test(line));
      expect({ language: content.language, count: content.count, printed }).toEqual({
        language,
        count: receipts,
        printed: lines,
      });
    },
  );
});

describe('a hostile receipt', () => {
  it('of any bytes is read', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3_000 }), fc.constantFrom(...LANGUAGES), (bytes, language) => {
        const { count, notDrawn } = printReceipt(bytes, language);
        expect(count).toBeGreaterThanOrEqual(0);
        expect(notDrawn.length).toBeLessThanOrEqual(1_001);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['a picture that says it is endless', '\x1dv0\0\xff\xff\xff\xffx'],
    ['columns without end', '\x1b*!\xff\xff'],
    ['a picture to define', '\x1d*\xff\xff'],
    ['graphics of 4 GB', '\x1d8L\xff\xff\xff\xff0p0\x01\x01\xff\xff\xff\xff'],
    ['letters as large as they come', '\x1d!\x77WWWW'],
    ['tabs', '\x1bD\xff\xff\xff\xff'],
    ['feeds', '\x1bd\xff'],
    ['cuts', 'a\n\x1dV\0'],
    ['QR codes', '\x1d(k\x08\0\x31\x50\x30hello\x1d(k\x03\0\x31\x51\x30'],
    ['letters without a line', 'x'],
    ['pages', '\x1bL\x1bT\x03a\n\x1b\x0c'],
    ['bar codes', '\x1dkI\xff'],
    ['pictures to keep', '\x1cq\xff\xff\xff\xff\xff'],
    ['unknown commands', '\x1bY'],
  ])('takes time by its length: %s, over and over', (_, piece) => {
    const bytes = Buffer.from(piece.repeat(Math.ceil(1_000_000 / piece.length)), 'latin1');
    for (const language of LANGUAGES) expect(printReceipt(bytes, language).pieces.length).toBeLessThanOrEqual(100);
  });
});
