/**
 * Printout: what came out of a printer for one submission of one job. A job with `qty` 3 leaves three.
 */

import type { PieceDrawing } from '../press/piece-drawing.ts';
import type { Press } from '../press/press.ts';
import { ReceiptDrawing } from '../press/receipt-drawing.ts';
import type { Sheet } from '../press/sheet-plan.ts';
import type { RawContent } from '../raw/raw-document.ts';
import { slicesOf, type Tear } from '../receipt/torn-paper.ts';
import type { OptionsRecord } from './print-options.ts';

/** How a job came to the printer from an operating system, past the link. */
export interface HardwareOrigin {
  readonly protocol: 'ipp' | 'raw' | 'lpd' | 'usb';
  /** Counts the jobs of this printer and protocol, from 1. */
  readonly id: number;
  /** As the sender names it; empty where the protocol has no name. */
  readonly user: string;
}

interface PrintoutBase {
  /** The id that the service gave the job; null when the job did not come over the link. */
  readonly jobId: number | null;
  /** Null when it came over the link. */
  readonly origin: HardwareOrigin | null;
  readonly printerKey: string;
  readonly printerName: string;
  /** Which of the job's `qty` submissions, from 1. */
  readonly submission: number;
  readonly title: string;
  readonly options: OptionsRecord;
  /** The hash of the document as it arrived, in lowercase hexadecimal digits. */
  readonly documentSha256: string;
  /** When its newest sheet came out, on the room's clock, in milliseconds since the epoch. */
  readonly printedAtMs: number;
  /** False while sheets of it are still to come. */
  readonly complete: boolean;
  /** Sheets that a jam spoiled; each was printed again. */
  readonly sheetsLost: number;
}

/** Sheets of paper, those that came out. Sides are numbered from 1 through all sheets, as the pages of the PDF are. */
export interface SheetsPrintout extends PrintoutBase {
  readonly kind: 'sheets';
  readonly sheets: readonly Sheet[];
  /** Sheets it will have when it is complete. */
  readonly sheetsDue: number;
  /** One page a side; the same job on the same printer gives the same bytes. */
  pdf(): Promise<Uint8Array>;
  /** @param dpi - 96 unless given. @throws DocumentError when there is no such side */
  png(side: number, options?: { readonly dpi?: number }): Promise<Uint8Array>;
  /** @throws DocumentError when there is no such side */
  text(side: number): Promise<string>;
}

/** Labels or receipts that came out, drawn when the first is asked for; until then `sides` is an estimate. */
export interface DrawnPieces {
  /** How many of the first have a picture. */
  readonly sides: number;
  /** Why they have no picture, or what is not on it. */
  readonly notDrawn: string | null;
  /** The width of the pictures, in points. */
  readonly widthPt: number;
  /** A page for each; undefined when they cannot be drawn, and `notDrawn` then says why. */
  pdf(): Promise<Uint8Array | undefined>;
  /** @param dpi - that of the print head unless given. @throws DocumentError when there is no such side */
  png(side: number, options?: { readonly dpi?: number }): Promise<Uint8Array | undefined>;
  /** The text on each, also where they are not drawn. */
  texts(): string[];
}

/** Bytes in the printer's own language, exactly as the caller sent them. */
interface RawPrintout extends PrintoutBase {
  readonly kind: 'raw';
  readonly bytes: Uint8Array;
  readonly length: number;
  /**
   * Labels, pages or receipts that came out: what its text asks for, a thousand at most, one if it does not say. A
   * receipt in which the paper ended is two.
   */
  readonly pieces: number;
  /** Its language, and how much it prints as far as its text says. */
  readonly content: RawContent;
  /** Null for languages that platen does not draw. */
  readonly drawn: DrawnPieces | null;
}

export type Printout = SheetsPrintout | RawPrintout;
type Progress = Pick<PrintoutBase, 'printedAtMs' | 'complete' | 'sheetsLost'>;
export type PrintoutFacts = Omit<PrintoutBase, keyof Progress>;

/** Made of bytes that the paper path prints, before they are on paper. */
export type Impression =
  | { readonly kind: 'sheets'; readonly sheets: readonly Sheet[]; readonly pdf: Uint8Array }
  | {
      readonly kind: 'raw';
      readonly bytes: Uint8Array;
      readonly content: RawContent;
      readonly drawing: PieceDrawing | null;
    };

const SCREEN_DPI = 96;

/** The printout that an impression leaves in the tray, with as many sheets as have come out. */
export function printoutOf(
  facts: PrintoutFacts,
  impression: Impression,
  press: Press,
  { sheetsOut, tears, ...progress }: Progress & { readonly sheetsOut: number; readonly tears: readonly Tear[] },
): Printout {
  const base = { ...facts, ...progress };
  if (impression.kind === 'raw') {
    const { kind, bytes, content } = impression;
    const pieces = sheetsOut + tears.length;
    const drawing = tornDrawing(impression.drawing, sheetsOut, tears);
    const drawn = drawing && new PiecesOut(drawing, pieces, press);
    return { ...base, kind, bytes, length: bytes.length, pieces, content, drawn };
  }
  const sheets = impression.sheets.slice(0, sheetsOut);
  const sideCount = sheets.reduce((sum, { sides }) => sum + sides.length, 0);
  const pdf = async (): Promise<Uint8Array> =>
    progress.complete ? impression.pdf : press.firstSidesOf(impression.pdf, sideCount);
  return {
    ...base,
    kind: 'sheets',
    sheets,
    sheetsDue: impression.sheets.length,
    pdf,
    png: async (side, { dpi = SCREEN_DPI } = {}) => press.pngOf(await pdf(), side, dpi),
    text: async (side) => press.textOf(await pdf(), side),
  };
}

function tornDrawing(drawing: PieceDrawing | null, whole: number, tears: readonly Tear[]): PieceDrawing | null {
  return tears.length > 0 && drawing instanceof ReceiptDrawing ? drawing.torn(slicesOf(whole, tears)) : drawing;
}

/** A class: V8 would keep an object with getters, and all that these refer to, until its next whole collection. */
class PiecesOut implements DrawnPieces {
  readonly widthPt: number;
  readonly #drawing: PieceDrawing;
  readonly #pieces: number;
  readonly #press: Press;

  constructor(drawing: PieceDrawing, pieces: number, press: Press) {
    this.widthPt = drawing.widthPt;
    this.#drawing = drawing;
    this.#pieces = pieces;
    this.#press = press;
  }

  get sides(): number {
    return this.#drawing.sides(this.#pieces);
  }

  get notDrawn(): string | null {
    return this.#drawing.notDrawn(this.#pieces);
  }

  pdf(): Promise<Uint8Array | undefined> {
    return this.#drawing.pdf(this.#pieces);
  }

  async png(side: number, options: { readonly dpi?: number } = {}): Promise<Uint8Array | undefined> {
    const { dpi = this.#drawing.dpi } = options;
    const pdf = await this.pdf();
    return pdf && this.#press.pngOf(pdf, side, dpi);
  }

  texts(): string[] {
    return this.#drawing.texts(this.#pieces);
  }
}

/** For people: `3 sheets`, `61 raw bytes (2 labels)`. */
export function amountInWords(printout: Printout): string {
  if (printout.kind === 'sheets') return countInWords(printout.sheets.length, 'sheets');
  const { length, pieces, content } = printout;
  return `${length} raw bytes (${content.counted === null ? 'of unknown extent' : countInWords(pieces, content.counted)})`;
}

/** `1 label`, `2 labels`. */
export function countInWords(number: number, plural: string): string {
  return `${number} ${number === 1 ? plural.replace(/s$/, '') : plural}`;
}
