/**
 * Hostile peers: what a stranger says to the link, to the scale feed and to the ports of printers and scales, and what
 * became of it, in a line.
 */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { WebSocket } from 'ws';

import { systemClock } from '../../src/common/clock.ts';
import { within } from '../../src/common/waiter.ts';
import { basic } from '../support/running-service.ts';
import type { AttackedBench } from './attacked-bench.ts';

const LIMIT = '20s';

let installations = 0;

export function hello(changes: object = {}, client: object = {}): object {
  const installationId = `hostile-${++installations}`;
  const named = { computerName: 'HOSTILE', hostname: null, inet: null, inet6: null, version: null, edition: null };
  return { type: 'hello', client: { installationId, ...named, ...client }, holding: [], ...changes };
}

/** A computer that says what it likes. */
export class HostileComputer implements Disposable {
  readonly #socket: WebSocket;
  /** Ids that were acknowledged. */
  readonly acknowledged = new Set<string>();
  readonly #closed: Promise<string>;
  #wake: () => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.#closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve(`${code} ${reason.toString('utf8')}`.trim()));
    });
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      const { type, id } = JSON.parse(data.toString('utf8')) as { readonly type: string; readonly id?: string };
      if (type === 'ack' && id !== undefined) this.acknowledged.add(id);
      this.#wake();
    });
  }

  static async connect(bench: AttackedBench, first: object | string = hello()): Promise<HostileComputer> {
    const headers = { authorization: basic(bench.key) };
    const address = `${bench.url.replace('http', 'ws')}/link`;
    const socket = new WebSocket(address, ['platen.link.v1'], { headers, perMessageDeflate: false });
    const computer = new HostileComputer(socket);
    await once(socket, 'open');
    computer.say(first);
    return computer;
  }

  say(message: object | string): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** How the connection ended, or that this message was acknowledged, whatever comes first. */
  async fateOf(id: string): Promise<string> {
    const taken = new Promise<string>((resolve) => {
      this.#wake = () => this.acknowledged.has(id) && resolve('taken');
      this.#wake();
    });
    return within(Promise.race([this.#closed, taken]), { description: `the fate of ${id}`, limit: LIMIT });
  }

  /** Reads no more. */
  stopReading(): void {
    this.#socket.pause();
  }

  get unsentBytes(): number {
    return this.#socket.bufferedAmount;
  }

  closed(): Promise<string> {
    return within(this.#closed, { description: 'the end of the connection', limit: LIMIT });
  }

  [Symbol.dispose](): void {
    this.#socket.terminate();
  }
}

/** A client of the scale feed, authenticated. */
export async function feedClient(bench: AttackedBench): Promise<WebSocket> {
  const socket = new WebSocket(`${bench.url.replace('http', 'ws')}/ws/0`, { perMessageDeflate: false });
  socket.on('error', () => undefined);
  await once(socket, 'open');
  const answered = once(socket, 'message');
  socket.send(JSON.stringify([null, 'authenticate', { apiKey: bench.key }]));
  await within(answered, { description: 'the answer to authenticate', limit: LIMIT });
  return socket;
}

/** Where the ports of a printer of the bench are, by protocol. */
export async function portsOf(bench: AttackedBench): Promise<Readonly<Record<string, string>>> {
  const { text } = await bench.ask('GET', '/_platen/room');
  const { computers } = JSON.parse(text) as {
    readonly computers: readonly { readonly printers: readonly { readonly addresses: Record<string, string> }[] }[];
  };
  return computers[0]?.printers[0]?.addresses ?? {};
}

export function portOf(address: string | undefined): number {
  return Number(new URL((address ?? '').replace(/^[a-z]+:/, 'http:')).port);
}

/** A connection that says nothing by itself. */
export async function connectTo(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.on('error', () => undefined);
  await within(once(socket, 'connect'), { description: `a connection to ${port}`, limit: LIMIT });
  return socket;
}

/** What comes back for these bytes until the other side ends, or for two seconds. */
export async function exchange(port: number, bytes: Uint8Array): Promise<Buffer> {
  const socket = await connectTo(port);
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const patience = systemClock.schedule(2_000, resolve);
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('close', () => resolve());
  socket.end(bytes);
  await promise;
  patience.cancel();
  socket.destroy();
  return Buffer.concat(chunks);
}
