/**
 * Subscriptions to the scale websocket. An account has one socket, opened at its first arrival. Each arrival
 * subscribes to its scales, and the acknowledgement counts as its answer.
 *
 *   [7,"subscribe",[7,"/scales/"]] ─► ["protocol","ack",7]        and at once [null,"unsubscribe",[7]]
 *
 * Both are sent together, so no account ever reaches its limit of five subscriptions.
 */

import { WebSocket } from 'ws';

import { isObject } from '../../../common/json-value.ts';
import type { Attempt } from '../attempt.ts';
import type { LoadAccount } from '../load-account.ts';
import type { Operation, RequestSender } from '../request-sender.ts';

const FEED_PATH = '/ws/1';
const SUBSCRIBED_PATH = '/scales/';
const OPEN_LIMIT_MS = 10_000;
/** The message number of the authentication; subscriptions count from 1. */
const AUTHENTICATION = 0;
const SWITCHING_PROTOCOLS = 101;

export const subscribeScales: Operation = (arrival, sender) => {
  const attempt = sender.begin(arrival);
  if (!attempt) return;
  sender.limit(attempt);
  feedOf(attempt.account, sender).subscribe(attempt);
};

const feeds = new WeakMap<LoadAccount, Feed>();

/** The socket of the account; a new one once the last has closed. */
function feedOf(account: LoadAccount, sender: RequestSender): Feed {
  const open = feeds.get(account);
  if (open?.isOpen) return open;
  const feed = new Feed(account, sender);
  feeds.set(account, feed);
  account.closers.push(() => feed.close());
  return feed;
}

/** One account's socket. */
class Feed {
  readonly #socket: WebSocket;
  /** Those that wait for an acknowledgement, by message number. */
  readonly #asked = new Map<number, Attempt>();
  /** Those that wait for the socket to be authenticated; undefined once it is. */
  #early: Attempt[] | undefined = [];
  #numbers = AUTHENTICATION;

  constructor({ apiKey, number }: LoadAccount, sender: RequestSender) {
    const localAddress = sender.sourceOf(number);
    this.#socket = new WebSocket(`${sender.baseUrl.replace(/^http/, 'ws')}${FEED_PATH}`, {
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

  subscribe(attempt: Attempt): void {
    if (this.#early) {
      this.#early.push(attempt);
      return;
    }
    const number = ++this.#numbers;
    this.#asked.set(number, attempt);
    attempt.markSent();
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
    // Most messages are readings, which answer nothing.
    if (text.startsWith('["publish"')) return;
    const [, message, payload] = frameOf(text);
    if (message === 'ack' && typeof payload === 'number') this.#acknowledged(payload);
    else if (message === 'authenticateResponse') this.#ready(payload);
  }

  #ready(payload: unknown): void {
    if (isObject(payload) && 'error' in payload) return this.close();
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const attempt of early) if (!attempt.isOver) this.subscribe(attempt);
  }

  #acknowledged(number: number): void {
    const attempt = this.#asked.get(number);
    this.#asked.delete(number);
    attempt?.finish('answered', SWITCHING_PROTOCOLS);
  }

  #fail(): void {
    for (const attempt of [...(this.#early ?? []), ...this.#asked.values()]) attempt.finish('failed', 0);
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
