/**
 * Paper drawn again, as a pipeline does that renders: scaled, turned or cut, and sent on as dots in another language.
 */

import { deflateSync } from 'node:zlib';

import { PNG } from 'pngjs';

import { pdfOfObjects } from '../../src/pipeline/marked-document.ts';

/** Grey, from 0 for black. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly at: (x: number, y: number) => number;
}

const MARGIN = 24;
const GREY = 128;
const WHITE = 255;

/** What has ink on it, with a margin. */
export function inkOf(png: Uint8Array): Picture {
  const { width, height, data } = PNG.sync.read(Buffer.from(png));
  const { at } = pictureOf(
    Uint8Array.from({ length: width * height }, (_, index) => data[4 * index] ?? WHITE),
    width,
    height,
  );
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (at(x, y) >= GREY) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return {
    width: right - left + 2 * MARGIN,
    height: bottom - top + 2 * MARGIN,
    at: (x, y) => at(x + left - MARGIN, y + top - MARGIN),
  };
}

export function scaled(picture: Picture, factor: number): Picture {
  return moved(picture, { factor, degrees: 0 });
}

export function turned(picture: Picture, degrees: number): Picture {
  return moved(picture, { factor: 1, degrees });
}

/** No larger than a printer has room for. */
export function fit(picture: Picture, { widest, highest }: Pick<Language, 'widest' | 'highest'>): Picture {
  const factor = Math.min(widest / picture.width, highest / picture.height);
  return factor >= 1 ? picture : scaled(picture, factor);
}

/** Its first part, or its last. */
export function cut({ width, height, at }: Picture, part: 'first' | 'last', share: number): Picture {
  const kept = Math.round(height * share);
  return { width, height: kept, at: (x, y) => at(x, part === 'first' ? y : y + height - kept) };
}

function moved(picture: Picture, { factor, degrees }: { readonly factor: number; readonly degrees: number }): Picture {
  const { width, height } = picture;
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const newWidth = Math.ceil(factor * (Math.abs(width * cos) + Math.abs(height * sin)));
  const newHeight = Math.ceil(factor * (Math.abs(width * sin) + Math.abs(height * cos)));
  const greys = new Uint8Array(newWidth * newHeight);
  for (let y = 0; y < newHeight; y++) {
    const dy = (y + 0.5 - newHeight / 2) / factor;
    for (let x = 0; x < newWidth; x++) {
      const dx = (x + 0.5 - newWidth / 2) / factor;
      const [fromX, fromY] = [dx * cos + dy * sin + width / 2 - 0.5, dy * cos - dx * sin + height / 2 - 0.5];
      greys[y * newWidth + x] = between(picture, fromX, fromY);
    }
  }
  return pictureOf(greys, newWidth, newHeight);
}

/** White beyond its edges. */
function pictureOf(greys: Uint8Array, width: number, height: number): Picture {
  const at = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? WHITE : (greys[y * width + x] ?? WHITE);
  return { width, height, at };
}

/** The grey between four dots. */
function between({ at }: Picture, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, below] = [x - left, y - top];
  const upper = at(left, top) * (1 - right) + at(left + 1, top) * right;
  const lower = at(left, top + 1) * (1 - right) + at(left + 1, top + 1) * right;
  return upper * (1 - below) + lower * below;
}

/** Black dots, eight in a byte. */
function dotsOf({ width, height, at }: Picture): { readonly line: number; readonly bytes: Buffer } {
  const line = Math.ceil(width / 8);
  const bytes = Buffer.alloc(line * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (at(x, y) < GREY) bytes[y * line + (x >> 3)] = (bytes[y * line + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
    }
  }
  return { line, bytes };
}

interface Language {
  /** Dots that its printer has room for. */
  readonly widest: number;
  readonly highest: number;
  readonly write: (picture: Picture) => Buffer;
}

/** As documents of languages that take dots. */
export const DRAWN_AS: Readonly<Record<'esc-pos' | 'zpl' | 'pdf', Language>> = {
  'esc-pos': {
    widest: 500,
    highest: 4_000,
    write: (picture) => {
      const { line, bytes } = dotsOf(picture);
      const head = [0x1b, 0x40, 0x1d, 0x76, 0x30, 0, line & 255, line >> 8, picture.height & 255, picture.height >> 8];
      return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\n\n\n\x1dV\x42\x00', 'latin1')]);
    },
  },
  zpl: {
    widest: 780,
    highest: 1_180,
    write: (picture) => {
      const { line, bytes } = dotsOf(picture);
      return Buffer.from(`^XA^FO10,10^GFA,${bytes.length},${bytes.length},${line},${bytes.toString('hex')}^FS^XZ\n`);
    },
  },
  pdf: { widest: 1_600, highest: 2_200, write: pageOf },
};

/** A picture of 203 dots to the inch on a page. */
function pageOf({ width, height, at }: Picture): Buffer {
  const greys = Uint8Array.from({ length: width * height }, (_, index) => at(index % width, Math.floor(index / width)));
  const image = deflateSync(greys, { level: 1 });
  const [wide, high] = [(width * 72) / 203, (height * 72) / 203];
  const content = `q ${wide} 0 0 ${high} 10 ${832 - high} cm /I Do Q`;
  const shape = `/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode`;
  return pdfOfObjects([
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    Buffer.from('<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>'),
    Buffer.from(`<</Length ${content.length}>>stream\n${content}\nendstream`),
    Buffer.concat([
      Buffer.from(`<</Type/XObject/Subtype/Image${shape}/Length ${image.length}>>stream\n`),
      image,
      Buffer.from('\nendstream'),
    ]),
  ]);
}
