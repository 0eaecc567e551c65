/**
 * Scripted service's end of the link: a real WebSocket server that does what a test tells it to.
 *
 * It welcomes and acknowledges on its own unless a test changes that, keeps every message it saw in order,
 * and can refuse, fall silent, cut, and send any bytes at all.
 */

import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';

import { systemClock } from '../../src/common/clock.ts';
import { portOf } from '../../src/common/port-of.ts';
import { decodeComputerMessage, encodeMessage } from '../../src/link/codec.ts';
import { LINK_PROTOCOLS, type ComputerMessage, type ServiceMessage } from '../../src/link/messages.ts';
import { soon } from './soon.ts';

/** What the contract of the port needs of a service's end, whatever its wire is. */
export interface ScriptedService {
  readonly url: string;
  /** Every message that arrived, over all connections, in order. */
  readonly seen: readonly ComputerMessage[];
  /** Whether reports are acknowledged as they come; switching it on does not make up for the past. */
  acknowledging: boolean;
  send(message: ServiceMessage): void;
  /** Answers no heartbeat and sends nothing more on the connections that are open. */
  fallSilent(): void;
  /** Cuts all connections without a goodbye. */
  cut(): void;
  close(): Promise<void>;
}

interface Refusal {
  readonly status: number;
  readonly body: string;
}

export class ScriptedLinkService implements ScriptedService {
  readonly seen: ComputerMessage[] = [];
  /** Close codes of the connections that ended. */
  readonly closed: number[] = [];
  /** Header fields of the upgrade requests. */
  readonly upgrades: IncomingMessage[] = [];
  /** Pings of computers. */
  pings = 0;
  acknowledging = true;
  welcoming = true;
  /** Called with each message after it was kept and before it is acknowledged. */
  onMessage: ((message: ComputerMessage) => void) | undefined;
  refuseWith: Refusal | undefined;
  computerId = 7;
  readonly heartbeatMs = 15_000;
  readonly #http: Server;
  readonly #sockets: WebSocketServer;
  #latest: WebSocket | undefined;

  private constructor(answersPings: boolean, pongAfterMs: number | undefined) {
    this.#sockets = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      autoPong: answersPings && pongAfterMs === undefined,
      handleProtocols: (offered) => (offered.has(LINK_PROTOCOLS[0]) ? LINK_PROTOCOLS[0] : false),
    });
    this.#sockets.on('connection', (socket) => socket.on('ping', () => this.pings++));
    if (pongAfterMs !== undefined) {
      this.#sockets.on('connection', (socket) => {
        socket.on('ping', (data) => systemClock.schedule(pongAfterMs, () => socket.pong(data)));
      });
    }
    this.#http = createServer((_request, response) => response.writeHead(404).end());
    this.#http.on('upgrade', (request, socket: Duplex, head) => {
      this.upgrades.push(request);
      if (this.refuseWith) refuse(socket, this.refuseWith);
      else
        this.#sockets.handleUpgrade(request, socket, head, (opened) => {
          this.#sockets.emit('connection', opened, request);
          this.#take(opened);
        });
    });
  }

  static async start({
    answersPings = true,
    pongAfterMs,
  }: { readonly answersPings?: boolean; readonly pongAfterMs?: number } = {}): Promise<ScriptedLinkService> {
    const service = new ScriptedLinkService(answersPings, pongAfterMs);
    await new Promise<void>((resolve) => service.#http.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#http)}`;
  }

  get connections(): number {
    return this.#sockets.clients.size;
  }

  send(message: ServiceMessage): void {
    this.sendRaw(encodeMessage(message));
  }

  sendRaw(data: string | Buffer): void {
    this.#latest?.send(data);
  }

  /** Bytes in a text frame, whether they are text or not. */
  sendRawText(data: Buffer): void {
    this.#latest?.send(data, { binary: false });
  }

  /** A heartbeat; resolves when it was answered. */
  async ping(): Promise<void> {
    const answered = new Promise((resolve) => this.#latest?.once('pong', resolve));
    this.#latest?.ping();
    await answered;
  }

  closeLatest(code: number, reason: string): void {
    this.#latest?.close(code, reason);
  }

  fallSilent(): void {
    for (const socket of this.#sockets.clients) socket.pause();
  }

  cut(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  #take(socket: WebSocket): void {
    this.#latest = socket;
    socket.on('message', (data, isBinary) => {
      const decoded = decodeComputerMessage(data, isBinary);
      if (!decoded.ok) throw new Error(`${decoded.error.where}: ${decoded.error.what}`);
      this.seen.push(decoded.value);
      this.onMessage?.(decoded.value);
      this.#answer(socket, decoded.value);
    });
    socket.on('close', (code) => this.closed.push(code));
  }

  #answer(socket: WebSocket, message: ComputerMessage): void {
    if (message.type === 'ack') return;
    if (message.type === 'hello') {
      const { computerId, heartbeatMs } = this;
      if (!this.welcoming) return;
      socket.send(encodeMessage({ type: 'welcome', computerId, accountId: 1, heartbeatMs }));
      return;
    }
    if (this.acknowledging) socket.send(encodeMessage({ type: 'ack', id: message.id }));
  }
}

/** Resolves with the messages of this type once there are at least that many. */
export function arrived<Type extends ComputerMessage['type']>(
  service: ScriptedService,
  type: Type,
  count = 1,
): Promise<Extract<ComputerMessage, { type: Type }>[]> {
  const found = (): Extract<ComputerMessage, { type: Type }>[] =>
    service.seen.filter((message): message is Extract<ComputerMessage, { type: Type }> => message.type === type);
  return soon(`${count} ${type} at the service`, '5s', () => (found().length >= count ? found() : undefined), {
    every: 2,
    lastSeen: () => service.seen.map((message) => message.type).join(', '),
  });
}

function refuse(socket: Duplex, { status, body }: Refusal): void {
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
