/**
 * Printout: what came out of a printer for one submission of one job. A job with `qty` 3 leaves three.
 */

import type { OptionsRecord } from './print-options.ts';
import type { Press } from './press.ts';
import type { RawContent } from './raw-document.ts';
import type { Sheet } from './sheet-plan.ts';

interface PrintoutBase {
  readonly jobId: number;
  readonly printerKey: string;
  readonly printerName: string;
  /** Which of the job's `qty` submissions, from 1. */
  readonly submission: number;
  readonly title: string;
  readonly options: OptionsRecord;
  /** Of the document as it arrived, in lowercase hexadecimal digits. */
  readonly documentSha256: string;
  /** When the last sheet came out, on the room's clock, in milliseconds since the epoch. */
  readonly printedAtMs: number;
}

/** Sheets of paper. Sides are numbered from 1 through all sheets, as the pages of the PDF are. */
export interface SheetsPrintout extends PrintoutBase {
  readonly kind: 'sheets';
  readonly sheets: readonly Sheet[];
  /** One page a side; the same job on the same printer gives the same bytes. */
  pdf(): Promise<Uint8Array>;
  /** @param dpi - 96 unless given. @throws DocumentError when there is no such side */
  png(side: number, options?: { readonly dpi?: number }): Promise<Uint8Array>;
  /** @throws DocumentError when there is no such side */
  text(side: number): Promise<string>;
}

/** Bytes in the printer's own language, exactly as the caller sent them. */
interface RawPrintout extends PrintoutBase {
  readonly kind: 'raw';
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Its language, and how much it prints as far as its text tells. */
  readonly content: RawContent;
}

export type Printout = SheetsPrintout | RawPrintout;
export type PrintoutFacts = Omit<PrintoutBase, 'printedAtMs'>;

/** Made of bytes that the paper path prints, before they are on paper. */
export type Impression =
  | { readonly kind: 'sheets'; readonly sheets: readonly Sheet[]; readonly pdf: Uint8Array }
  | { readonly kind: 'raw'; readonly bytes: Uint8Array; readonly content: RawContent };

const SCREEN_DPI = 96;

/** The printout that an impression leaves in the tray. */
export function printoutOf(
  facts: PrintoutFacts,
  impression: Impression,
  press: Press,
  printedAtMs: number,
): Printout {
  if (impression.kind === 'raw') {
    return { ...facts, printedAtMs, ...impression, length: impression.bytes.length };
  }
  const { sheets, pdf } = impression;
  return {
    ...facts,
    printedAtMs,
    kind: 'sheets',
    sheets,
    pdf: async () => pdf,
    png: (side, { dpi = SCREEN_DPI } = {}) => press.pngOf(pdf, side, dpi),
    text: (side) => press.textOf(pdf, side),
  };
}
