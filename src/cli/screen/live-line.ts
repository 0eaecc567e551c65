/**
 * Live line: the last line of a terminal, written over as things go on; lines that are to stay go above it.
 *
 *   FAIL  misc/noop  …               stays
 *   112/258 ok  paging/limit-edges   is written over
 */

import { stripVTControlCharacters } from 'node:util';

/** Back to the first column, and nothing on the line. */
const OVER = '\r\u001B[2K';
const USUAL_COLUMNS = 80;

/** What it needs of a terminal. */
export interface TerminalStream {
  readonly columns?: number;
  write(text: string): unknown;
}

export class LiveLine {
  readonly #stream: TerminalStream;

  constructor(stream: TerminalStream) {
    this.#stream = stream;
  }

  /** Instead of what stands there. */
  show(text: string): void {
    // A line that is broken in two would not be written over.
    const columns = (this.#stream.columns ?? USUAL_COLUMNS) - 1;
    const plain = stripVTControlCharacters(text);
    this.#stream.write(`${OVER}${plain.length > columns ? plain.slice(0, columns) : text}`);
  }

  /** A line that stays. */
  keep(text: string): void {
    this.#stream.write(`${OVER}${text}\n`);
  }

  clear(): void {
    this.#stream.write(OVER);
  }
}

/** Whether somebody is looking: a terminal, and no CI server that pretends to be one. */
export function isWatched(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && !process.env['CI'] && process.env['TERM'] !== 'dumb';
}
