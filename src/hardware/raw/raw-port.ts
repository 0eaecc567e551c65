/**
 * Raw port: what a printer takes on TCP port 9100 (AppSocket, JetDirect).
 *
 *   connect ─► bytes … ─► end ─► one job of exactly these bytes ─► paper path
 *                │
 *                └─ a status request among them is answered at once, also while the printer is stopped
 *
 * A connection is a job: it has no title and no options. One that carries nothing but status requests is not a job.
 * Many programs keep the connection to a receipt or label printer, which prints what it has: there a pause ends
 * a job as well, at a label printer after a whole label. A receipt printer that is stopped reads until its buffer is
 * full; its sender then has to wait.
 */

import { createServer, type Socket } from 'node:net';

import type { PrinterProfile } from '../../devices/printer/printer-profile.ts';
import { MOST_DOCUMENT_BYTES, type HardwarePrinter } from '../hardware-printer.ts';
import { JobBytes, type JobPause } from '../job-bytes.ts';
import { bytesOf, TcpPort, type PortAddress } from '../tcp-port.ts';
import { StatusRequests } from './status-requests.ts';

export interface RawPortOptions extends PortAddress {
  readonly printer: HardwarePrinter;
}

const PAUSE_MS = 2_000;
/** How a label ends in ZPL, and in EPL. */
const LABEL_END = /\^XZ\s*$|(?:^|\n)PA?\d{1,5}(?:,\d{1,5})?\s*$/i;
const PAUSES: Readonly<Partial<Record<PrinterProfile['kind'], JobPause>>> = {
  receipt: { ms: PAUSE_MS, mayEnd: () => true },
  label: { ms: PAUSE_MS, mayEnd: (bytes) => LABEL_END.test(Buffer.from(bytes.subarray(-100)).toString('latin1')) },
};
const LIMITS = { most: 256, idleMs: 120_000 };

export class RawPort {
  readonly #printer: HardwarePrinter;
  readonly #port: TcpPort;
  #jobs = 0;
  #isOff = false;
  /** What is under way when the printer is switched on or off. */
  #following = Promise.resolve();
  readonly #stop: () => void;

  private constructor(printer: HardwarePrinter) {
    this.#printer = printer;
    const server = createServer({ allowHalfOpen: true }, (socket) => void this.#serve(socket));
    this.#port = new TcpPort(server, LIMITS);
    this.#stop = printer.onChange(() => this.#follow());
  }

  /** Resolves when it listens. Rejects as `listen` does, with EADDRINUSE and the like. */
  static async start({ printer, host, port }: RawPortOptions): Promise<RawPort> {
    const raw = new RawPort(printer);
    await raw.#port.listen({ host, port });
    raw.#follow();
    await raw.#following;
    return raw;
  }

  get port(): number {
    return this.#port.number;
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#following;
    await this.#port.close();
  }

  /**
   * A printer that is switched off refuses connections: some senders take one that ends for a document that is printed.
   */
  #follow(): void {
    this.#following = this.#following
      .then(async () => {
        const { isSwitchedOff } = this.#printer;
        if (isSwitchedOff === this.#isOff) return;
        this.#isOff = isSwitchedOff;
        await (isSwitchedOff ? this.#port.close() : this.#port.listenAgain());
      })
      // Another program has taken the port: the printer cannot be reached any more.
      .catch(() => undefined);
  }

  async #serve(socket: Socket): Promise<void> {
    if (!this.#printer.connections.admits(socket)) return void socket.resetAndDestroy();
    // What a web page sends after a pause is no job either.
    let isOfPage = false;
    const onJob = (bytes: Buffer): void => {
      isOfPage ||= isWebRequest(bytes);
      if (!isOfPage) this.#print(bytes, socket);
    };
    const job = new JobBytes(onJob, PAUSES[this.#printer.profile.kind]);
    const isWhole = await this.#take(socket, job).catch(() => false);
    // A sender that goes away in the middle prints nothing: its job never ended.
    if (!isWhole) {
      job.drop();
      return void socket.resetAndDestroy();
    }
    job.end();
    if (this.#printer.has('drops-answer')) socket.resetAndDestroy();
    else socket.end();
  }

  /** Takes what a connection carries beside status requests; false when the printer ends it. */
  async #take(socket: Socket, job: JobBytes): Promise<boolean> {
    const send = (answer: Buffer): void => void socket.write(answer);
    const clear = (): void => {
      job.drop();
      this.#printer.clearBuffer();
    };
    const requests = new StatusRequests(this.#printer, { send, clear });
    const rest = (): Uint8Array => requests.rest();
    try {
      for await (const chunk of this.#printer.connections.received(bytesOf(socket))) {
        for await (const part of this.#asItFits(chunk, job, socket)) {
          const document = requests.take(part);
          await drained(socket);
          if (document.length > 0 && this.#printer.has('drops-connection')) return false;
          if (job.length + document.length > MOST_DOCUMENT_BYTES) return false;
          job.add(document, rest);
        }
      }
      return !socket.destroyed;
    } finally {
      requests.close();
    }
  }

  /** As much at a time as the printer has room for; the rest of it, and all that follows, stays in the connection. */
  async *#asItFits(chunk: Buffer, job: JobBytes, socket: Socket): AsyncGenerator<Buffer, void> {
    for (let from = 0; from < chunk.length && !socket.destroyed;) {
      const room = this.#printer.roomAfter(job.length);
      if (room === 0) {
        job.hold();
        await this.#change(socket);
        continue;
      }
      yield chunk.subarray(from, from + room);
      from += room;
    }
  }

  /** Resolves when there may be room, or the sender is gone, who is waited for without a limit. */
  async #change(socket: Socket): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = this.#printer.onChange(resolve);
    socket.once('close', resolve);
    socket.setTimeout(0);
    await promise;
    stop();
    socket.off('close', resolve);
    socket.setTimeout(LIMITS.idleMs);
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
async function drained(socket: Socket): Promise<void> {
  if (!socket.writableNeedDrain || socket.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const event of ['drain', 'close']) socket.once(event, resolve);
  await promise;
  for (const event of ['drain', 'close']) socket.off(event, resolve);
}
