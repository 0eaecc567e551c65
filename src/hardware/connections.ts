/**
 * Connections of a printer: what its faults do to those that send it documents, whatever the protocol.
 *
 *   connect ─► admits: one at a time ─► received: the bytes, late ─► document: its beginning
 */

import type { Socket } from 'node:net';

import { sleep, systemClock } from '../common/clock.ts';
import type { ConnectionFault } from '../devices/printer/printer-fault.ts';

/** What fits into a small buffer. */
export const SMALL_BUFFER_BYTES = 4 * 1024;
/** In real time: it is about a real socket. */
const SLOW_PIECE_MS = 500;

export class Connections {
  readonly #has: (fault: ConnectionFault) => boolean;
  #served: Socket | undefined;

  constructor(has: (fault: ConnectionFault) => boolean) {
    this.#has = has;
  }

  admits(socket: Socket): boolean {
    if (!this.#has('one-connection')) return true;
    if (!this.#served || this.#served.destroyed) this.#served = socket;
    return this.#served === socket;
  }

  /** The bytes of a connection as the printer reads them. */
  async *received(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    for await (const chunk of chunks) {
      await this.pace();
      yield chunk;
    }
  }

  /** What passes before the printer reads the next piece. */
  async pace(): Promise<void> {
    if (this.#has('slow-connection')) await sleep(systemClock, SLOW_PIECE_MS);
  }

  /** As much of a document as the printer keeps, where the protocol cannot refuse the rest. */
  kept(document: Uint8Array): Uint8Array {
    return this.#has('small-buffer') ? document.subarray(0, SMALL_BUFFER_BYTES) : document;
  }
}
