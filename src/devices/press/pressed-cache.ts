/**
 * Pressed cache: sheets that were composed before. The same document with the same settings gives the
 * same bytes, so under load a document is composed once, however many jobs print it.
 *
 * Bounded by bytes; what was not asked for the longest goes first.
 */

import type { PressedSheets } from './press-messages.ts';

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
