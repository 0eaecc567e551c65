/**
 * Receipt head: the print head of a receipt printer, with its settings and the line that it has in its buffer.
 *
 *   text, pictures, codes ─► line ─► piece ─► cut
 *                             └─ page mode: a page, put onto the piece when it is printed
 *
 * A line comes onto the paper when it ends or is full, aligned as the printer is set then. A piece that has nothing
 * printed on it is no piece.
 */

import { decode, isLead } from './code-pages.ts';
import { FONTS, settingsAtStart, usualLineSpace, type HeadSettings } from './head-settings.ts';
import { isInk, isWideLetter, lineText, tallestOf, type Run } from './receipt-line.ts';
import { ReceiptMarks } from './receipt-marks.ts';
import { ReceiptPage } from './receipt-page.ts';
import type { Bitmap, CodeRequest, Encode, Ink, Item, Piece, PrinterEvent, ReceiptPaper } from './receipt-paper.ts';

export interface HeadOptions {
  readonly paper: ReceiptPaper;
  /** The code pages of the language. */
  readonly pages: Readonly<Record<number, string>>;
  /** Undefined where only text and pieces are wanted. */
  readonly encode?: Encode | undefined;
  /** How many pieces are kept with what is on them. */
  readonly mostPieces: number;
}

/** What a document may ask for in all; more is bounded by its length. */
const MOST_ITEMS = 200_000;
const MOST_EVENTS = 1_000;
const MOST_NOT_DRAWN = 1_000;
/** 5 m at 203 dpi: the longest page of a PDF is a little longer. */
const LONGEST_PIECE_MM = 5_000;
/** About as many modules does a square code have across. */
const CODE_MODULES = 29;

export class ReceiptHead {
  /** Where the command stands that is carried out. */
  offset = 0;
  readonly events: PrinterEvent[] = [];
  readonly notDrawn: { readonly what: string; readonly offset: number }[] = [];
  readonly pieces: Piece[] = [];
  pieceCount = 0;
  readonly paper: ReceiptPaper;
  readonly #options: HeadOptions;
  #now: HeadSettings;
  #line: Run[] = [];
  #x = 0;
  #items: Item[] = [];
  #y = 0;
  #marks = new ReceiptMarks();
  #itemCount = 0;
  #hasInk = false;
  #page: ReceiptPage | undefined;
  /** A picture that was sent and is printed later. */
  stored: { readonly bitmap: Bitmap; readonly scaleX: number; readonly scaleY: number } | undefined;

  constructor(options: HeadOptions) {
    this.#options = options;
    this.paper = options.paper;
    this.#now = this.#atStart();
  }

  #atStart(): HeadSettings {
    return settingsAtStart(this.paper, this.#options.pages[0]);
  }

  get usualLineSpace(): number {
    return usualLineSpace(this.paper);
  }

  /** Its settings, to look at. */
  get settings(): Readonly<HeadSettings> {
    return this.#now;
  }

  set(settings: Partial<HeadSettings>): void {
    Object.assign(this.#now, settings);
  }

  setCode(code: Partial<HeadSettings['code']>): void {
    Object.assign(this.#now.code, code);
  }

  /** As when it is switched on: what stands in the buffer is gone. */
  reset(): void {
    if (this.#line.length > 0) this.leaveOut('a line without an end, which a reset clears');
    this.#now = this.#atStart();
    this.#dropLine();
    this.#page = undefined;
    this.stored = undefined;
  }

  leaveOut(what: string): void {
    if (this.notDrawn.length < MOST_NOT_DRAWN) this.notDrawn.push({ what, offset: this.offset });
  }

  happen(what: PrinterEvent['what'], number = 0): void {
    if (this.events.length < MOST_EVENTS) this.events.push({ what, number, offset: this.offset });
  }

  /** @param number - as the language counts its code pages */
  selectPage(number: number): void {
    const encoding = this.#options.pages[number];
    const { codePages } = this.paper;
    if (encoding === undefined || codePages?.includes(number) === false) {
      this.leaveOut(`code page ${number}, which the printer has not got: it goes on with ${this.#now.encoding}`);
    } else this.#now.encoding = encoding;
  }

  text(bytes: Uint8Array): void {
    const { encoding, wideEncoding, country } = this.#now;
    let from = 0;
    while (from < bytes.length) {
      const isWide = wideEncoding !== undefined && isLead(bytes[from] ?? 0, wideEncoding);
      let to = from;
      while (to < bytes.length && (wideEncoding !== undefined && isLead(bytes[to] ?? 0, wideEncoding)) === isWide) {
        to += isWide ? 2 : 1;
      }
      const part = bytes.subarray(from, to);
      this.#write(decode(part, isWide ? wideEncoding : encoding, country));
      from = to;
    }
  }

  #write(text: string): void {
    const { font, width, height, isTurned, letterSpace } = this.#now;
    const [across, down] = FONTS[font];
    const cell = { width: (isTurned ? down : across) * width, height: (isTurned ? across : down) * height };
    const room = this.#room;
    let from = 0;
    let used = 0;
    const letters = Array.from(text);
    for (const [index, letter] of letters.entries()) {
      const advance = cell.width * (isWideLetter(letter) ? 2 : 1) + letterSpace;
      if (this.#x + used + advance > room && this.#x + used > 0) {
        this.#put(letters.slice(from, index), used, cell);
        this.lineFeed();
        [from, used] = [index, 0];
      }
      used += advance;
    }
    this.#put(letters.slice(from), used, cell);
  }

  /** How long a line may be. */
  get #room(): number {
    return this.#page?.width ?? this.#areaWidth;
  }

  /** One letter has room beside it. */
  get #leftMargin(): number {
    return Math.min(this.#now.leftMargin, this.paper.widthDots - this.letterWidth);
  }

  /** What is printed on ends with the paper, whatever was set. */
  get #areaWidth(): number {
    return Math.max(1, Math.min(this.#now.areaWidth, this.paper.widthDots - this.#leftMargin));
  }

  #put(letters: readonly string[], width: number, cell: { readonly width: number; readonly height: number }): void {
    const { isBold, underline, isReverse, isTurned, letterSpace } = this.#now;
    const cellWidth = isTurned ? cell.height : cell.width;
    const parts = isTurned ? letters : [letters.join('')];
    for (const text of parts.filter((part) => part !== '')) {
      const ink: Ink = { kind: 'text', text, cellWidth, letterSpace, isBold, underline, isReverse };
      this.#add({ x: this.#x, width: width / parts.length, height: cell.height, ink, isTurned });
      this.#x += width / parts.length;
    }
  }

  #add(run: Run): void {
    if (this.#hasRoomFor(1)) this.#line.push(run);
  }

  #hasRoomFor(items: number): boolean {
    const had = this.#itemCount <= MOST_ITEMS;
    this.#itemCount += items;
    const has = this.#itemCount <= MOST_ITEMS;
    if (had && !has) this.leaveOut('everything from here on: it is too much');
    return has;
  }

  /** Prints the line; an empty one feeds the paper. */
  lineFeed(atLeast = this.#now.lineSpace): void {
    if (this.#page) return this.#page.lineFeed(this.#takeLine(), Math.max(atLeast, 1));
    const used = this.#line.reduce((most, run) => Math.max(most, run.x + run.width), 0);
    const text = lineText(this.#line);
    const isPicture = text.trim() === '' && this.#line.some(isInk);
    this.#lineOut(atLeast, this.#aligned(used));
    this.#marks.add(isPicture ? null : text, this.#y);
  }

  /** Where something of this width begins, from the left of the area. */
  #aligned(width: number): number {
    return Math.max(0, Math.round((this.#areaWidth - width) * this.#now.align));
  }

  /** @param left - where the line begins, from the left of the area */
  #lineOut(atLeast: number, left: number): void {
    const hadRuns = this.#line.length > 0;
    const tallest = tallestOf(this.#line);
    const runs = this.#takeLine();
    this.#hasInk ||= runs.some(isInk);
    const { isUpsideDown } = this.#now;
    const [areaWidth, leftMargin] = [this.#areaWidth, this.#leftMargin];
    const start = leftMargin + left;
    for (const { x, width, height, ink, isTurned } of runs) {
      const across = isUpsideDown ? leftMargin * 2 + areaWidth - start - x - width : start + x;
      const top = isUpsideDown ? this.#y : this.#y + tallest - height;
      const turn = isUpsideDown ? 180 : isTurned ? 90 : 0;
      this.#items.push({ x: across, y: top, width, height, ink, turn });
    }
    this.feed(hadRuns ? Math.max(tallest, atLeast) : atLeast);
  }

  feed(dots: number): void {
    if (this.#line.length > 0) return this.lineFeed(dots);
    if (this.#page) return this.#page.feed(dots);
    this.#y = Math.min(Math.max(0, this.#y + dots), LONGEST_PIECE_MM * this.paper.dotsPerMm);
  }

  feedLines(lines: number): void {
    if (lines > 0) this.lineFeed(this.#now.lineSpace);
    const more = Math.max(0, lines - 1);
    if (more === 0) return;
    this.feed(more * this.#now.lineSpace);
    this.#marks.add('', this.#y);
  }

  #takeLine(): Run[] {
    const runs = this.#line;
    this.#dropLine();
    return runs;
  }

  #dropLine(): void {
    this.#line = [];
    this.#x = 0;
  }

  /** Whether letters stand in the line that is not printed. */
  get isInLine(): boolean {
    return this.#line.length > 0;
  }

  /** The cursor, from the left of the area. */
  moveTo(dots: number): void {
    this.#x = Math.max(0, Math.min(dots, this.#areaWidth));
  }

  moveBy(dots: number): void {
    this.moveTo(this.#x + dots);
  }

  tab(): void {
    const letter = this.letterWidth;
    const next = this.#now.tabs.find((column) => column * letter > this.#x);
    if (next !== undefined) this.moveTo(next * letter);
  }

  get letterWidth(): number {
    return FONTS[this.#now.font][0] * this.#now.width + this.#now.letterSpace;
  }

  /** A picture that stands in the line like a letter. */
  stripe(bitmap: Bitmap, scaleX: number, scaleY: number): void {
    if (bitmap.width === 0 || bitmap.height === 0) return;
    const width = bitmap.width * scaleX;
    this.#add({ x: this.#x, width, height: bitmap.height * scaleY, ink: { kind: 'bitmap', bitmap } });
    this.#x += width;
  }

  /** A picture on lines of its own. */
  picture(bitmap: Bitmap, scaleX: number, scaleY: number): void {
    if (this.isInLine && !this.#page) this.lineFeed();
    const top = this.#y;
    this.#pictureOut(bitmap, scaleX, scaleY);
    if (this.#y > top) this.#marks.addPicture(top, this.#y);
  }

  #pictureOut(bitmap: Bitmap, scaleX: number, scaleY: number): void {
    this.stripe(bitmap, scaleX, scaleY);
    if (!this.isInLine) return;
    if (this.#page) this.#page.lineFeed(this.#takeLine(), 0);
    else this.#lineOut(bitmap.height * scaleY, this.#aligned(bitmap.width * scaleX));
  }

  /** @param height - of each of its modules, in dots: of a bar code as high as it is */
  code(
    request: CodeRequest,
    size: { readonly module: number; readonly height: number; readonly readable: number },
  ): void {
    if (this.isInLine && !this.#page) this.lineFeed();
    const { encode } = this.#options;
    const dots = encode?.(request);
    if (typeof dots === 'string') {
      this.#marks.add(null, this.#y);
      return this.leaveOut(`a code (${request.symbology}): ${dots}`);
    }
    if (this.#page) this.#page.hasInk = true;
    else this.#hasInk = true;
    const isAbove = (size.readable & 1) !== 0;
    const isBelow = (size.readable & 2) !== 0;
    const width = dots ? dots.width * size.module : this.#widthOf(request.data);
    const left = this.#page ? this.#x : this.#aligned(width);
    if (isAbove) this.#readable(request.data, left, width);
    if (this.#page) this.moveTo(left);
    if (dots) this.#pictureOut(dots, size.module, size.height);
    else if (!this.#page) this.feed(size.height * (size.height > size.module ? 1 : CODE_MODULES));
    const isReadable = isAbove || isBelow;
    if (!this.#page) this.#marks.add(isReadable ? null : request.data, this.#y);
    else if (!isReadable) this.#page.texts.push(request.data);
    if (isBelow) this.#readable(request.data, left, width);
  }

  #widthOf(letters: string): number {
    return letters.length * this.letterWidth;
  }

  /** The letters of a bar code stand in the middle of it. */
  #readable(data: string, left: number, width: number): void {
    const middle = left + Math.round((width - this.#widthOf(data)) / 2);
    const start = Math.max(0, Math.min(middle, this.#room - this.#widthOf(data)));
    if (this.#page) this.moveTo(start);
    this.#write(data);
    if (this.#page) return this.lineFeed();
    this.#lineOut(this.#now.lineSpace, start);
    this.#marks.add(data, this.#y);
  }

  enterPage(): void {
    if (!this.#page) this.#page = new ReceiptPage(this.paper.widthDots);
    this.#dropLine();
  }

  /** The page that is made up; undefined outside page mode. */
  get page(): ReceiptPage | undefined {
    return this.#page;
  }

  /** Puts what stands in the line onto the page. */
  settle(): void {
    if (this.#page && this.isInLine) this.#page.lineFeed(this.#takeLine(), 0);
  }

  /** @param stays - in page mode, with what is on the page */
  printPage(stays: boolean): void {
    const page = this.#page;
    if (!page) return;
    this.settle();
    const hasRoom = this.#hasRoomFor(page.items.length);
    if (hasRoom) for (const item of page.items) this.#items.push({ ...item, y: item.y + this.#y });
    this.#hasInk ||= page.hasInk;
    this.#page = undefined;
    this.feed(page.height);
    if (hasRoom) for (const text of page.texts) this.#marks.add(text, this.#y);
    if (stays) this.#page = page;
  }

  leavePage(): void {
    if (this.#page) this.#dropLine();
    this.#page = undefined;
  }

  clearPage(): void {
    if (this.#page) [this.#page, this.#line, this.#x] = [new ReceiptPage(this.paper.widthDots), [], 0];
  }

  /** What was fed and printed so far becomes a piece. */
  cut(): void {
    if (this.isInLine && !this.#page) this.lineFeed();
    if (this.#hasInk) {
      this.pieceCount++;
      const piece = { height: this.#y, items: this.#items, marks: this.#marks.all };
      if (this.pieces.length < this.#options.mostPieces) this.pieces.push(piece);
    }
    this.#items = [];
    this.#marks = new ReceiptMarks();
    this.#y = 0;
    this.#hasInk = false;
  }

  /** The end of the document. */
  end(): void {
    if (this.isInLine && !this.#page) {
      this.leaveOut('the end of a line: a printer keeps the last one until the next job');
    }
    if (this.#page) this.leaveOut('a page that is never printed');
    this.leavePage();
    this.cut();
  }
}
