/**
 * Raw port: what a printer takes on TCP port 9100 (AppSocket, JetDirect).
 *
 *   connect ─► bytes … ─► end ─► one job of exactly these bytes ─► paper path
 *                │
 *                └─ a status request among them is answered at once, also while the printer is stopped
 *
 * A connection is a job: it has no title and no options. One that carries nothing but status requests is not a job.
 */

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

import { MOST_DOCUMENT_BYTES, type HardwarePrinter } from '../hardware-printer.ts';
import { bytesOf, TcpPort, type PortAddress } from '../tcp-port.ts';
import { StatusRequests } from './status-requests.ts';

export interface RawPortOptions extends PortAddress {
  readonly printer: HardwarePrinter;
}

const LIMITS = { most: 256, idleMs: 120_000 };

export class RawPort {
  readonly #printer: HardwarePrinter;
  readonly #port: TcpPort;
  #jobs = 0;

  private constructor(printer: HardwarePrinter) {
    this.#printer = printer;
    const server = createServer({ allowHalfOpen: true }, (socket) => void this.#serve(socket));
    this.#port = new TcpPort(server, LIMITS);
  }

  /** Resolves when it listens. Rejects as `listen` does, with EADDRINUSE and the like. */
  static async start(options: RawPortOptions): Promise<RawPort> {
    const raw = new RawPort(options.printer);
    await raw.#port.listen(options);
    return raw;
  }

  get port(): number {
    return this.#port.number;
  }

  close(): Promise<void> {
    return this.#port.close();
  }

  async #serve(socket: Socket): Promise<void> {
    const { connections, isSwitchedOff } = this.#printer;
    if (isSwitchedOff || !connections.admits(socket)) return void socket.resetAndDestroy();
    const bytes = await this.#jobOf(socket).catch(() => undefined);
    // A sender that goes away in the middle prints nothing: its job never ended.
    if (!bytes) return void socket.resetAndDestroy();
    if (bytes.length > 0 && !isWebRequest(bytes)) this.#print(bytes, socket);
    if (this.#printer.has('drops-answer')) socket.resetAndDestroy();
    else socket.end();
  }

  /** What a connection carries beside status requests; undefined when the printer ends it. */
  async #jobOf(socket: Socket): Promise<Buffer | undefined> {
    const requests = new StatusRequests(this.#printer);
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of this.#printer.connections.received(bytesOf(socket))) {
      const { document, replies } = requests.take(chunk);
      if (replies.length > 0) await written(socket, Buffer.concat(replies));
      if (document.length === 0) continue;
      length += document.length;
      if (length > MOST_DOCUMENT_BYTES || this.#printer.has('drops-connection')) return undefined;
      chunks.push(document);
    }
    return Buffer.concat([...chunks, requests.rest()]);
  }

  #print(bytes: Buffer, socket: Socket): void {
    const id = ++this.#jobs;
    const user = socket.remoteAddress ?? '';
    const document = this.#printer.connections.kept(bytes);
    const job = { protocol: 'raw', id, user, title: `Raw ${id}`, bytes: document } as const;
    // A printer swallows what it cannot print; its sender hears nothing of it.
    this.#printer.print(job, () => undefined).catch(() => undefined);
  }
}

/** A web page can make a browser send this to any port; no printer language begins with it. */
function isWebRequest(bytes: Buffer): boolean {
  return /^[A-Z]{3,10} \S{1,2000} HTTP\/1\.[01]\r\n/.test(bytes.toString('latin1', 0, 2_100));
}

/** Nothing more is read of a peer that does not read what it asked for. */
async function written(socket: Socket, bytes: Buffer): Promise<void> {
  if (socket.write(bytes)) return;
  await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
}
