/**
 * The body of a request, read up to a limit.
 */

import type { IncomingMessage } from 'node:http';

export interface ReceivedBody {
  /** What arrived, at most the limit. */
  readonly bytes: Uint8Array;
  /** `cut`: the peer went away in the middle. */
  readonly state: 'complete' | 'too-large' | 'cut';
}

/** Reads the body; never throws. What exceeds `maxBytes` is not read. */
export async function readBody(message: IncomingMessage, maxBytes: number): Promise<ReceivedBody> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.length;
      if (length > maxBytes) return { bytes: Buffer.concat(pieces, maxBytes), state: 'too-large' };
    }
  } catch {
    return { bytes: Buffer.concat(pieces), state: 'cut' };
  }
  return { bytes: Buffer.concat(pieces), state: 'complete' };
}
