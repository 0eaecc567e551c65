/**
 * Press: makes sheets from documents, and pictures and text from sheets, in worker threads.
 *
 *   sheetsOf ─► composed before? the same again (PressedCache)
 *      │
 *   pngOf / textOf ─► queue (press-queue.ts) ─► engine (press-engine.ts): a worker
 *
 * One press serves a whole room. What comes out of one printer is made in the order in which it was asked for.
 */

import { holding, type Clock } from '../../common/clock.ts';
import { sha256Of } from '../../common/digest.ts';
import { readPartOf, recogniseRaw, type RawContent } from '../raw/raw-document.ts';
import type { ReceiptPaper } from '../receipt/receipt-paper.ts';
import { PressEngine } from './press-engine.ts';
import type { PressLimits } from './press-limits.ts';
import {
  DocumentError,
  type DrawnReceipts,
  type LabelsToDraw,
  type PressedSheets,
  type PressRequest,
  type PressResults,
  type RasterFormat,
  type ReceiptToDraw,
} from './press-messages.ts';
import { PressQueue } from './press-queue.ts';
import type { PrintSettings } from './print-settings.ts';

const DEFAULT_LIMITS: PressLimits = { timeMs: 20_000, memoryMb: 512 };

/** Large, and loaded for labels alone. */
const ZPL_RENDERER = 'zpl-renderer-js';

/** Counted in a hundredth of a second. */
const SHORT_BYTES = 64 * 1024;

/** Ending a worker takes a moment, and virtual time has to wait for that as well. */
const ENDING_MS = 5_000;

/** A few hundred invoices. */
const CACHE_BYTES = 32 * 1024 * 1024;

/** Where a document comes out. */
export interface ComingOut {
  /** Whatever stands for the printer; without one, the document stands for itself. */
  readonly printer?: object | undefined;
  /** The hash of the document in hexadecimal digits, if it is known already. */
  readonly sha256?: string | undefined;
}

export class Press {
  readonly #clock: Clock;
  readonly #limits: PressLimits;
  readonly #queue: PressQueue<PressEngine>;
  readonly #composed = new PressedCache(CACHE_BYTES);
  #closed = false;

  /** @param zplRenderer - the package that draws ZPL, or the address of a module like it */
  constructor(clock: Clock, limits: PressLimits = DEFAULT_LIMITS, zplRenderer = ZPL_RENDERER) {
    this.#clock = clock;
    this.#limits = limits;
    this.#queue = new PressQueue({ clock, start: () => new PressEngine(limits, zplRenderer) });
  }

  /** Labels as PDF, a page for each that came out. @throws DocumentError when they cannot be drawn */
  labelsOf(labels: LabelsToDraw): Promise<Uint8Array> {
    return this.#ask(labels, { kind: 'labels', ...labels });
  }

  /** The sheets a PDF comes out as. @throws DocumentError when it cannot be printed so */
  async sheetsOf(
    document: Uint8Array,
    settings: PrintSettings,
    { printer = document, sha256 }: ComingOut = {},
  ): Promise<PressedSheets> {
    const key = `${sha256 ?? (await sha256Of(document))} ${JSON.stringify(settings)}`;
    const compose = async (engine: PressEngine): Promise<PressedSheets> => {
      const known = this.#composed.get(key);
      if (known) return known;
      const pressed = await engine.run({ kind: 'sheets', document, settings });
      this.#composed.set(key, pressed);
      return pressed;
    };
    return this.#composed.get(key) ?? this.#inTurn('sheets', printer, compose);
  }

  /** What bytes in a printer's own language print; long ones are read in the worker. */
  async contentOf(document: Uint8Array, paper?: ReceiptPaper, printer: object = document): Promise<RawContent> {
    const { length } = document;
    if (length <= SHORT_BYTES) return recogniseRaw(document, { paper });
    // A copy: with a part of its bytes, a worker is handed the whole document.
    return this.#ask(printer, { kind: 'content', document: new Uint8Array(readPartOf(document)), length, paper });
  }

  /** Receipts as PDF, a page for each. @throws DocumentError when they cannot be drawn */
  receiptsOf(receipt: ReceiptToDraw): Promise<DrawnReceipts> {
    return this.#ask(receipt, { kind: 'receipts', ...receipt });
  }

  /** A document that is not a PDF, as a PDF. @throws DocumentError when it is not what it claims to be */
  pdfOf(document: Uint8Array, format: RasterFormat, { printer = document }: ComingOut = {}): Promise<Uint8Array> {
    return this.#ask(printer, { kind: 'pdf', document, format });
  }

  /** A sheets PDF with its first `sides` sides alone. */
  firstSidesOf(pdf: Uint8Array, sides: number): Promise<Uint8Array> {
    return this.#ask(pdf, { kind: 'firstSides', pdf, sides });
  }

  /** Sheets PDFs one after the other. */
  joined(pdfs: readonly Uint8Array[]): Promise<Uint8Array> {
    return this.#ask(pdfs, { kind: 'joined', pdfs });
  }

  /** Side `side` (from 1) of a sheets PDF as PNG. @throws DocumentError when there is no such side */
  pngOf(pdf: Uint8Array, side: number, dpi: number): Promise<Uint8Array> {
    return this.#ask(pdf, { kind: 'png', pdf, side, dpi });
  }

  /** The text of side `side` (from 1). @throws DocumentError when there is no such side */
  textOf(pdf: Uint8Array, side: number): Promise<string> {
    return this.#ask(pdf, { kind: 'text', pdf, side });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Ends the workers; what was asked and not answered fails. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#queue.close(closedBefore());
  }

  #ask<Kind extends keyof PressResults>(
    owner: unknown,
    request: PressRequest & { readonly kind: Kind },
  ): Promise<PressResults[Kind]> {
    return this.#inTurn(request.kind, owner, (engine) => engine.run<Kind>(request));
  }

  #inTurn<Result>(what: string, owner: unknown, work: (engine: PressEngine) => Promise<Result>): Promise<Result> {
    const inTurn = async (): Promise<Result> => {
      if (this.#closed) throw closedBefore();
      return this.#queue
        .add(owner, (engine) => work(engine))
        .catch((error: unknown) => {
          throw this.#closed ? closedBefore() : error;
        });
    };
    return holding(this.#clock, `press: ${what}`, inTurn, this.#limits.timeMs + ENDING_MS);
  }
}

function closedBefore(): DocumentError {
  return new DocumentError('the press was closed before the document was printed');
}

/**
 * Sheets that were composed before. The same document with the same settings gives the
 * same bytes, so under load a document is composed once, however many jobs print it.
 *
 * Bounded by bytes; what was not asked for the longest goes first.
 */
export class PressedCache {
  readonly #maxBytes: number;
  /** In the order of their last use. */
  readonly #entries = new Map<string, { readonly pressed: PressedSheets; readonly bytes: number }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): PressedSheets | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.pressed;
  }

  /** Keeps sheets; larger ones than the whole cache are not kept. */
  set(key: string, pressed: PressedSheets): void {
    const bytes = sizeOf(pressed);
    if (bytes > this.#maxBytes || this.#entries.has(key)) return;
    this.#entries.set(key, { pressed, bytes });
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#entries.delete(oldest);
      this.#bytes -= entry.bytes;
    }
  }
}

/** What a planned sheet takes beside the picture of it, roughly. */
const SHEET_BYTES = 1_024;

function sizeOf({ sheets, pdf }: PressedSheets): number {
  return pdf.byteLength + sheets.length * SHEET_BYTES;
}
