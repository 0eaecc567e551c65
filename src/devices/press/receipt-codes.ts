/**
 * Receipt codes: bar codes and square codes as dots.
 */

import bwip from 'bwip-js/node';

import { messageOf } from '../../common/error-message.ts';
import type { Bitmap, CodeRequest } from '../receipt/receipt-paper.ts';

const LONGEST_DATA = 4_296;
const BAR_CODE_WIDEST = 4_000;

/** The dots of a code, one for each of its modules; or a text that says why it cannot be drawn. */
export function encode({ symbology, data, options }: CodeRequest): Bitmap | string {
  if (data.length > LONGEST_DATA) return `${data.length} letters are more than it can hold`;
  try {
    const [symbol] = bwip.raw({ bcid: symbology, text: data, ...options });
    if (symbol && 'sbs' in symbol) return barsOf(symbol.sbs);
    if (symbol && 'pixs' in symbol && symbology !== 'maxicode') return squaresOf(symbol);
    return 'platen does not draw it';
  } catch (error) {
    return messageOf(error).replace(/^.*#\d+: /, '');
  }
}

/** Bars and spaces by their widths, in turn. */
function barsOf(widths: readonly number[]): Bitmap {
  const width = widths.reduce((sum, one) => sum + one, 0);
  if (width > BAR_CODE_WIDEST) return { width: 0, height: 0, bits: new Uint8Array() };
  const bits = new Uint8Array(Math.ceil(width / 8));
  let x = 0;
  for (const [index, one] of widths.entries()) {
    for (let end = x + one; x < end; x++) if (index % 2 === 0) blacken(bits, 0, x);
  }
  return { width, height: 1, bits };
}

function squaresOf({
  pixs,
  pixx,
  pixy,
}: {
  readonly pixs: readonly number[];
  readonly pixx: number;
  readonly pixy: number;
}): Bitmap {
  const lineBytes = Math.ceil(pixx / 8);
  const bits = new Uint8Array(lineBytes * pixy);
  for (const [index, isBlack] of pixs.entries()) {
    if (isBlack) blacken(bits, Math.floor(index / pixx) * lineBytes, index % pixx);
  }
  return { width: pixx, height: pixy, bits };
}

function blacken(bits: Uint8Array, line: number, x: number): void {
  const at = line + (x >> 3);
  bits[at] = (bits[at] ?? 0) | (0x80 >> (x & 7));
}
