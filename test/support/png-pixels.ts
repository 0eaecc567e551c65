/**
 * PNG pixels: what a picture of a press shows.
 */

import { inflateSync } from 'node:zlib';

export interface Pixels {
  readonly width: number;
  readonly red: readonly number[];
}

/** The red of each pixel of a PNG as a press makes it: one IDAT after a header of 33 bytes, no filters. */
export function pixelsOf(png: Buffer): Pixels {
  const width = png.readUInt32BE(16);
  const lines = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)));
  const lineBytes = 1 + width * 3;
  const red = Array.from(
    { length: width * png.readUInt32BE(20) },
    (_, index) => lines[Math.floor(index / width) * lineBytes + 1 + (index % width) * 3] ?? 0,
  );
  return { width, red };
}
