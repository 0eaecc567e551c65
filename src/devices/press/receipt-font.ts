/**
 * Receipt font: the letters of receipts, as a font of a PDF. Each letter is as wide as any other, as in a print head.
 *
 *   WOFF (DejaVu Sans Mono) ─► TrueType ─► whole in the PDF, letters by the numbers of their glyphs
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deflateSync, inflateSync } from 'node:zlib';

import type { PDFDocument, PDFRef } from 'pdf-lib';

/** In parts of the size of the font, as it says itself. */
export const ADVANCE = 1_233 / 2_048;
export const ASCENT = 1_901 / 2_048;
export const LINE = (1_901 + 483) / 2_048;

interface Font {
  readonly deflated: Uint8Array;
  readonly glyphs: ReadonlyMap<number, number>;
}

let loaded: Font | undefined;

function font(): Font {
  loaded ??= load();
  return loaded;
}

/** The glyph of a letter; 0 where the font has none, which is drawn as a box. */
export function glyphOf(letter: string): number {
  return font().glyphs.get(letter.codePointAt(0) ?? 0) ?? 0;
}

export function addFont(pdf: PDFDocument): PDFRef {
  const { context } = pdf;
  const file = context.register(context.stream(font().deflated, { Filter: 'FlateDecode' }));
  const descriptor = context.register(
    context.obj({
      Type: 'FontDescriptor',
      FontName: 'Receipt',
      Flags: 5,
      FontBBox: [-600, -400, 800, 1_100],
      ItalicAngle: 0,
      Ascent: 928,
      Descent: -236,
      CapHeight: 729,
      StemV: 80,
      FontFile2: file,
    }),
  );
  const descendant = context.obj({
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: 'Receipt',
    CIDSystemInfo: { Registry: context.obj('Adobe'), Ordering: context.obj('Identity'), Supplement: 0 },
    FontDescriptor: descriptor,
    DW: Math.round(ADVANCE * 1_000),
    CIDToGIDMap: 'Identity',
  });
  return context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: 'Receipt',
      Encoding: 'Identity-H',
      DescendantFonts: [context.register(descendant)],
    }),
  );
}

function load(): Font {
  const require = createRequire(import.meta.url);
  const file = require.resolve('@fontsource/dejavu-mono/files/dejavu-mono-latin-400-normal.woff');
  const tables = tablesOf(readFileSync(file));
  return { deflated: deflateSync(trueTypeOf(tables)), glyphs: glyphsOf(tables.get('cmap') ?? Buffer.alloc(0)) };
}

const WOFF_HEADER_BYTES = 44;
const WOFF_ENTRY_BYTES = 20;

function tablesOf(woff: Buffer): ReadonlyMap<string, Buffer> {
  const count = woff.readUInt16BE(12);
  const entries = Array.from({ length: count }, (_, index) => WOFF_HEADER_BYTES + index * WOFF_ENTRY_BYTES);
  return new Map(
    entries.map((at) => {
      const [offset, packed, length] = [4, 8, 12].map((field) => woff.readUInt32BE(at + field));
      const data = woff.subarray(offset ?? 0, (offset ?? 0) + (packed ?? 0));
      return [woff.toString('latin1', at, at + 4), packed === length ? data : inflateSync(data)];
    }),
  );
}

/** What a PDF wants of a TrueType font; tables for the screen are left out. */
const NEEDED = ['cvt ', 'fpgm', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'prep'];
const HEADER_BYTES = 12;
const ENTRY_BYTES = 16;

function trueTypeOf(tables: ReadonlyMap<string, Buffer>): Buffer {
  const header = Buffer.alloc(HEADER_BYTES + NEEDED.length * ENTRY_BYTES);
  header.writeUInt32BE(0x0001_0000, 0);
  header.writeUInt16BE(NEEDED.length, 4);
  const parts: Buffer[] = [header];
  let at = header.length;
  for (const [index, name] of NEEDED.entries()) {
    const data = tables.get(name) ?? Buffer.alloc(0);
    const entry = HEADER_BYTES + index * ENTRY_BYTES;
    header.write(name, entry, 'latin1');
    header.writeUInt32BE(at, entry + 8);
    header.writeUInt32BE(data.length, entry + 12);
    const padded = Buffer.alloc(Math.ceil(data.length / 4) * 4);
    data.copy(padded);
    parts.push(padded);
    at += padded.length;
  }
  return Buffer.concat(parts);
}

/** Letters of a cmap of format 12, a group each of which is a run of letters and of glyphs. */
function glyphsOf(cmap: Buffer): ReadonlyMap<number, number> {
  const glyphs = new Map<number, number>();
  const table = subtableOf(cmap);
  if (!table) return glyphs;
  for (let group = 0; group < table.readUInt32BE(12); group++) {
    const at = 16 + group * 12;
    const [first, last, glyph] = [0, 4, 8].map((field) => table.readUInt32BE(at + field));
    for (let code = first ?? 0; code <= (last ?? 0); code++) glyphs.set(code, (glyph ?? 0) + code - (first ?? 0));
  }
  return glyphs;
}

function subtableOf(cmap: Buffer): Buffer | undefined {
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const table = cmap.subarray(cmap.readUInt32BE(4 + index * 8 + 4));
    if (table.readUInt16BE(0) === 12) return table;
  }
  return undefined;
}
