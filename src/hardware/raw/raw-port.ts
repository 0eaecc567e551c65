/**
 * Raw port: what a printer takes on TCP port 9100 (AppSocket, JetDirect).
 *
 *   connect ─► bytes … ─► end ─► one job of exactly these bytes ─► paper path
 *                │
 *                └─ a status request among them is answered at once, also while the printer is stopped
 *
 * A connection is a job: it has no title and no options. One that carries nothing but status requests is not a job.
 */

import { createServer, type Server, type Socket } from 'node:net';

import type { HardwarePrinter } from '../hardware-printer.ts';
import { StatusRequests } from './status-requests.ts';
import { portOf } from '../../common/port-of.ts';

export interface RawPortOptions {
  readonly printer: HardwarePrinter;
  /** 127.0.0.1 unless given. */
  readonly host?: string | undefined;
  /** 0 takes a free one. */
  readonly port: number;
}

const MOST_JOB_BYTES = 128 * 1024 * 1024;
const MOST_CONNECTIONS = 256;
/** A silent connection is closed after this time, as printers do. In real time: it is about a real socket. */
const IDLE_MS = 120_000;

export class RawPort {
  readonly #printer: HardwarePrinter;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #jobs = 0;

  private constructor({ printer }: RawPortOptions) {
    this.#printer = printer;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
    this.#server.maxConnections = MOST_CONNECTIONS;
  }

  /** Resolves when it listens. Rejects as `listen` does, with EADDRINUSE and the like. */
  static async start(options: RawPortOptions): Promise<RawPort> {
    const port = new RawPort(options);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    port.#server.once('error', reject);
    port.#server.listen(options.port, options.host ?? '127.0.0.1', resolve);
    await promise;
    return port;
  }

  get port(): number {
    return portOf(this.#server);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    await promise;
  }

  #accept(socket: Socket): void {
    if (this.#printer.isSwitchedOff) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    // A sender that goes away in the middle prints nothing: its job never ended.
    socket.on('error', () => socket.destroy());
    const requests = new StatusRequests(this.#printer);
    const chunks: Uint8Array[] = [];
    let length = 0;
    socket.on('data', (chunk) => {
      const { document, replies } = requests.take(chunk);
      for (const reply of replies) socket.write(reply);
      length += document.length;
      if (length > MOST_JOB_BYTES) socket.destroy();
      else if (document.length > 0) chunks.push(document);
    });
    socket.on('end', () => {
      const rest = requests.rest();
      const bytes = Buffer.concat([...chunks, rest]);
      if (bytes.length > 0) this.#print(bytes, socket);
      socket.end();
    });
  }

  #print(bytes: Buffer, socket: Socket): void {
    const id = ++this.#jobs;
    const user = socket.remoteAddress ?? '';
    const job = { protocol: 'raw', id, user, title: `Raw ${id}`, bytes } as const;
    // A printer swallows what it cannot print; its sender hears nothing of it.
    this.#printer.print(job, () => undefined).catch(() => undefined);
  }
}
