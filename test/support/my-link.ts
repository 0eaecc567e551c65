/**
 * A link as a stranger writes one for `--link`, from docs/device-link.md alone: an object with `open`, which
 * connects one computer and gives back its session. Errors are plain objects with a `failure`.
 *
 *   platen's computer ── LinkSession ──► this module ── WebSocket ──► the service
 */

import { WebSocket } from 'ws';

import type { DeliveredJob, DeviceLink, LinkFailure, LinkRequest, LinkSession } from '../../src/link/device-link.ts';

interface Waiting {
  readonly text: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

type Message = Readonly<Record<string, unknown>>;

export const link: DeviceLink = {
  async open(request) {
    const session = new MySession(request);
    await session.reconnect();
    return session;
  },
};

class MySession implements LinkSession {
  computerId = 0;
  connected = false;
  readonly #request: LinkRequest;
  /** Reports that the service has not acknowledged, in order. */
  readonly #waiting = new Map<string, Waiting>();
  #socket: WebSocket | undefined;
  #nextId = 1;

  constructor(request: LinkRequest) {
    this.#request = request;
  }

  reconnect(): Promise<void> {
    const { serviceUrl, credential, client } = this.#request;
    const address = `${serviceUrl.replace(/^http/, 'ws').replace(/\/$/, '')}/link`;
    const authorization = `Basic ${Buffer.from(`${credential.key}:`).toString('base64')}`;
    const socket = new WebSocket(address, 'platen.link.v1', {
      headers: { authorization },
      perMessageDeflate: false,
    });
    this.#socket = socket;
    return new Promise((resolve, reject) => {
      socket.on('open', () => {
        const hello = { type: 'hello', client, holding: this.#request.holding() };
        socket.send(JSON.stringify(hello));
      });
      socket.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as Message;
        if (message['type'] === 'welcome') this.#welcome(message, resolve);
        else this.#hear(socket, message);
      });
      socket.on('unexpected-response', (_, { statusCode }) => {
        const reason = statusCode === 401 ? 'unauthorized' : 'refused';
        reject(failed({ reason, message: `the service answered ${statusCode}` }));
        socket.terminate();
      });
      socket.on('error', (error) => reject(failed({ reason: 'unreachable', message: error.message })));
      socket.on('close', (code) => this.#closed(socket, code, reject));
    });
  }

  reportPrinters(printers: Parameters<LinkSession['reportPrinters']>[0]): Promise<void> {
    return this.#report(this.#newId(), { type: 'printers', printers });
  }

  reportScales(scales: Parameters<LinkSession['reportScales']>[0]): Promise<void> {
    return this.#report(this.#newId(), { type: 'scales', scales });
  }

  reportJobState(report: Parameters<LinkSession['reportJobState']>[0]): Promise<void> {
    return this.#report(report.id, { type: 'job-state', ...report });
  }

  publishReading(reading: Parameters<LinkSession['publishReading']>[0]): Promise<void> {
    return this.#report(this.#newId(), { type: 'reading', ...reading });
  }

  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#socket?.resume();
  }

  cut(): void {
    this.#socket?.terminate();
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    this.#socket = undefined;
    this.connected = false;
    socket?.close(1000);
    for (const { reject } of this.#waiting.values()) {
      reject(failed({ reason: 'closed', message: 'the session was closed' }));
    }
    this.#waiting.clear();
  }

  #welcome(message: Message, resolve: () => void): void {
    this.computerId = Number(message['computerId']);
    this.connected = true;
    for (const { text } of this.#waiting.values()) this.#socket?.send(text);
    resolve();
  }

  #hear(socket: WebSocket, { type, id, ...rest }: Message): void {
    if (type === 'ack') {
      this.#waiting.get(String(id))?.resolve();
      this.#waiting.delete(String(id));
    }
    if (type === 'refresh') this.#request.events.onRefresh();
    if (type !== 'job') return;
    const job = rest as DeliveredJob;
    this.#request.events.onJob(job).then(
      () => socket.send(JSON.stringify({ type: 'ack', id })),
      () => undefined,
    );
  }

  #report(id: string, message: Message): Promise<void> {
    return new Promise((resolve, reject) => {
      const text = JSON.stringify({ ...message, id });
      this.#waiting.set(id, { text, resolve, reject });
      if (this.connected) this.#socket?.send(text);
    });
  }

  #closed(socket: WebSocket, code: number, reject: (error: Error) => void): void {
    const failure: LinkFailure = { reason: 'closed', message: `the connection ended with ${code}` };
    reject(failed(failure));
    if (socket !== this.#socket || !this.connected) return;
    this.connected = false;
    this.#request.events.onDrop(failure);
  }

  #newId(): string {
    return `m${this.#nextId++}`;
  }
}

function failed(failure: LinkFailure): Error {
  return Object.assign(new Error(failure.message), { failure });
}
