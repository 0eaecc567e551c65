/**
 * Incoming bodies: what callers send to the control API, each within the limit of its route and all of them within one
 * of memory. A body counts until its request is answered.
 */

import type { IncomingMessage } from 'node:http';

import { ApiError } from '../../service/gate/api-error.ts';

const MOST_BYTES = 64 * 1024 * 1024;

export class IncomingBodies {
  #bytes = 0;

  /** The body of one request. */
  one(): IncomingBody {
    return new IncomingBody((bytes) => this.#add(bytes));
  }

  /** @throws ApiError when there is no room for them */
  #add(bytes: number): void {
    this.#bytes += bytes;
    if (bytes < 0 || this.#bytes <= MOST_BYTES) return;
    throw new ApiError(503, 'Busy', `bodies of ${MOST_BYTES} bytes are being read already: send this one again later`);
  }
}

class IncomingBody implements Disposable {
  readonly #add: (bytes: number) => void;
  #size = 0;

  constructor(add: (bytes: number) => void) {
    this.#add = add;
  }

  /** @throws ApiError when it is longer than that, or when there is no room for it */
  async bytesOf(request: IncomingMessage, mostBytes: number): Promise<Uint8Array> {
    const chunks: Buffer[] = [];
    // Left in the middle, it is not cut off: its sender hears why.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      this.#size += chunk.length;
      this.#add(chunk.length);
      if (this.#size > mostBytes) throw new ApiError(413, 'TooLarge', `more than ${mostBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  [Symbol.dispose](): void {
    this.#add(-this.#size);
  }
}
