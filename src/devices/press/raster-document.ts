/**
 * Raster documents: pages that an operating system has drawn already, as the PDF that the press prints.
 * Runs in the press worker.
 *
 *   PWG raster (PWG 5102.4)   RaS2 │ header of 1,796 bytes │ lines │ header │ lines …
 *   Apple raster (URF)        UNIRAST │ page count │ header of 32 bytes │ lines │ …
 *   JPEG                      one page, as large as its picture
 *
 * A line says how often it is repeated, then lists its pixels: a run of equal ones or a number of different
 * ones. Each page becomes a picture that fills a PDF page of its size; pixels are never held for more than
 * one page.
 */

import { deflateSync } from 'node:zlib';

import { PDFDocument, PDFName, numberToString, type PDFPage } from 'pdf-lib';

import { PWG_SYNC, URF_SYNC, DocumentError, type RasterFormat } from './press-messages.ts';

/** One page as its header describes it. */
interface RasterPage {
  readonly width: number;
  readonly height: number;
  readonly bitsPerPixel: number;
  readonly colors: ColorSpace;
  readonly dpiX: number;
  readonly dpiY: number;
}

interface ColorSpace {
  readonly pdf: 'DeviceGray' | 'DeviceRGB' | 'DeviceCMYK';
  /** Ink instead of light: 0 is white. */
  readonly isInverted: boolean;
}

const GRAY: ColorSpace = { pdf: 'DeviceGray', isInverted: false };
const BLACK: ColorSpace = { pdf: 'DeviceGray', isInverted: true };
const RGB: ColorSpace = { pdf: 'DeviceRGB', isInverted: false };
const CMYK: ColorSpace = { pdf: 'DeviceCMYK', isInverted: false };

/** cups_cspace_t: W, RGB, K, CMYK, sGray, sRGB, AdobeRGB. */
const PWG_COLORS = new Map([
  [0, GRAY],
  [1, RGB],
  [3, BLACK],
  [6, CMYK],
  [18, GRAY],
  [19, RGB],
  [20, RGB],
]);
const URF_COLORS = new Map([
  [0, GRAY],
  [1, RGB],
  [3, RGB],
  [4, GRAY],
  [5, RGB],
  [6, CMYK],
]);

const PWG_HEADER_BYTES = 1_796;
const URF_FILE_HEADER_BYTES = 12;
const URF_HEADER_BYTES = 32;
const POINTS_AN_INCH = 72;

/** A3 at 1,200 dpi in colour is 837 MB; nothing that a client sends for a test needs half of that. */
const MOST_PAGE_BYTES = 256 * 1024 * 1024;
const MOST_PAGES = 5_000;

/** The bytes of a document that is not a PDF, as a PDF. @throws DocumentError when they are not what they claim */
export async function pdfOfRaster(bytes: Uint8Array, format: RasterFormat): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  if (format === 'image/jpeg') await addJpeg(document, bytes);
  else addRasterPages(document, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), format);
  if (document.getPageCount() === 0) throw new DocumentError('the document has no pages');
  return document.save({ addDefaultPage: false });
}

async function addJpeg(document: PDFDocument, bytes: Uint8Array): Promise<void> {
  // A copy: it would be read from the beginning of the buffer that it is a part of.
  const image = await document.embedJpg(Uint8Array.from(bytes)).catch((error: unknown) => {
    throw new DocumentError('the JPEG is damaged', { cause: error });
  });
  const dpi = jpegDpi(bytes);
  const [width, height] = [(image.width / dpi) * POINTS_AN_INCH, (image.height / dpi) * POINTS_AN_INCH];
  document.addPage([width, height]).drawImage(image, { x: 0, y: 0, width, height });
}

const SCREEN_DPI = 96;
const JFIF_DPI = { marker: 6, unit: 13, density: 14 } as const;

/** What its JFIF header says; pictures that do not say are taken for pictures of a screen. */
function jpegDpi(bytes: Uint8Array): number {
  const head = Buffer.from(bytes.subarray(0, 18));
  if (head.length < 18 || head.toString('latin1', JFIF_DPI.marker, JFIF_DPI.marker + 4) !== 'JFIF') return SCREEN_DPI;
  const density = head.readUInt16BE(JFIF_DPI.density);
  if (density === 0 || head[JFIF_DPI.unit] === 0) return SCREEN_DPI;
  return head[JFIF_DPI.unit] === 2 ? density * 2.54 : density;
}

function addRasterPages(document: PDFDocument, bytes: Buffer, format: Exclude<RasterFormat, 'image/jpeg'>): void {
  const isPwg = format === 'image/pwg-raster';
  const sync = isPwg ? PWG_SYNC : URF_SYNC;
  if (bytes.toString('latin1', 0, sync.length) !== sync) {
    throw new DocumentError(`the document is not ${format}: it does not begin with ${sync.trimEnd()}`);
  }
  const headerBytes = isPwg ? PWG_HEADER_BYTES : URF_HEADER_BYTES;
  let at = isPwg ? PWG_SYNC.length : URF_FILE_HEADER_BYTES;
  while (at < bytes.length) {
    if (document.getPageCount() >= MOST_PAGES) throw new DocumentError(`the document has over ${MOST_PAGES} pages`);
    if (at + headerBytes > bytes.length) throw truncated(document, 'its header');
    const header = bytes.subarray(at, at + headerBytes);
    const page = checked(isPwg ? readPwgHeader(header) : readUrfHeader(header), document);
    const { pixels, end } = readPixels(bytes, at + headerBytes, page, document);
    addPage(document, page, pixels);
    at = end;
  }
}

/** Offsets of cups_page_header2_t, which PWG raster keeps. */
function readPwgHeader(header: Buffer): RasterPage {
  return {
    dpiX: header.readUInt32BE(276),
    dpiY: header.readUInt32BE(280),
    width: header.readUInt32BE(372),
    height: header.readUInt32BE(376),
    bitsPerPixel: header.readUInt32BE(388),
    colors: colorsOf(PWG_COLORS, header.readUInt32BE(400)),
  };
}

function readUrfHeader(header: Buffer): RasterPage {
  const dpi = header.readUInt32BE(20);
  return {
    dpiX: dpi,
    dpiY: dpi,
    width: header.readUInt32BE(12),
    height: header.readUInt32BE(16),
    bitsPerPixel: header.readUInt8(0),
    colors: colorsOf(URF_COLORS, header.readUInt8(1)),
  };
}

function colorsOf(known: ReadonlyMap<number, ColorSpace>, code: number): ColorSpace {
  const colors = known.get(code);
  if (!colors) throw new DocumentError(`the document has a colour space that is not supported: ${code}`);
  return colors;
}

const COMPONENTS = { DeviceGray: 1, DeviceRGB: 3, DeviceCMYK: 4 } as const;

function checked(page: RasterPage, document: PDFDocument): RasterPage {
  const { width, height, bitsPerPixel, colors, dpiX, dpiY } = page;
  const number = document.getPageCount() + 1;
  if (width === 0 || height === 0 || dpiX === 0 || dpiY === 0) {
    throw new DocumentError(`page ${number} is ${width} × ${height} pixels at ${dpiX} × ${dpiY} dpi`);
  }
  const bits = bitsPerPixel / COMPONENTS[colors.pdf];
  if (![1, 8, 16].includes(bits) || (bits === 1 && colors.pdf !== 'DeviceGray')) {
    throw new DocumentError(`page ${number} has ${bitsPerPixel} bits a pixel, which is not supported`);
  }
  if (bytesPerLine(page) * height > MOST_PAGE_BYTES) {
    throw new DocumentError(`page ${number} has more than ${MOST_PAGE_BYTES / 1024 / 1024} MB of pixels`);
  }
  return page;
}

function bytesPerLine({ width, bitsPerPixel }: RasterPage): number {
  return Math.ceil((width * bitsPerPixel) / 8);
}

interface Pixels {
  readonly pixels: Buffer;
  /** Where the page ends in the document. */
  readonly end: number;
}

const FILL_LINE = 0x80;

function readPixels(bytes: Buffer, start: number, page: RasterPage, document: PDFDocument): Pixels {
  const lineBytes = bytesPerLine(page);
  // Pixels of less than a byte are run together: their unit is the byte.
  const unit = Math.max(1, page.bitsPerPixel / 8);
  const pixels = Buffer.alloc(lineBytes * page.height);
  const white = page.colors.isInverted || page.colors.pdf === 'DeviceCMYK' ? 0x00 : 0xff;
  let at = start;
  const byte = (): number => {
    if (at >= bytes.length) throw truncated(document, 'its last line');
    return bytes.readUInt8(at++);
  };
  for (let line = 0; line < page.height;) {
    const repeats = Math.min(byte() + 1, page.height - line);
    const from = line * lineBytes;
    for (let column = 0; column < lineBytes;) {
      const code = byte();
      if (code === FILL_LINE) {
        pixels.fill(white, from + column, from + lineBytes);
        column = lineBytes;
        continue;
      }
      const isRun = code < FILL_LINE;
      const count = isRun ? code + 1 : 257 - code;
      const length = isRun ? unit : count * unit;
      if (at + length > bytes.length) throw truncated(document, 'its last line');
      const room = Math.min(count * unit, lineBytes - column);
      if (isRun) pixels.fill(bytes.subarray(at, at + unit), from + column, from + column + room);
      else bytes.copy(pixels, from + column, at, at + room);
      at += length;
      column += count * unit;
    }
    for (let copy = 1; copy < repeats; copy++) pixels.copyWithin(from + copy * lineBytes, from, from + lineBytes);
    line += repeats;
  }
  return { pixels, end: at };
}

function truncated(document: PDFDocument, missing: string): DocumentError {
  return new DocumentError(`the document is truncated: page ${document.getPageCount() + 1} ends before ${missing}`);
}

/** Fast: documents of a test are read once. */
const DEFLATE = { level: 1 };

function addPage(document: PDFDocument, page: RasterPage, pixels: Buffer): void {
  const { width, height, bitsPerPixel, colors, dpiX, dpiY } = page;
  const { context } = document;
  const components = COMPONENTS[colors.pdf];
  const image = context.stream(deflateSync(pixels, DEFLATE), {
    Type: 'XObject',
    Subtype: 'Image',
    Width: width,
    Height: height,
    ColorSpace: colors.pdf,
    BitsPerComponent: bitsPerPixel / components,
    Filter: 'FlateDecode',
    ...(colors.isInverted && { Decode: context.obj([1, 0]) }),
  });
  const size = [(width / dpiX) * POINTS_AN_INCH, (height / dpiY) * POINTS_AN_INCH] as const;
  draw(document.addPage([...size]), document, image, size);
}

function draw(
  page: PDFPage,
  document: PDFDocument,
  image: ReturnType<PDFDocument['context']['stream']>,
  [widthPt, heightPt]: readonly [number, number],
): void {
  const { context } = document;
  page.node.setXObject(PDFName.of('Raster'), context.register(image));
  const content = `q ${numberToString(widthPt)} 0 0 ${numberToString(heightPt)} 0 0 cm /Raster Do Q`;
  page.node.addContentStream(context.register(context.stream(content)));
}
