/**
 * Bounded JSON: a document from outside, read without standing in anybody's way.
 *
 *   bytes ─► levels and values, counted slice by slice ─► JSON.parse
 *
 * Between two slices the event loop serves others. What is nested too deep, or would become too many values, never
 * reaches the parser, which does not pause: limits on bytes and values decide how long it takes.
 */

import { setImmediate } from 'node:timers/promises';

export interface JsonLimits {
  /** Objects and arrays inside each other. */
  readonly levels: number;
  /** Objects, arrays, and what stands in them. */
  readonly values: number;
}

/** The document exceeds a limit, which the message names. */
export class ExcessiveJson extends Error {
  override readonly name = 'ExcessiveJson';
}

/** Scanned in a millisecond or two. */
const SLICE_BYTES = 512 * 1024;

/** @throws ExcessiveJson, or SyntaxError when it is not JSON */
export async function parseBoundedJson(bytes: Uint8Array, limits: JsonLimits): Promise<unknown> {
  const shape = new Shape(limits);
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
    if (start > 0) await setImmediate();
    shape.take(bytes.subarray(start, start + SLICE_BYTES));
  }
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')) as unknown;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Counts what the parser would make of a document; whether it is JSON at all is for the parser to say. */
class Shape {
  readonly #limits: JsonLimits;
  #levels = 0;
  #values = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  /** @throws ExcessiveJson */
  take(slice: Uint8Array): void {
    for (let at = 0; at < slice.length; at++) {
      if (this.#isInString) at = this.#passString(slice, at);
      else this.#count(slice[at]);
    }
  }

  /** @returns where the string ends, or the slice */
  #passString(slice: Uint8Array, from: number): number {
    for (let at = from; at < slice.length; at++) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (slice[at] === BACKSLASH) this.#isEscaped = true;
      else if (slice[at] === QUOTE) {
        this.#isInString = false;
        return at;
      }
    }
    return slice.length;
  }

  #count(byte: number | undefined): void {
    if (byte === QUOTE) this.#isInString = true;
    else if (byte === COMMA) this.#values++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#levels--;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      this.#levels++;
      this.#values++;
    }
    const { levels, values } = this.#limits;
    if (this.#levels > levels) throw new ExcessiveJson(`more than ${levels} levels of objects and arrays`);
    if (this.#values > values) throw new ExcessiveJson(`more than ${values} values`);
  }
}
