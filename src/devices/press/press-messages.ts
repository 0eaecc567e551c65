/**
 * What a press and its worker thread say to each other: one request, one reply, in order.
 */

import type { RawContent } from '../raw/raw-document.ts';
import type { ReceiptLanguage, ReceiptPaper } from '../receipt/receipt-paper.ts';
import type { Slice } from '../receipt/torn-paper.ts';
import type { LabelStock, PrintSettings } from './print-settings.ts';
import type { Sheet } from './sheet-plan.ts';

export type RasterFormat = 'image/pwg-raster' | 'image/urf' | 'image/jpeg';

export const PWG_SYNC = 'RaS2';
export const URF_SYNC = 'UNIRAST\0';
const JPEG_SYNC = '\xff\xd8\xff';

/** The format that the first bytes of a document show; undefined for any other. */
export function rasterFormatOf(bytes: Uint8Array): RasterFormat | undefined {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  if (head.startsWith(PWG_SYNC)) return 'image/pwg-raster';
  if (head === URF_SYNC) return 'image/urf';
  return head.startsWith(JPEG_SYNC) ? 'image/jpeg' : undefined;
}

/**
 * A document, or a page of one, that cannot be printed. The message goes into the job's `error` state and
 * names the cause.
 */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

/** What a document became on paper. */
export interface PressedSheets {
  readonly sheets: readonly Sheet[];
  /** One page a side, in the order they came out. */
  readonly pdf: Uint8Array;
}

/** ZPL to draw: `copies` says of each label in it how often it came out. */
export interface LabelsToDraw {
  readonly zpl: string;
  readonly copies: readonly number[];
  /** Whether each is mirrored. */
  readonly mirrored: readonly boolean[];
  readonly stock: LabelStock;
}

/** A document of a receipt printer. */
export interface ReceiptToDraw {
  readonly document: Uint8Array;
  readonly language: ReceiptLanguage;
  readonly paper: ReceiptPaper;
  /** The pieces of paper that it became. */
  readonly slices: readonly Slice[];
}

export interface DrawnReceipts {
  /** A page for each slice. */
  readonly pdf: Uint8Array;
  /** What is not on them as it would be. */
  readonly notDrawn: readonly string[];
}

export type PressRequest =
  | ({ readonly kind: 'receipts' } & ReceiptToDraw)
  | ({ readonly kind: 'labels' } & LabelsToDraw)
  | { readonly kind: 'sheets'; readonly document: Uint8Array; readonly settings: PrintSettings }
  | { readonly kind: 'pdf'; readonly document: Uint8Array; readonly format: RasterFormat }
  | {
      readonly kind: 'content';
      readonly document: Uint8Array;
      readonly length: number;
      readonly paper: ReceiptPaper | undefined;
    }
  | { readonly kind: 'joined'; readonly pdfs: readonly Uint8Array[] }
  | { readonly kind: 'firstSides'; readonly pdf: Uint8Array; readonly sides: number }
  | { readonly kind: 'png'; readonly pdf: Uint8Array; readonly side: number; readonly dpi: number }
  | { readonly kind: 'text'; readonly pdf: Uint8Array; readonly side: number };

export interface PressResults {
  readonly receipts: DrawnReceipts;
  readonly labels: Uint8Array;
  readonly sheets: PressedSheets;
  readonly pdf: Uint8Array;
  readonly content: RawContent;
  readonly joined: Uint8Array;
  readonly firstSides: Uint8Array;
  readonly png: Uint8Array;
  readonly text: string;
}

/**
 * The outcome of one request; `refused` is a message for people about the document or the request. Where it has
 * spoilt what works on documents, the next one may not come to the same thread.
 */
export type PressReply =
  | { readonly kind: 'made'; readonly result: PressResults[keyof PressResults] }
  | { readonly kind: 'refused'; readonly message: string; readonly isSpoilt: boolean };
