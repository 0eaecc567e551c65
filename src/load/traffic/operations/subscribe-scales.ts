/**
 * Subscriptions to the scale websocket. An account has one socket, opened at its first arrival; each arrival
 * subscribes to its scales, and is answered by the acknowledgement.
 *
 *   [7,"subscribe",[7,"/scales/"]] ─► ["protocol","ack",7]        and at once [null,"unsubscribe",[7]]
 *
 * Both go out together, so that no account ever comes near the five subscriptions it may have.
 */

import { WebSocket } from 'ws';

import type { Flight } from '../flight.ts';
import type { LoadAccount } from '../load-account.ts';
import type { OperationDesk } from '../operation-desk.ts';
import type { Operation } from './operation.ts';

const FEED_PATH = '/ws/1';
const SUBSCRIBED_PATH = '/scales/';
const OPEN_LIMIT_MS = 10_000;
/** A number that no subscription has. */
const AUTHENTICATION = 0;
const SWITCHING_PROTOCOLS = 101;

export const subscribeScales: Operation = (arrival, desk) => {
  const flight = desk.begin(arrival);
  if (!flight) return;
  desk.watch(flight);
  feedOf(flight.account, desk).subscribe(flight);
};

const feeds = new WeakMap<LoadAccount, Feed>();

/** The socket of the account; a new one when the last has gone. */
function feedOf(account: LoadAccount, desk: OperationDesk): Feed {
  const open = feeds.get(account);
  if (open?.isOpen) return open;
  const feed = new Feed(account, desk);
  feeds.set(account, feed);
  account.closers.push(() => feed.close());
  return feed;
}

/** One account's socket. */
class Feed {
  readonly #socket: WebSocket;
  /** What waits for an acknowledgement, by its number. */
  readonly #asked = new Map<number, Flight>();
  /** What waits for the socket to be ready. */
  #early: Flight[] | undefined = [];
  #numbers = AUTHENTICATION;

  constructor({ apiKey, number }: LoadAccount, desk: OperationDesk) {
    const localAddress = desk.sourceOf(number);
    this.#socket = new WebSocket(`${desk.baseUrl.replace(/^http/, 'ws')}${FEED_PATH}`, {
      perMessageDeflate: false,
      handshakeTimeout: OPEN_LIMIT_MS,
      ...(localAddress !== undefined && { localAddress }),
    });
    this.#socket.on('open', () => this.#say([AUTHENTICATION, 'authenticate', { apiKey }]));
    this.#socket.on('message', (data: Buffer) => this.#take(data.toString('utf8')));
    this.#socket.on('error', () => this.#socket.terminate());
    this.#socket.on('close', () => this.#fail());
  }

  get isOpen(): boolean {
    return this.#socket.readyState <= WebSocket.OPEN;
  }

  subscribe(flight: Flight): void {
    if (this.#early) {
      this.#early.push(flight);
      return;
    }
    const number = ++this.#numbers;
    this.#asked.set(number, flight);
    flight.leave();
    this.#say([number, 'subscribe', [number, SUBSCRIBED_PATH]]);
    this.#say([null, 'unsubscribe', [number]]);
  }

  close(): void {
    this.#socket.terminate();
  }

  #say(message: readonly unknown[]): void {
    this.#socket.send(JSON.stringify(message));
  }

  #take(text: string): void {
    // Readings are the bulk of what comes, and are not what is waited for.
    if (text.startsWith('["publish"')) return;
    const [, message, payload] = frameOf(text);
    if (message === 'ack' && typeof payload === 'number') this.#acknowledged(payload);
    else if (message === 'authenticateResponse') this.#ready(payload);
  }

  #ready(payload: unknown): void {
    const isRefused = typeof payload === 'object' && payload !== null && 'error' in payload;
    if (isRefused) return this.close();
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const flight of early) if (!flight.isOver) this.subscribe(flight);
  }

  #acknowledged(number: number): void {
    const flight = this.#asked.get(number);
    this.#asked.delete(number);
    flight?.land('answered', SWITCHING_PROTOCOLS);
  }

  #fail(): void {
    for (const flight of [...(this.#early ?? []), ...this.#asked.values()]) flight.land('failed', 0);
    this.#early = [];
    this.#asked.clear();
  }
}

function frameOf(text: string): readonly unknown[] {
  try {
    const frame = JSON.parse(text) as unknown;
    return Array.isArray(frame) ? frame : [];
  } catch {
    return [];
  }
}
