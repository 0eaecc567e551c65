/**
 * Receipt pictures: draws a document of a receipt printer as a PDF, a page for each piece. Runs in the press worker.
 *
 * A page counts in dots from its upper left corner, as the printer does. Letters are drawn by a font, as wide and high
 * as the cells of the print head; pictures and codes are dots.
 */

import { deflateSync } from 'node:zlib';

import { numberToString, PDFDocument, PDFName, type PDFPage, type PDFRef } from 'pdf-lib';

import { printReceipt } from '../receipt/printed-receipt.ts';
import { isWideLetter } from '../receipt/receipt-line.ts';
import type { Bitmap, Item, Piece, TextInk } from '../receipt/receipt-paper.ts';
import { dotsWith } from '../receipt/torn-paper.ts';
import type { DrawnReceipts, ReceiptToDraw } from './press-messages.ts';
import { mmToPoints } from './print-settings.ts';
import { encode } from './receipt-codes.ts';
import { addFont, ADVANCE, ASCENT, glyphOf, LINE } from './receipt-font.ts';

export async function drawReceipts({ document, language, paper, slices }: ReceiptToDraw): Promise<DrawnReceipts> {
  const { pieces, notDrawn } = printReceipt(document, language, { paper, encode });
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const drawing = new Drawing(pdf, mmToPoints(1 / paper.dotsPerMm));
  for (const { piece, from, to } of slices) {
    const drawn = pieces[piece];
    if (drawn) drawing.add(drawn, paper.widthDots, dotsWith(drawn, from), dotsWith(drawn, to));
  }
  const missing = [...drawing.missing];
  const letters = `letters that the font of platen has not: ${missing.slice(0, MOST_NAMED).join(' ')}`;
  return {
    pdf: await pdf.save({ addDefaultPage: false, updateFieldAppearances: false }),
    notDrawn: missing.length > 0 ? [...notDrawn, letters] : notDrawn,
  };
}

const MOST_NAMED = 10;
/** How far a letter that is struck twice is moved, and how many dots a page has at least. */
const STRIKE = 1;
const SHORTEST = 8;

class Drawing {
  /** Letters without a glyph. */
  readonly missing = new Set<string>();
  readonly #pdf: PDFDocument;
  readonly #scale: number;
  #font: PDFRef | undefined;

  /** @param scale - points a dot */
  constructor(pdf: PDFDocument, scale: number) {
    this.#pdf = pdf;
    this.#scale = scale;
  }

  /** A page of what lies between two lines across a receipt. */
  add({ items }: Piece, widthDots: number, top: number, bottom: number): void {
    const pageHeight = Math.max(SHORTEST, bottom - top) * this.#scale;
    const page = this.#pdf.addPage([widthDots * this.#scale, pageHeight]);
    const operators = [matrix(this.#scale, 0, 0, -this.#scale, 0, pageHeight + top * this.#scale)];
    const onPage = items.filter(({ y, height }) => y < bottom && y + height > top);
    for (const item of joined(onPage)) operators.push('q', placeOf(item), ...this.#inkOf(item, page), 'Q');
    const { context } = this.#pdf;
    const content = context.stream(deflateSync(operators.join('\n')), { Filter: 'FlateDecode' });
    page.node.set(PDFName.of('Contents'), context.register(content));
  }

  #inkOf(item: Item, page: PDFPage): readonly string[] {
    const [width, height] = item.turn % 180 === 0 ? [item.width, item.height] : [item.height, item.width];
    if (item.ink.kind === 'text') return this.#textOf(item.ink, width, height, page);
    const name = page.node.newXObject('Dots', this.#imageOf(item.ink.bitmap));
    return [matrix(width, 0, 0, -height, 0, height), `${name.toString()} Do`];
  }

  #textOf(ink: TextInk, width: number, height: number, page: PDFPage): readonly string[] {
    this.#font ??= addFont(this.#pdf);
    page.node.setFontDictionary(PDFName.of('F'), this.#font);
    const operators = ink.isReverse ? [rectangle(0, 0, width, height), '1 g'] : [];
    for (const shift of ink.isBold ? [0, STRIKE] : [0]) operators.push(...this.#lettersOf(ink, shift, height));
    if (ink.underline > 0) operators.push(rectangle(0, height - ink.underline, width, ink.underline));
    return operators;
  }

  /** Letters of one cell stand in a row; those of two are each put into their place. */
  #lettersOf({ text, cellWidth, letterSpace }: TextInk, shift: number, height: number): readonly string[] {
    const operators = ['BT', '/F 1 Tf'];
    const show = (hex: string, x: number, cell: number): void => {
      const [across, up] = [cell / ADVANCE, height / LINE];
      if (letterSpace > 0) operators.push(`${numbers(letterSpace / across)} Tc`);
      operators.push(`${numbers(across, 0, 0, -up, x + shift, ASCENT * up)} Tm <${hex}> Tj`);
    };
    let x = 0;
    let row = '';
    const end = (cells: number): void => {
      if (row !== '') show(row, x, cellWidth);
      x += cells * (cellWidth + letterSpace);
      row = '';
    };
    let cells = 0;
    for (const letter of text) {
      const hex = this.#hexOf(letter);
      if (isWideLetter(letter)) {
        end(cells);
        cells = 0;
        show(hex, x, cellWidth * 2);
        x += cellWidth * 2 + letterSpace;
      } else {
        row += hex;
        cells++;
      }
    }
    end(cells);
    return [...operators, 'ET'];
  }

  #hexOf(letter: string): string {
    const glyph = glyphOf(letter);
    if (glyph === 0) this.missing.add(letter);
    return glyph.toString(16).padStart(4, '0');
  }

  #imageOf({ width, height, bits }: Bitmap): PDFRef {
    const { context } = this.#pdf;
    const image = context.stream(deflateSync(bits), {
      Type: 'XObject',
      Subtype: 'Image',
      Width: width,
      Height: height,
      ImageMask: true,
      BitsPerComponent: 1,
      Decode: context.obj([1, 0]),
      Filter: 'FlateDecode',
    });
    return context.register(image);
  }
}

/** Pictures that were sent line by line are one picture. */
function joined(items: readonly Item[]): readonly Item[] {
  const groups: Item[][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group && isBelow(group.at(-1), item)) group.push(item);
    else groups.push([item]);
  }
  return groups.map(joinedOf);
}

function isBelow(above: Item | undefined, item: Item): boolean {
  if (above?.ink.kind !== 'bitmap' || item.ink.kind !== 'bitmap' || above.turn !== 0 || item.turn !== 0) return false;
  const isSame = above.x === item.x && above.width === item.width && above.ink.bitmap.width === item.ink.bitmap.width;
  const scales = [above, item].map(({ height, ink }) => (ink.kind === 'bitmap' ? height / ink.bitmap.height : 0));
  return isSame && above.y + above.height === item.y && scales[0] === scales[1];
}

function joinedOf(group: readonly Item[]): Item {
  const [first, ...others] = group;
  if (!first) throw new Error('a group of items has one at least');
  if (others.length === 0) return first;
  const bitmaps = group.flatMap(({ ink }) => (ink.kind === 'bitmap' ? [ink.bitmap] : []));
  const bitmap = {
    width: bitmaps[0]?.width ?? 0,
    height: bitmaps.reduce((sum, { height }) => sum + height, 0),
    bits: Buffer.concat(bitmaps.map(({ bits }) => bits)),
  };
  return { ...first, height: group.reduce((sum, { height }) => sum + height, 0), ink: { kind: 'bitmap', bitmap } };
}

/** From the upper left corner of what is in the box, as it is turned. */
function placeOf({ x, y, width, height, turn }: Item): string {
  if (turn === 0) return matrix(1, 0, 0, 1, x, y);
  if (turn === 90) return matrix(0, 1, -1, 0, x + width, y);
  if (turn === 180) return matrix(-1, 0, 0, -1, x + width, y + height);
  return matrix(0, -1, 1, 0, x, y + height);
}

function rectangle(...box: readonly number[]): string {
  return `${numbers(...box)} re f`;
}

function matrix(...values: readonly number[]): string {
  return `${numbers(...values)} cm`;
}

function numbers(...values: readonly number[]): string {
  return values.map(numberToString).join(' ');
}
