/**
 * Sheet picture: a side of the sheets as pixels, or as the text on it. Runs in the press worker.
 */

import { crc32, deflateSync } from 'node:zlib';

import { withDocument, withMemory, withPdfium, type Pdfium } from './pdfium.ts';
import { DocumentError } from './press-messages.ts';

/** A3 at 600 dpi has 70 million pixels; a picture beyond this is a mistake. */
const MOST_PIXELS = 100_000_000;
const POINTS_PER_INCH = 72;

export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/**
 * A side as PNG.
 *
 * @param side - page of the sheets PDF, from 1
 * @throws DocumentError when there is no such side, or the picture would be too large
 */
export async function pictureOf(pdf: Uint8Array, side: number, dpi: number): Promise<Uint8Array> {
  const { width, height, rgba } = await pixelsOf(pdf, side, dpi);
  return encodePng(width, height, rgba);
}

/** The pixels of a side. @throws DocumentError as for a picture */
export function pixelsOf(pdf: Uint8Array, side: number, dpi: number): Promise<Pixels> {
  return withSide(pdf, side, (pdfium, page) => {
    const width = toPixels(pdfium.FPDF_GetPageWidthF(page), dpi);
    const height = toPixels(pdfium.FPDF_GetPageHeightF(page), dpi);
    if (!(width * height <= MOST_PIXELS)) {
      throw new DocumentError(`side ${side} at ${dpi} dpi would be a picture of ${width * height} pixels`);
    }
    return withMemory(pdfium, width * height * RGBA_BYTES, (at) => {
      const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, BGRA, at, width * RGBA_BYTES);
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
      pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, RENDER_FLAGS);
      pdfium.FPDFBitmap_Destroy(bitmap);
      return { width, height, rgba: pdfium.pdfium.HEAPU8.slice(at, at + width * height * RGBA_BYTES) };
    });
  });
}

/** The side of a pixel that may be lost to rounding. */
const ROUNDING = 0.01;

/** A receipt has a pixel for each of its dots. */
function toPixels(points: number, dpi: number): number {
  const exact = (points * dpi) / POINTS_PER_INCH;
  if (Math.abs(exact - Math.round(exact)) < ROUNDING) return Math.round(exact);
  return Math.floor((Math.floor(points) * dpi) / POINTS_PER_INCH);
}

const BGRA = 4;
const RGBA_BYTES = 4;
const WHITE = 0xffffffff;
/** Annotations, text smoothed for screens, and the bytes of a pixel as red, green, blue. */
const RENDER_FLAGS = 0x01 | 0x02 | 0x10;

/** The text on a side, as far as the document carries text. @throws DocumentError as for a picture */
export function textOf(pdf: Uint8Array, side: number): Promise<string> {
  return withSide(pdf, side, (pdfium, page) => {
    const text = pdfium.FPDFText_LoadPage(page);
    try {
      const length = pdfium.FPDFText_CountChars(text);
      if (length <= 0) return '';
      return withMemory(pdfium, (length + 1) * UTF16_BYTES, (at) => {
        const written = pdfium.FPDFText_GetText(text, 0, length, at) - 1;
        const bytes = pdfium.pdfium.HEAPU8.slice(at, at + Math.max(0, written) * UTF16_BYTES);
        return Buffer.from(bytes).toString('utf16le').replaceAll('\r\n', '\n');
      });
    } finally {
      pdfium.FPDFText_ClosePage(text);
    }
  });
}

const UTF16_BYTES = 2;

async function withSide<T>(pdf: Uint8Array, side: number, look: (pdfium: Pdfium, page: number) => T): Promise<T> {
  const looked = await withPdfium((pdfium) =>
    withDocument(pdfium, pdf, (document) => {
      const count = pdfium.FPDF_GetPageCount(document);
      if (!Number.isInteger(side) || side < 1 || side > count) {
        throw new DocumentError(`there is no side ${side}; sides 1 to ${count} came out`);
      }
      const page = pdfium.FPDF_LoadPage(document, side - 1);
      try {
        return { found: look(pdfium, page) };
      } finally {
        pdfium.FPDF_ClosePage(page);
      }
    }),
  );
  if (typeof looked === 'string') throw new DocumentError(`the sheets cannot be opened: ${looked}`);
  return looked.found;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const RGB = 2;

/** Encodes `width` × `height` pixels given as RGBA bytes; transparency is dropped. */
export function encodePng(width: number, height: number, rgba: Uint8Array): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, RGB, 0, 0, 0], 8);
  const pixels = deflateSync(scanlines(width, height, rgba), { level: 6 });
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** Each line begins with its filter type, 0 for none. */
function scanlines(width: number, height: number, rgba: Uint8Array): Uint8Array {
  const lines = new Uint8Array(height * (1 + width * 3));
  let to = 0;
  let from = 0;
  for (let y = 0; y < height; y++) {
    to++;
    for (let x = 0; x < width; x++, from += 4) {
      lines[to++] = rgba[from] ?? 0;
      lines[to++] = rgba[from + 1] ?? 0;
      lines[to++] = rgba[from + 2] ?? 0;
    }
  }
  return lines;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}
