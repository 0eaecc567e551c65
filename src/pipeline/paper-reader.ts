/**
 * Paper reader: the marks on a printout, from its text; from the codes in its pictures where the text has none, as on
 * paper that a pipeline has drawn anew.
 */

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

import type { Printout } from '../devices/printer/printout.ts';
import { marksIn, type SeenMark } from './marked-document.ts';

/** About the dots of a receipt: fewer blur its codes. */
const DPI = 203;
/** Most codes are read at the first, which costs least. */
const READING_DPIS = [102, DPI];
const MOST_CODES = 32;

/** One of its marks; null where it has none. */
export interface ReadPaper extends Omit<SeenMark, 'mark'> {
  readonly mark: string | null;
  readonly text: string;
}

export async function readPaper(printout: Printout): Promise<readonly ReadPaper[]> {
  const text = await textOf(printout);
  const told = marksIn(text);
  const marks = told.length > 0 ? told : await marksInPictures(printout);
  return (marks.length > 0 ? marks : [{ mark: null, copies: 1, isWhole: true }]).map((mark) => ({ ...mark, text }));
}

/** A picture of one of its sides; undefined where it cannot be drawn. */
export async function pictureOf(printout: Printout, side: number, dpi = DPI): Promise<Uint8Array | undefined> {
  const drawn = printout.kind === 'sheets' ? printout : printout.drawn;
  return drawn?.png(side, { dpi });
}

async function textOf(printout: Printout): Promise<string> {
  if (printout.kind === 'raw') {
    return printout.drawn?.texts().join('\n') ?? Buffer.from(printout.bytes).toString('latin1');
  }
  return (await Promise.all(sidesOf(printout).map((side) => printout.text(side)))).join('\n');
}

/** Looks closer where no end of a document is seen. */
async function marksInPictures(printout: Printout): Promise<readonly SeenMark[]> {
  let marks: readonly SeenMark[] = [];
  for (const dpi of READING_DPIS) {
    const codes = await Promise.all(sidesOf(printout).map((side) => codesOf(printout, side, dpi)));
    const seen = marksIn(codes.flat().join('\n'));
    if (seen.length > 0 && seen.every(({ isWhole }) => isWhole)) return seen;
    if (seen.length > 0) marks = seen;
  }
  return marks;
}

function sidesOf(printout: Printout): readonly number[] {
  const count =
    printout.kind === 'sheets'
      ? printout.sheets.reduce((sum, { sides }) => sum + sides.length, 0)
      : (printout.drawn?.sides ?? 0);
  return Array.from({ length: count }, (_, index) => index + 1);
}

let reader: Promise<unknown> | undefined;

/** What the codes on one of its sides say. */
async function codesOf(printout: Printout, side: number, dpi: number): Promise<readonly string[]> {
  const picture = await pictureOf(printout, side, dpi).catch(() => undefined);
  if (!picture) return [];
  await (reader ??= startReader());
  const codes = await readBarcodes(picture, { formats: ['QRCode'], maxNumberOfSymbols: MOST_CODES });
  return codes.map(({ text }) => text);
}

/** From its package: by itself it would fetch its program from the network. */
async function startReader(): Promise<unknown> {
  const file = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
  const { buffer: wasmBinary } = await readFile(file);
  return prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
}
