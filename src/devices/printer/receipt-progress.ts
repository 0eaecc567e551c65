/**
 * Receipt progress: how far a roll printer is with the receipts of a document, also in the middle of one.
 */

import type { ReceiptContent } from '../raw/raw-receipts.ts';
import { dotsWith, isWhole, marksWithin, type MarkedPiece, type Tear } from '../receipt/torn-paper.ts';

export class ReceiptProgress {
  readonly #receipt: ReceiptContent;
  readonly #tears: Tear[] = [];
  #piece = 0;
  #marksOut = 0;

  constructor(receipt: ReceiptContent) {
    this.#receipt = receipt;
  }

  /** Where the paper ended; at the end what is out of the receipt that is not. */
  get tears(): readonly Tear[] {
    return this.#marksOut > this.#lastTear ? [...this.#tears, this.#here] : this.#tears;
  }

  /** What is still to come of the receipt, in millimetres; undefined where that is not known. */
  get restMm(): number | undefined {
    const piece = this.#current;
    return piece && (piece.height - dotsWith(piece, this.#marksOut)) / this.#receipt.dotsPerMm;
  }

  /** The paper comes so far, and what is being printed is finished. @returns whether that was the whole receipt */
  advance(mm: number): boolean {
    const piece = this.#current;
    if (!piece) return true;
    this.#marksOut = marksWithin(piece, dotsWith(piece, this.#marksOut) + mm * this.#receipt.dotsPerMm);
    return isWhole(piece, this.#marksOut);
  }

  /** The receipt is out. */
  next(): void {
    this.#piece++;
    this.#marksOut = 0;
  }

  /** The paper has ended: what is out is a piece of it. */
  tear(): void {
    if (this.#marksOut > this.#lastTear) this.#tears.push(this.#here);
  }

  /** What is out of the receipt is spoiled, but for what was torn off before. */
  spoil(): void {
    this.#marksOut = this.#lastTear;
  }

  get #current(): MarkedPiece | undefined {
    return this.#receipt.pieces[this.#piece];
  }

  get #here(): Tear {
    return { piece: this.#piece, to: this.#marksOut };
  }

  get #lastTear(): number {
    const last = this.#tears.at(-1);
    return last?.piece === this.#piece ? last.to : 0;
  }
}
