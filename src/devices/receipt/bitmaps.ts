/**
 * Bitmaps: the dots of pictures as printer languages send them, in rows or in columns, as rows.
 */

import type { Bitmap } from './receipt-paper.ts';

/** Larger pictures than any roll has are cut off here. */
const WIDEST = 2_048;
const TALLEST = 40_000;

/** Rows of `widthBytes` each; those that are missing are white. */
export function fromRows(data: Uint8Array, widthBytes: number, rows: number): Bitmap {
  const wide = Math.min(widthBytes, WIDEST / 8);
  const height = Math.min(rows, TALLEST, widthBytes === 0 ? 0 : Math.ceil(data.length / widthBytes));
  const bits = new Uint8Array(wide * height);
  for (let row = 0; row < height; row++) {
    bits.set(data.subarray(row * widthBytes, row * widthBytes + wide), row * wide);
  }
  return { width: wide * 8, height, bits };
}

/** Columns of `heightBytes` each, from the top. */
export function fromColumns(data: Uint8Array, columns: number, heightBytes: number): Bitmap {
  const width = Math.min(columns, WIDEST, heightBytes === 0 ? 0 : Math.ceil(data.length / heightBytes));
  const lineBytes = Math.ceil(width / 8);
  const height = Math.min(heightBytes * 8, TALLEST);
  const bits = new Uint8Array(lineBytes * height);
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) {
      const isBlack = ((data[x * heightBytes + (y >> 3)] ?? 0) >> (7 - (y & 7))) & 1;
      if (isBlack) bits[y * lineBytes + (x >> 3)] = (bits[y * lineBytes + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
    }
  }
  return { width, height, bits };
}
