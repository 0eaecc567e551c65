/**
 * TCP port: what every port of an exposed room does alike.
 *
 *   listen ─► connections, each with an idle limit where one is given ─► close: all of them end
 */

import type { Server, Socket } from 'node:net';

import { portOf } from '../common/port-of.ts';

export interface PortAddress {
  /** Loopback unless given. */
  readonly host?: string | undefined;
  /** 0 takes a free one. */
  readonly port: number;
}

export interface ConnectionLimits {
  readonly most: number;
  /** A connection that is silent for this long is closed. In real time: it is about a real socket. */
  readonly idleMs: number;
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

  /** @param limits - none for a server that has its own, as one of HTTP has */
  constructor(server: Server, limits?: ConnectionLimits) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    if (!limits) return;
    server.maxConnections = limits.most;
    server.on('connection', (socket) => {
      socket.setTimeout(limits.idleMs, () => socket.destroy());
      socket.on('error', () => socket.destroy());
    });
  }

  /** Resolves when it listens. Rejects as `listen` does, with EADDRINUSE and the like. */
  async listen({ host = LOOPBACK, port }: PortAddress): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject);
    this.#server.listen(port, host, resolve);
    await promise;
    this.#server.off('error', reject);
  }

  get number(): number {
    return portOf(this.#server);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    await promise;
  }
}
