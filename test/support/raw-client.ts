/**
 * A client that sends bytes as they are, right or wrong, and reads the responses that come back.
 */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { within } from '../../src/common/waiter.ts';
import { basic, FIRST_KEY } from './running-service.ts';

export interface RawResponse {
  readonly status: number;
  readonly version: string;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** What every request of these tests carries, as lines. */
export const AUTHORIZED = `Host: service.test\r\nAuthorization: ${basic(FIRST_KEY)}\r\n`;

export class RawClient implements AsyncDisposable {
  readonly socket: Socket;
  readonly #closed: Promise<unknown>;
  #received = Buffer.alloc(0);
  #isEnded = false;
  /** Tells the one who waits for a response that something has happened. */
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    this.#closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    socket.on('end', () => {
      this.#isEnded = true;
      // After an answer the client has nothing more to say.
      socket.end();
      this.#wake();
    });
    socket.on('close', () => this.#wake());
  }

  static async connect(port: number): Promise<RawClient> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    const client = new RawClient(socket);
    await once(socket, 'connect');
    return client;
  }

  send(bytes: string | Buffer): void {
    this.socket.write(bytes);
  }

  /** Sends a request with the headers of AUTHORIZED and reads its response. */
  ask(requestLine: string, headers = '', body: string | Buffer = ''): Promise<RawResponse> {
    this.send(`${requestLine}\r\n${AUTHORIZED}${headers}\r\n`);
    if (body.length > 0) this.send(body);
    return this.response(requestLine.startsWith('HEAD'));
  }

  /**
   * The next response.
   *
   * @throws WaitExpired after 5 s without one; Error when the connection ended before it was whole
   */
  async response(isHead = false): Promise<RawResponse> {
    const response = await within(this.nextResponse(isHead), { description: 'a response', limit: '5s' });
    if (!response) throw new Error(`no response, only '${this.unread}'`);
    return response;
  }

  /** The next response, however long it takes; undefined when the connection ends before it is whole. */
  async nextResponse(isHead = false): Promise<RawResponse | undefined> {
    for (;;) {
      const taken = takeResponse(this.#received, isHead);
      if (taken) {
        this.#received = this.#received.subarray(taken.bytes);
        return taken.response;
      }
      if (this.#isEnded || this.socket.destroyed) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Resolves when the connection is gone. */
  closed(): Promise<unknown> {
    return within(this.#closed, { description: 'the end of the connection', limit: '5s' });
  }

  /** Bytes that belong to no response read so far. */
  get unread(): string {
    return this.#received.toString('latin1');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.destroy();
    await this.#closed;
  }
}

/** Sends bytes on a connection of their own and reads one response. */
export async function exchangeRaw(port: number, bytes: string | Buffer): Promise<RawResponse> {
  await using client = await RawClient.connect(port);
  client.send(bytes);
  return await client.response();
}

/** The first response of these bytes, if it is whole. */
function takeResponse(
  received: Buffer,
  isHead: boolean,
): { readonly response: RawResponse; readonly bytes: number } | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...lines] = received.toString('latin1', 0, headEnd).split('\r\n');
  const headers = new Map(lines.map(headerOf));
  const status = Number(statusLine.slice(9, 12));
  const length = isHead || status < 200 ? 0 : Number(headers.get('content-length'));
  const bytes = headEnd + 4 + length;
  if (received.length < bytes) return undefined;
  const text = received.toString('utf8', headEnd + 4, bytes);
  return { response: { status, version: statusLine.slice(5, 8), headers, text }, bytes };
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
