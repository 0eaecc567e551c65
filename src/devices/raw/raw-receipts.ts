/**
 * Raw receipts: what a document of a receipt printer prints, as far as it can be said without drawing it.
 */

import { printReceipt } from '../receipt/printed-receipt.ts';
import { USUAL_PAPER, type PrinterEvent, type ReceiptLanguage, type ReceiptPaper } from '../receipt/receipt-paper.ts';
import type { MarkedPiece } from '../receipt/torn-paper.ts';
import { counted, type RawCount } from './raw-count.ts';

/** For those who look at it: the first receipts, as long as they are without codes drawn, and what happened beside. */
export interface ReceiptContent {
  readonly language: ReceiptLanguage;
  readonly dotsPerMm: number;
  readonly pieces: readonly MarkedPiece[];
  readonly events: readonly PrinterEvent[];
  readonly notDrawn: readonly string[];
}

export interface CountedReceipts extends RawCount {
  readonly receipt: ReceiptContent;
}

export function countReceipts(
  bytes: Uint8Array,
  language: ReceiptLanguage,
  paper: ReceiptPaper = USUAL_PAPER,
): CountedReceipts {
  const { count, pieces, events, notDrawn } = printReceipt(bytes, language, { paper });
  const marked = pieces.map(({ height, marks }) => ({ height, marks }));
  const receipt = { language, dotsPerMm: paper.dotsPerMm, pieces: marked, events, notDrawn };
  const macro = notDrawn.some((what) => what.startsWith('GS ^'));
  return { ...counted('receipts', count, macro ? 'it runs a macro, whose cuts are not counted' : null), receipt };
}
