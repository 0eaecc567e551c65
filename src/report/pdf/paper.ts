/**
 * Paper: writes down a page and on to the next, lines broken at words, numbers at the foot.
 */

import { rgb, StandardFonts, type Color, type PDFDocument, type PDFFont, type PDFPage } from 'pdf-lib';

/** A4, in points. */
const WIDTH = 595;
const HEIGHT = 842;
const MARGIN = 56;
const LEADING = 1.38;
const FOOT_SIZE = 8;

export const INK: Color = rgb(0.11, 0.13, 0.16);
export const QUIET: Color = rgb(0.34, 0.38, 0.42);
export const GOOD: Color = rgb(0.09, 0.44, 0.23);
export const BAD: Color = rgb(0.7, 0.15, 0.12);
export const ODD: Color = rgb(0.48, 0.34, 0);
const RULE: Color = rgb(0.82, 0.85, 0.88);

export type Face = 'plain' | 'bold' | 'code';

export interface Writing {
  readonly size?: number;
  readonly face?: Face;
  readonly color?: Color;
  /** From the left margin. */
  readonly indent?: number;
  /** Lines beyond these are left out, with a mark. */
  readonly mostLines?: number;
}

/** A column of a table: where it begins, or ends when it is one of numbers, from the left margin. */
export interface Column {
  readonly at: number;
  readonly isNumber: boolean;
}

export class Paper {
  readonly #document: PDFDocument;
  readonly #fonts: Readonly<Record<Face, PDFFont>>;
  readonly #plain: (text: string) => string;
  #page: PDFPage;
  #y = 0;

  private constructor(document: PDFDocument, fonts: Readonly<Record<Face, PDFFont>>) {
    this.#document = document;
    this.#fonts = fonts;
    this.#plain = plainLetters(new Set(fonts.plain.getCharacterSet()));
    this.#page = this.#newPage();
  }

  /** Empty paper of a document; nothing in it depends on when it was made. */
  static async of(document: PDFDocument): Promise<Paper> {
    return new Paper(document, {
      plain: await document.embedFont(StandardFonts.Helvetica),
      bold: await document.embedFont(StandardFonts.HelveticaBold),
      code: await document.embedFont(StandardFonts.Courier),
    });
  }

  write(text: string, writing: Writing = {}): void {
    const { size = 9.5, face = 'plain', color = INK, indent = 0, mostLines = 40 } = writing;
    for (const line of this.#lines(text, { face, size, width: WIDTH - 2 * MARGIN - indent, mostLines })) {
      this.#down(size * LEADING);
      this.#page.drawText(line, { x: MARGIN + indent, y: this.#y, size, font: this.#fonts[face], color });
    }
  }

  /** A label at the margin, and a text beside it. */
  writeRow(label: string, text: string, writing: Writing = {}): void {
    const { size = 9.5, indent = 0 } = writing;
    this.#room(size * LEADING);
    const [page, y] = [this.#page, this.#y];
    this.write(text, { ...writing, indent: indent + LABEL_WIDTH });
    page.drawText(this.#plain(label), {
      x: MARGIN + indent,
      y: y - size * LEADING,
      size,
      font: this.#fonts.plain,
      color: QUIET,
    });
  }

  /** Cells in a row; numbers stand at the right of their column. */
  writeCells(cells: readonly string[], columns: readonly Column[], writing: Writing = {}): void {
    const { size = 9, face = 'plain', color = INK } = writing;
    this.#down(size * LEADING);
    const font = this.#fonts[face];
    for (const [index, cell] of cells.entries()) {
      const text = this.#cell(cell);
      const { at, isNumber } = columns[index] ?? { at: 0, isNumber: false };
      const x = MARGIN + at - (isNumber ? font.widthOfTextAtSize(text, size) : 0);
      this.#page.drawText(text, { x, y: this.#y, size, font, color });
    }
  }

  /** How wide a cell of a table becomes, in bold letters: no others are wider. */
  widthOfCell(text: string, size: number): number {
    return this.#fonts.bold.widthOfTextAtSize(this.#cell(text), size);
  }

  /** From margin to margin. */
  get width(): number {
    return WIDTH - 2 * MARGIN;
  }

  gap(points: number): void {
    this.#y -= points;
  }

  rule(): void {
    this.#down(8);
    this.#page.drawLine({
      start: { x: MARGIN, y: this.#y },
      end: { x: WIDTH - MARGIN, y: this.#y },
      thickness: 0.7,
      color: RULE,
    });
  }

  /** Goes on to the next page unless there is room for so much. */
  needs(points: number): void {
    this.#room(points);
  }

  nextPage(): void {
    this.#page = this.#newPage();
  }

  /** Writes the foot of every page. To be called last. */
  number(text: string): void {
    const pages = this.#document.getPages();
    const font = this.#fonts.plain;
    for (const [index, page] of pages.entries()) {
      const count = `${index + 1} / ${pages.length}`;
      const x = WIDTH - MARGIN - font.widthOfTextAtSize(count, FOOT_SIZE);
      page.drawText(this.#plain(text), { x: MARGIN, y: MARGIN / 2, size: FOOT_SIZE, font, color: QUIET });
      page.drawText(count, { x, y: MARGIN / 2, size: FOOT_SIZE, font, color: QUIET });
    }
  }

  #cell(text: string): string {
    const plain = this.#plain(text);
    return plain.length > MOST_IN_CELL ? `${plain.slice(0, MOST_IN_CELL - 3)}...` : plain;
  }

  #newPage(): PDFPage {
    this.#y = HEIGHT - MARGIN;
    return this.#document.addPage([WIDTH, HEIGHT]);
  }

  #down(points: number): void {
    this.#room(points);
    this.#y -= points;
  }

  #room(points: number): void {
    if (this.#y - points < MARGIN) this.#page = this.#newPage();
  }

  #lines(text: string, place: Place): readonly string[] {
    const { mostLines } = place;
    const lines: string[] = [];
    for (const paragraph of text.split(/\r\n|\r|\n/)) {
      lines.push(...this.#broken(this.#plain(paragraph), place));
      if (lines.length > mostLines) return [...lines.slice(0, mostLines - 1), '...'];
    }
    return lines;
  }

  /** A paragraph broken between words, and within those that are wider than a line. */
  #broken(paragraph: string, place: Place): readonly string[] {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (this.#fits(longer, place)) {
        line = longer;
        continue;
      }
      if (line !== '') lines.push(line);
      const pieces = this.#pieces(word, place);
      lines.push(...pieces.slice(0, -1));
      line = pieces.at(-1) ?? '';
      if (lines.length > place.mostLines) return lines;
    }
    return [...lines, line];
  }

  #pieces(word: string, place: Place): readonly string[] {
    const pieces: string[] = [];
    let piece = '';
    for (const letter of word) {
      if (!this.#fits(piece + letter, place)) {
        pieces.push(piece);
        piece = '';
      }
      piece += letter;
    }
    return [...pieces, piece];
  }

  #fits(text: string, { face, size, width }: Place): boolean {
    return this.#fonts[face].widthOfTextAtSize(text, size) <= width;
  }
}

/** Where lines have to fit in. */
interface Place {
  readonly face: Face;
  readonly size: number;
  readonly width: number;
  readonly mostLines: number;
}

const LABEL_WIDTH = 62;
const MOST_IN_CELL = 72;

/**
 * A function that leaves only characters with these code points, and no line breaks: `Zażółć 你好` → `Zazólc ??`. The
 * standard fonts of PDF have the letters of western Europe; run.json has the text whole.
 */
function plainLetters(known: ReadonlySet<number>): (text: string) => string {
  return (text) =>
    Array.from(text.replaceAll(/\s+/g, ' '), (character) => {
      if (isKnown(character, known)) return character;
      const bare = Array.from(character.normalize('NFKD'))[0] ?? '';
      return isKnown(bare, known) ? bare : '?';
    }).join('');
}

function isKnown(character: string, known: ReadonlySet<number>): boolean {
  const point = character.codePointAt(0);
  // The fonts list soft hyphens and controls that draw nothing.
  return point !== undefined && known.has(point) && !/[\p{Cc}\p{Cf}]/u.test(character);
}
