/**
 * Live line: the last line of a terminal, replaced as work goes on; permanent lines go above it.
 *
 *   FAIL  misc/noop  …               stays
 *   112/258 ok  paging/limit-edges   is replaced
 */

import { stripVTControlCharacters } from 'node:util';

/** Back to the first column, and nothing on the line. */
const OVER = '\r\u001B[2K';
const USUAL_COLUMNS = 80;

export interface TerminalStream {
  readonly columns?: number;
  write(text: string): unknown;
}

export class LiveLine {
  readonly #stream: TerminalStream;

  constructor(stream: TerminalStream) {
    this.#stream = stream;
  }

  /** Replaces the line. */
  show(text: string): void {
    // A line that wraps could not be replaced.
    const columns = (this.#stream.columns ?? USUAL_COLUMNS) - 1;
    const plain = stripVTControlCharacters(text);
    this.#stream.write(`${OVER}${plain.length > columns ? plain.slice(0, columns) : text}`);
  }

  /** A permanent line. */
  keep(text: string): void {
    this.#stream.write(`${OVER}${text}\n`);
  }

  clear(): void {
    this.#stream.write(OVER);
  }
}

/** Whether it is a terminal, and not a CI server that pretends to be one. */
export function isWatched(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && !process.env['CI'] && process.env['TERM'] !== 'dumb';
}
