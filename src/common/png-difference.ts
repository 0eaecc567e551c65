/**
 * PNG difference: how far two pictures differ, in pixels that an eye tells apart.
 *
 *   PNG ─► its head: size, kind ─► refused, or unpacked ─► compared
 *
 * A PNG may come from anywhere: what its head does not allow is not unpacked.
 */

import type { PNG } from 'pngjs';

import { failure, success, type Outcome } from './outcome.ts';

export interface PngSize {
  readonly width: number;
  readonly height: number;
}

export interface PngDifference {
  /** The share of the pixels that differ; infinite between pictures of different sizes. */
  readonly share: number;
  /** For people: `3 of 200 pixels differ (1.5 %)`. */
  readonly how: string;
  /** What differs, in red. */
  readonly picture: Uint8Array;
}

/** How far a pixel may be off, 0 to 1: less than an eye sees. */
const COLOR_THRESHOLD = 0.1;
/** The search for a shorter file calls Math.abs twenty times a pixel, and under jest each global is slow to reach. */
const UNFILTERED = { filterType: 0 } as const;

/** @returns a failure when the first is no PNG that can be read; the second is one of our own */
export async function pngDifference(expected: Uint8Array, actual: Uint8Array): Promise<Outcome<PngDifference, string>> {
  const [{ PNG }, { default: pixelmatch }] = await Promise.all([import('pngjs'), import('pixelmatch')]);
  const [wasRead, isRead] = [pixelsOf(PNG, expected), pixelsOf(PNG, actual)];
  if (!wasRead.ok) return wasRead;
  if (!isRead.ok) return isRead;
  const [was, is] = [wasRead.value, isRead.value];
  const width = Math.max(was.width, is.width);
  const height = Math.max(was.height, is.height);
  const [before, after] = [onCanvas(PNG, was, width, height), onCanvas(PNG, is, width, height)];
  const difference = new PNG({ width, height });
  const settings = { threshold: COLOR_THRESHOLD, includeAA: true };
  const pixels = pixelmatch(before.data, after.data, difference.data, width, height, settings);
  const picture = PNG.sync.write(difference, UNFILTERED);
  const otherSize = sizesInWords(is, was);
  if (otherSize !== undefined) return success({ share: Infinity, how: otherSize, picture });
  return success({ share: pixels / (width * height), how: shareOf(pixels, width * height), picture });
}

/** Undefined when both have the same size. */
export function sizesInWords(is: PngSize, was: PngSize): string | undefined {
  if (is.width === was.width && is.height === was.height) return undefined;
  return `it is ${is.width} × ${is.height} pixels, not ${was.width} × ${was.height}`;
}

const SIGNATURE = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Its length, its type, and a checksum at its end. */
const AROUND_CHUNK_BYTES = 12;
const HEAD_BYTES = 33;
const AT = { width: 16, height: 20, interlaced: 28 } as const;
/** A sheet of A0 at 96 dpi has 14 million. */
const MOST_PIXELS = 50_000_000;

/** As its head says; nothing is unpacked. */
export function pngSize(content: Uint8Array): Outcome<PngSize, string> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const isPng = bytes.length >= HEAD_BYTES && bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE);
  if (!isPng || headsIn(bytes) !== 1) return failure('it is not a PNG');
  if (bytes[AT.interlaced] !== 0) return failure('it is an interlaced PNG');
  const size = { width: bytes.readUInt32BE(AT.width), height: bytes.readUInt32BE(AT.height) };
  if (size.width * size.height > MOST_PIXELS) return failure(`it has more than ${MOST_PIXELS} pixels`);
  return success(size);
}

/** What unpacks a PNG takes the last head for that of the picture. */
function headsIn(bytes: Buffer): number {
  let heads = 0;
  let at = SIGNATURE.length;
  while (at + AROUND_CHUNK_BYTES <= bytes.length) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IHDR') heads++;
    at += AROUND_CHUNK_BYTES + bytes.readUInt32BE(at);
  }
  return heads;
}

function pixelsOf(png: typeof PNG, content: Uint8Array): Outcome<PNG, string> {
  const size = pngSize(content);
  if (!size.ok) return size;
  try {
    return success(png.sync.read(Buffer.from(content)));
  } catch {
    return failure('it is a damaged PNG');
  }
}

/** Pictures of different sizes are compared on a sheet that both fit on. */
function onCanvas(png: typeof PNG, picture: PNG, width: number, height: number): PNG {
  const canvas = new png({ width, height, fill: true });
  png.bitblt(picture, canvas, 0, 0, picture.width, picture.height, 0, 0);
  return canvas;
}

function shareOf(pixels: number, all: number): string {
  const percent = ((100 * pixels) / all).toPrecision(2);
  return `${pixels} of ${all} pixels differ (${Number(percent)} %)`;
}
