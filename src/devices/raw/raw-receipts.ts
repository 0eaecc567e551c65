/**
 * Raw receipts: what a document of a receipt printer prints, as far as it can be said without drawing it.
 */

import { printReceipt } from '../receipt/printed-receipt.ts';
import type { PrinterEvent, ReceiptLanguage, ReceiptPaper } from '../receipt/receipt-paper.ts';
import { counted, type RawCount } from './raw-count.ts';

/** For those who look at it: a text for each of the first receipts, and what happened beside. */
export interface ReceiptContent {
  readonly language: ReceiptLanguage;
  readonly texts: readonly string[];
  readonly events: readonly PrinterEvent[];
  readonly notDrawn: readonly string[];
}

export interface CountedReceipts extends RawCount {
  readonly receipt: ReceiptContent;
}

export function countReceipts(
  bytes: Uint8Array,
  language: ReceiptLanguage,
  paper: ReceiptPaper | undefined,
): CountedReceipts {
  const { count, pieces, events, notDrawn } = printReceipt(bytes, language, { paper });
  const receipt = { language, texts: pieces.map(({ text }) => text), events, notDrawn };
  const macro = notDrawn.some((what) => what.startsWith('GS ^'));
  return { ...counted('receipts', count, macro ? 'it runs a macro, whose cuts are not counted' : null), receipt };
}
