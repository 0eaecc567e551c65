/**
 * Press: makes sheets from documents, and pictures and text from sheets, in a worker thread.
 *
 *   sheetsOf ─► composed before? the same again (pressed-cache.ts)
 *      │
 *   pngOf / textOf ─► queue ─► worker (started at first use, one request at a time)
 *                                           │ over its time or memory: ended, the next one gets a new one
 *                                           ▼
 *                                       result, or DocumentError with a message for people
 *
 * One press serves a whole room. An idle press keeps no process alive.
 */

import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

import { holding, type Clock } from '../../common/clock.ts';
import { messageOf } from '../../common/error-message.ts';
import { siblingModule } from '../../common/sibling-module.ts';
import type { PrintSettings } from './print-settings.ts';
import { hasGrown, tooMuchMemory, watchLimits, type PressLimits } from './press-limits.ts';
import {
  DocumentError,
  type LabelsToDraw,
  type PressedSheets,
  type PressReply,
  type PressRequest,
  type PressResults,
  type RasterFormat,
} from './press-messages.ts';

const DEFAULT_LIMITS: PressLimits = { timeMs: 20_000, memoryMb: 512 };

/** Large, and needed for labels alone: an optional package. */
const ZPL_RENDERER = 'zpl-renderer-js';

/** Ending a worker takes a moment, and virtual time has to wait for that as well. */
const ENDING_MS = 5_000;

/** A few hundred invoices. */
const CACHE_BYTES = 32 * 1024 * 1024;

export class Press {
  readonly #clock: Clock;
  readonly #limits: PressLimits;
  readonly #composed = new PressedCache(CACHE_BYTES);
  /** What is being composed: a second request for the same waits for it. */
  readonly #composing = new Map<string, Promise<PressedSheets>>();
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;
  readonly #zplRenderer: string;
  #drawsLabels: boolean | undefined;

  /** @param zplRenderer - the package that draws ZPL, or the address of a module like it */
  constructor(clock: Clock, limits: PressLimits = DEFAULT_LIMITS, zplRenderer = ZPL_RENDERER) {
    this.#clock = clock;
    this.#limits = limits;
    this.#zplRenderer = zplRenderer;
  }

  /** Null where ZPL can be drawn; else which package is missing for it. Loads nothing. */
  get missingForLabels(): string | null {
    this.#drawsLabels ??= isThere(this.#zplRenderer);
    return this.#drawsLabels ? null : this.#zplRenderer;
  }

  /** Labels as PDF, a page for each that came out. @throws DocumentError when they cannot be drawn */
  labelsOf(labels: LabelsToDraw): Promise<Uint8Array> {
    return this.#ask({ kind: 'labels', ...labels });
  }

  /**
   * The sheets a PDF comes out as.
   *
   * @param sha256 - of the document in hexadecimal digits, where it is known already
   * @throws DocumentError when it cannot be printed so
   */
  async sheetsOf(
    document: Uint8Array,
    settings: PrintSettings,
    sha256 = hash('sha256', document),
  ): Promise<PressedSheets> {
    const key = `${sha256} ${JSON.stringify(settings)}`;
    const known = this.#composed.get(key) ?? this.#composing.get(key);
    if (known) return known;
    const composing = this.#ask({ kind: 'sheets', document, settings });
    this.#composing.set(key, composing);
    try {
      const pressed = await composing;
      this.#composed.set(key, pressed);
      return pressed;
    } finally {
      this.#composing.delete(key);
    }
  }

  /** A document that is not a PDF, as a PDF. @throws DocumentError when it is not what it claims to be */
  pdfOf(document: Uint8Array, format: RasterFormat): Promise<Uint8Array> {
    return this.#ask({ kind: 'pdf', document, format });
  }

  /** A sheets PDF with its first `sides` sides alone. */
  firstSidesOf(pdf: Uint8Array, sides: number): Promise<Uint8Array> {
    return this.#ask({ kind: 'firstSides', pdf, sides });
  }

  /** Side `side` (from 1) of a sheets PDF as PNG. @throws DocumentError when there is no such side */
  pngOf(pdf: Uint8Array, side: number, dpi: number): Promise<Uint8Array> {
    return this.#ask({ kind: 'png', pdf, side, dpi });
  }

  /** The text of side `side` (from 1). @throws DocumentError when there is no such side */
  textOf(pdf: Uint8Array, side: number): Promise<string> {
    return this.#ask({ kind: 'text', pdf, side });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Ends the worker; what was asked and not answered fails. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#endWorker();
  }

  /** Requests wait for each other: a worker that is over its limits can then only be on the one asked. */
  #ask<Kind extends keyof PressResults>(request: PressRequest & { readonly kind: Kind }): Promise<PressResults[Kind]> {
    const answer = holding(
      this.#clock,
      `press: ${request.kind}`,
      () => {
        const turn = this.#last.then(() => this.#run(request));
        this.#last = turn.catch(() => undefined);
        return turn;
      },
      this.#limits.timeMs + ENDING_MS,
    );
    return answer as Promise<PressResults[Kind]>;
  }

  async #run(request: PressRequest): Promise<PressResults[keyof PressResults]> {
    if (this.#closed) throw new DocumentError('the press was closed before the document was printed');
    const worker = (this.#worker ??= this.#startWorker());
    worker.ref();
    try {
      const reply = await this.#exchange(worker, request);
      // What draws labels is a program of its own, which may not live after it has failed.
      const isSpoilt = reply.kind === 'refused' && request.kind === 'labels';
      if (isSpoilt || (await hasGrown(worker, this.#limits))) await this.#endWorker();
      if (reply.kind === 'refused') throw new DocumentError(reply.message);
      return reply.result;
    } finally {
      // One that is being ended keeps the process alive until it has ended.
      if (worker === this.#worker) worker.unref();
    }
  }

  async #exchange(worker: Worker, request: PressRequest): Promise<PressReply> {
    const settled = new AbortController();
    const { signal } = settled;
    const ended = once(worker, 'exit', { signal }).then(() => Promise.reject(new Error('the worker ended')));
    const over = watchLimits(worker, this.#limits, signal);
    for (const loser of [ended, over]) loser.catch(() => undefined);
    try {
      worker.postMessage(request, []);
      const [reply] = await Promise.race([once(worker, 'message', { signal }), ended, over]);
      return reply as PressReply;
    } catch (error) {
      await this.#endWorker();
      throw this.#whyFailed(error);
    } finally {
      settled.abort();
    }
  }

  #whyFailed(error: unknown): DocumentError {
    if (this.#closed) return new DocumentError('the press was closed before the document was printed');
    if (error instanceof DocumentError) return error;
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
      return tooMuchMemory(this.#limits.memoryMb);
    }
    const message = messageOf(error);
    return new DocumentError(`the document could not be worked on: ${message}`, { cause: error });
  }

  #startWorker(): Worker {
    const worker = new Worker(siblingModule(import.meta.url, 'press-worker'), {
      name: 'platen press',
      workerData: this.#zplRenderer,
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.memoryMb },
    });
    // Without a listener an error between two requests would end the process.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    worker.unref();
    return worker;
  }

  async #endWorker(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

function isThere(module: string): boolean {
  if (URL.canParse(module)) return true;
  try {
    createRequire(import.meta.url).resolve(module);
    return true;
  } catch {
    return false;
  }
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
