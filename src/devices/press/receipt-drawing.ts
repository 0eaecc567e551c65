/**
 * Receipt drawing: what the receipts of a document look like.
 *
 *   bytes ─► text, pieces, events: known when the document is read (receipt-content.ts)
 *      └───► press (receipt-pictures.ts) ─► PDF, kept
 */

import { messageOf } from '../../common/error-message.ts';
import type { ReceiptContent } from '../raw/raw-receipts.ts';
import { textOf, type ReceiptPaper } from '../receipt/receipt-paper.ts';
import { slicesOf, type Slice } from '../receipt/torn-paper.ts';
import type { PieceDrawing } from './piece-drawing.ts';
import type { Press } from './press.ts';
import type { DrawnReceipts } from './press-messages.ts';
import { MM_PER_INCH, mmToPoints } from './print-settings.ts';

/** More are not named one by one. */
const MOST_NAMED = 5;

export class ReceiptDrawing implements PieceDrawing {
  readonly #bytes: Uint8Array;
  readonly #content: ReceiptContent;
  readonly #paper: ReceiptPaper | undefined;
  readonly #press: Press;
  readonly #slices: readonly Slice[];
  #drawn: Promise<DrawnReceipts | undefined> | undefined;
  /** Known from the content, and better once it is drawn. */
  #notDrawn: readonly string[];
  #failure: string | undefined;

  /**
   * @param paper - what the printer prints on; undefined when it is not a receipt printer
   * @param slices - the pieces of paper; each receipt is one unless given
   */
  constructor(
    bytes: Uint8Array,
    content: ReceiptContent,
    paper: ReceiptPaper | undefined,
    press: Press,
    slices: readonly Slice[] = slicesOf(content.pieces.length),
  ) {
    this.#bytes = bytes;
    this.#content = content;
    this.#paper = paper;
    this.#press = press;
    this.#slices = slices;
    this.#notDrawn = content.notDrawn;
  }

  /** The same receipts, as other pieces of paper. */
  torn(slices: readonly Slice[]): ReceiptDrawing {
    return new ReceiptDrawing(this.#bytes, this.#content, this.#paper, this.#press, slices);
  }

  get widthPt(): number {
    return this.#paper ? mmToPoints(this.#paper.widthDots / this.#paper.dotsPerMm) : 0;
  }

  get dpi(): number {
    return this.#content.dotsPerMm * MM_PER_INCH;
  }

  sides(pieces: number): number {
    return this.#whyNone() === undefined ? Math.min(pieces, this.#slices.length) : 0;
  }

  notDrawn(pieces: number): string | null {
    const none = this.#whyNone();
    if (none !== undefined) return none;
    const sides = this.sides(pieces);
    const reasons = sides < pieces ? [`of ${pieces} receipts only the first ${sides} are drawn`] : [];
    const named = this.#notDrawn.slice(0, MOST_NAMED);
    const more = this.#notDrawn.length - named.length;
    return [...reasons, ...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ') || null;
  }

  async pdf(pieces: number): Promise<Uint8Array | undefined> {
    const sides = this.sides(pieces);
    if (sides === 0) return undefined;
    const drawn = await (this.#drawn ??= this.#draw());
    if (!drawn || sides === this.#slices.length) return drawn?.pdf;
    return this.#press.firstSidesOf(drawn.pdf, sides);
  }

  texts(pieces: number): string[] {
    return this.#slices
      .slice(0, pieces)
      .map(({ piece, from, to }) => textOf(this.#content.pieces[piece]?.marks.slice(from, to) ?? []));
  }

  #whyNone(): string | undefined {
    return this.#paper ? this.#failure : 'the printer is not a receipt printer';
  }

  async #draw(): Promise<DrawnReceipts | undefined> {
    const paper = this.#paper;
    if (!paper) return undefined;
    try {
      const { language } = this.#content;
      const drawn = await this.#press.receiptsOf({ document: this.#bytes, language, paper, slices: this.#slices });
      this.#notDrawn = drawn.notDrawn;
      return drawn;
    } catch (error) {
      this.#failure = messageOf(error);
      return undefined;
    }
  }
}
