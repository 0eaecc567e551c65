/**
 * Live line: the last line of a terminal, replaced as work goes on; permanent lines go above it.
 *
 *   FAIL  misc/noop  …               stays
 *   112/258 ok  paging/limit-edges   is replaced
 */

import type { Line } from '../../report/terminal/line.ts';
import { written, writtenLine, type Look } from '../../report/terminal/written.ts';
import { usesColor } from './terminal.ts';

/** Back to the first column, and nothing on the line. */
const OVER = '\r\u001B[2K';
const USUAL_COLUMNS = 80;

export interface TerminalStream {
  readonly columns?: number;
  write(text: string): unknown;
}

export class LiveLine {
  readonly #stream: TerminalStream;
  readonly #look: Look;

  constructor(stream: TerminalStream, look: Look) {
    this.#stream = stream;
    this.#look = look;
  }

  static on(stream: NodeJS.WriteStream): LiveLine {
    return new LiveLine(stream, { color: usesColor(stream) });
  }

  /** Replaces the line. */
  show(line: Line): void {
    // A line that wraps could not be replaced.
    const columns = (this.#stream.columns ?? USUAL_COLUMNS) - 1;
    const plain = writtenLine(line, { color: false });
    const shown = plain.length > columns ? plain.slice(0, columns) : writtenLine(line, this.#look);
    this.#stream.write(`${OVER}${shown}`);
  }

  /** A permanent line. */
  keep(line: Line): void {
    this.#stream.write(`${OVER}${written([line], this.#look)}`);
  }

  clear(): void {
    this.#stream.write(OVER);
  }
}

/** The line of standard output; undefined if no terminal shows it. */
export function liveLine(): LiveLine | undefined {
  return isWatched() ? LiveLine.on(process.stdout) : undefined;
}

/** Whether standard output is a terminal, and not a CI server that pretends to be one. */
export function isWatched(): boolean {
  return process.stdout.isTTY && !process.env['CI'] && process.env['TERM'] !== 'dumb';
}
