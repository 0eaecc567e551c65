import { describe, expect, it } from 'vitest';

import { encode } from '../../../../src/devices/press/receipt-codes.ts';
import { printReceipt } from '../../../../src/devices/receipt/printed-receipt.ts';
import { dotsWith, isWhole, marksWithin, slicesOf } from '../../../../src/devices/receipt/torn-paper.ts';

const raster = (rows: number): string => `\x1dv0\0\x01\0${String.fromCharCode(rows)}\0${'\xff'.repeat(rows)}`;
const starLines = (rows: number): string => `\x1b*rA${'b\x01\0\xff'.repeat(rows)}\x1b*rB`;

function marksOf(text: string, language: 'esc-pos' | 'star' = 'esc-pos'): number[] {
  const [piece] = printReceipt(Buffer.from(text, 'latin1'), language, { encode }).pieces;
  return piece?.marks.map(({ bottom }) => bottom) ?? [];
}

describe('the paper can end', () => {
  it.each([
    ['after each line', 'a\nb\n', [34, 68]],
    ['after each band of a picture', raster(60), [24, 48, 60]],
    ['after a large line', '\x1d!\x33a\n\x1d!\0b\n', [96, 130]],
    ['after a bar code and its letters', '\x1dH\x02\x1dh\x50\x1dk\x024006381333931\0', [80, 114]],
    ['after a page, not in it', '\x1bLa\nb\n\x0cc\n', [58, 58, 92]],
  ])('%s', (_, text, marks) => {
    expect(marksOf(text)).toEqual(marks);
  });

  it('in a picture that comes line by line as in one that comes whole', () => {
    expect(marksOf(starLines(60), 'star')).toEqual(marksOf(raster(60)));
  });

  it.each([
    ['\x1dk\x024006381333931\0', 'a bar code'],
    ['\x1d(k\x08\0\x31\x50\x30hello\x1d(k\x03\0\x31\x51\x30', 'a QR code'],
    ['\x1dk\x021\0', 'a code that cannot be drawn'],
  ])('at as many places before it is drawn as then: %#', (code) => {
    const bytes = Buffer.from(`a\n${code}b\n`, 'latin1');
    const counts = [undefined, encode].map(
      (one) => printReceipt(bytes, 'esc-pos', { encode: one }).pieces[0]?.marks.length,
    );
    expect(counts).toEqual([3, 3]);
  });
});

describe('a receipt is whole', () => {
  it.each([
    ['after its last line, whatever is fed', 'a\nb\n\n\x1bd\x03', 2],
    ['after its last picture', `a\n${raster(24)}\n`, 2],
    ['after its last picture in columns', 'a\n\x1b*!\x01\0\xff\xff\xff\n\n', 2],
    ['after its last code', 'a\n\x1dk\x024006381333931\0\n', 2],
  ])('%s', (_, text, least) => {
    const [piece] = printReceipt(Buffer.from(text, 'latin1'), 'esc-pos', { encode }).pieces;
    const counts = [0, 1, 2, 3].filter((count) => piece && isWhole(piece, count));
    expect(counts[0]).toBe(least);
  });
});

describe('what is out', () => {
  const piece = { height: 120, marks: [10, 20, 20, 50].map((bottom) => ({ text: '', bottom })) };

  it.each([
    [1, 1, 10],
    [10, 1, 10],
    [11, 3, 20],
    [21, 4, 120],
    [119, 4, 120],
  ])('after %i dots are %i marks: what is being printed is finished', (dots, marks, out) => {
    expect([marksWithin(piece, dots), dotsWith(piece, marks)]).toEqual([marks, out]);
  });

  it.each([
    ['receipts', 2, [], ['0: 0 to Infinity', '1: 0 to Infinity']],
    ['a receipt in two', 1, [{ piece: 0, to: 3 }], ['0: 0 to 3', '0: 3 to Infinity']],
    ['a receipt, and a part of the next', 1, [{ piece: 1, to: 3 }], ['0: 0 to Infinity', '1: 0 to 3']],
  ])('is in pieces of paper: %s', (_, whole, tears, slices) => {
    expect(slicesOf(whole, tears).map(({ piece: which, from, to }) => `${which}: ${from} to ${to}`)).toEqual(slices);
  });
});
