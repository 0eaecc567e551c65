/**
 * A client of the scale feed: says what a test tells it to and keeps the frames it hears.
 */

import { once } from 'node:events';

import { WebSocket } from 'ws';

import { within } from '../../src/common/waiter.ts';
import { soon } from './soon.ts';

export interface FeedEnd {
  readonly code: number;
  readonly reason: string;
}

export class ScaleFeedClient implements AsyncDisposable {
  readonly socket: WebSocket;
  readonly heard: unknown[] = [];
  readonly ended: Promise<FeedEnd>;
  #acks = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => this.heard.push(JSON.parse((data as Buffer).toString())));
    this.ended = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
  }

  static async open(serviceUrl: string, path = '/ws/1'): Promise<ScaleFeedClient> {
    const client = new ScaleFeedClient(new WebSocket(serviceUrl.replace('http', 'ws') + path));
    await within(once(client.socket, 'open'), { description: 'the upgrade', limit: '5s' });
    return client;
  }

  /** Opens a socket and authenticates with this key. */
  static async connect(serviceUrl: string, apiKey: string): Promise<ScaleFeedClient> {
    const client = await ScaleFeedClient.open(serviceUrl);
    await client.ask('authenticate', { apiKey });
    await client.hear(['system', 'authenticateResponse']);
    return client;
  }

  /** Sends a frame as it is. */
  say(frame: unknown): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** Sends a message that wants an acknowledgement; returns what was heard of it up to that and a moment later. */
  async ask(message: string, payload: unknown): Promise<unknown[]> {
    const ack = ++this.#acks;
    const before = this.heard.length;
    this.say([ack, message, payload]);
    await this.hear(['protocol', 'ack', ack]);
    await this.flush();
    return this.heard.slice(before);
  }

  /** Resolves when all that the service sent until now has been heard: a pong comes behind it. */
  async flush(): Promise<void> {
    const pong = once(this.socket, 'pong');
    this.socket.ping();
    await within(pong, { description: 'the pong of the service', limit: '5s' });
  }

  /** The first frame that begins with these elements, waited for. */
  hear(beginning: readonly unknown[]): Promise<unknown> {
    const wanted = JSON.stringify(beginning).slice(0, -1);
    return soon(
      `a frame ${wanted}…`,
      '5s',
      () => this.heard.find((frame) => JSON.stringify(frame).startsWith(wanted)),
      { every: 2, lastSeen: () => JSON.stringify(this.heard).slice(-500) },
    );
  }

  end(): Promise<FeedEnd> {
    return within(this.ended, { description: 'the end of the websocket', limit: '5s' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.terminate();
    await this.ended;
  }
}
