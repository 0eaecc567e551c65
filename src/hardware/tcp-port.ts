/**
 * TCP port: what every port of an exposed room does alike.
 *
 *   listen ─► connections, each with an idle limit where one is given ─► close: all of them end
 *               └─ one too many: the one that has sent the least for its age ends
 */

import type { Server, Socket } from 'node:net';

import { portOf } from '../common/port-of.ts';
import { startStopwatch } from '../common/stopwatch.ts';

export interface PortAddress {
  /** Loopback unless given. */
  readonly host?: string | undefined;
  /** 0 takes a free one. */
  readonly port: number;
}

export interface ConnectionLimits {
  readonly most: number;
  /**
   * A connection that is silent for this long is closed. In real time: it is about a real socket. None for a server
   * that has its own limits, as one of HTTP has.
   */
  readonly idleMs?: number;
}

export const LOOPBACK = '127.0.0.1';

/** A host as it stands in a URI; an address that stands for all of them is reached on loopback. */
export function hostInUri(host: string = LOOPBACK): string {
  if (host === '0.0.0.0' || host === '::') return LOOPBACK;
  return host.includes(':') ? `[${host}]` : host;
}

/** What comes in over a connection that is still to be written to when its other end has ended. */
export function bytesOf(socket: Socket): AsyncIterable<Buffer> {
  return socket.iterator({ destroyOnReturn: false });
}

export class TcpPort {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #address: PortAddress = { port: 0 };
  /** Those that may have to make room for others, oldest first, and how long they are open. */
  readonly #passing = new Map<Socket, () => number>();

  constructor(server: Server, { most, idleMs }: ConnectionLimits) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      if (this.#passing.size >= most) this.#leastBusy()?.destroy();
      this.#passing.set(socket, startStopwatch());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        this.#passing.delete(socket);
      });
      if (idleMs === undefined) return;
      socket.setTimeout(idleMs, () => socket.destroy());
      socket.on('error', () => socket.destroy());
    });
  }

  /** It may stay, silent or not, for as long as its peer likes. */
  keep(socket: Socket): void {
    socket.setTimeout(0);
    this.#passing.delete(socket);
  }

  #leastBusy(): Socket | undefined {
    let least: Socket | undefined;
    let leastRate = Number.POSITIVE_INFINITY;
    for (const [socket, openMs] of this.#passing) {
      const rate = socket.bytesRead / (1 + openMs());
      if (rate < leastRate) [least, leastRate] = [socket, rate];
    }
    if (least) this.#passing.delete(least);
    return least;
  }

  /** Resolves when it listens. Rejects as `listen` does, with EADDRINUSE and the like. */
  async listen({ host = LOOPBACK, port }: PortAddress): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject);
    this.#server.listen(port, host, resolve);
    await promise;
    this.#server.off('error', reject);
    this.#address = { host, port: portOf(this.#server) };
  }

  /** At the same address, after it was closed. Rejects as `listen` does. */
  listenAgain(): Promise<void> {
    return this.listen(this.#address);
  }

  get number(): number {
    return this.#address.port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    await promise;
  }
}
