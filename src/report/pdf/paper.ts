/**
 * Paper: writes down a page and on to the next, lines broken at words, numbers at the foot.
 */

import { PDFDocument, rgb, StandardFonts, type Color, type PDFFont, type PDFPage } from 'pdf-lib';

import { plainLetters } from './plain-letters.ts';

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

  /** Cells that end at these distances from the left margin; the first one begins there. */
  writeCells(cells: readonly string[], ends: readonly number[], writing: Writing = {}): void {
    const { size = 9, face = 'plain', color = INK } = writing;
    this.#down(size * LEADING);
    const font = this.#fonts[face];
    for (const [index, cell] of cells.entries()) {
      const text = this.#plain(cell).slice(0, MOST_IN_CELL);
      const x = index === 0 ? MARGIN : MARGIN + (ends[index] ?? 0) - font.widthOfTextAtSize(text, size);
      this.#page.drawText(text, { x, y: this.#y, size, font, color });
    }
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

  #lines(
    text: string,
    { face, size, width, mostLines }: { face: Face; size: number; width: number; mostLines: number },
  ): readonly string[] {
    const lines: string[] = [];
    for (const paragraph of text.split(/\r\n|\r|\n/)) {
      let line = '';
      for (const word of this.#words(this.#plain(paragraph), face, size, width)) {
        const longer = line === '' ? word : `${line} ${word}`;
        if (this.#fonts[face].widthOfTextAtSize(longer, size) <= width) line = longer;
        else {
          lines.push(line);
          line = word;
        }
        if (lines.length >= mostLines) return [...lines.slice(0, mostLines - 1), '...'];
      }
      lines.push(line);
    }
    return lines.length > mostLines ? [...lines.slice(0, mostLines - 1), '...'] : lines;
  }

  /** Words, and pieces of words that are wider than a line. */
  #words(text: string, face: Face, size: number, width: number): readonly string[] {
    // Of the widest letter, so many fit in any case.
    const fitting = Math.max(1, Math.floor(width / this.#fonts[face].widthOfTextAtSize('W', size)));
    return text.split(' ').flatMap((word) => {
      if (this.#fonts[face].widthOfTextAtSize(word, size) <= width) return [word];
      return Array.from({ length: Math.ceil(word.length / fitting) }, (_, index) =>
        word.slice(index * fitting, (index + 1) * fitting),
      );
    });
  }
}

const LABEL_WIDTH = 62;
const MOST_IN_CELL = 60;
