/**
 * Watched socket: a link socket that shows every frame of its connection to a reader, as evidence for what a check
 * says. Other connections pay nothing for it.
 */

import type { IncomingMessage } from 'node:http';
import type { RawData } from 'ws';

import { bytesOf } from './codec.ts';
import type { LinkRequest, SeenFrame } from './device-link.ts';
import { LinkSocket, type OpenSocket, type SocketOwner } from './link-socket.ts';

class WatchedLinkSocket extends LinkSocket {
  readonly #show: (frame: SeenFrame) => void;

  constructor(request: LinkRequest, owner: SocketOwner, show: (frame: SeenFrame) => void) {
    super(request, owner);
    this.#show = show;
    this.on('unexpected-response', (_request, { statusCode }: IncomingMessage) =>
      show({ from: 'service', text: `(upgrade refused with ${statusCode})` }),
    );
    this.on('close', (code, reason) =>
      show({ from: 'service', text: `(connection ended: ${code} ${reason.toString('utf8')})` }),
    );
  }

  override say(text: string): void {
    this.#show({ from: 'computer', text });
    super.say(text);
  }

  override take(data: RawData, isBinary: boolean): void {
    const bytes = bytesOf(data);
    this.#show({ from: 'service', text: isBinary ? `(binary, ${bytes.length} bytes)` : bytes.toString('utf8') });
    super.take(data, isBinary);
  }

  override dismiss(code: number, reason: string): void {
    this.#show({ from: 'computer', text: `(closes with ${code}: ${reason})` });
    super.dismiss(code, reason);
  }
}

/** Makes sockets for a request that wants to see its frames. */
export function watchedSockets(show: (frame: SeenFrame) => void): OpenSocket {
  return (request, owner) => new WatchedLinkSocket(request, owner, show);
}
