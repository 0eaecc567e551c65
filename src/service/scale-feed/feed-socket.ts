/**
 * Scale feed socket: one client of the feed, from its upgrade to its end.
 *
 *   open ─► authenticate (within 10 s) ─► subscribe ─► what is there now ─► each new thing
 *
 * For a client that does not read, readings are left out while much waits to be sent; what cannot be left
 * out cuts it off in the end.
 */

import type { Clock } from '../../common/clock.ts';
import { ClientSocket, INTRODUCTION_LIMIT_MS, type FrameData, type ServerSocket } from '../delivery/client-socket.ts';
import type { Account } from '../domain/account.ts';
import type { ScaleReading } from '../domain/scale-reading.ts';
import { isAskedFor } from '../domain/scale.ts';
import { ackFrame, decodeFrame, isNumber, publishFrame, systemFrame } from './feed-messages.ts';
import { readSubscriptionPath, type Subject } from './feed-paths.ts';

export const FEED_CLOSE_CODES = {
  goingDown: 1001,
  /** A frame that is not a message. */
  badMessage: 4400,
  /** No authentication in time, or the key is no longer good. */
  notAuthenticated: 4401,
} as const;

const MAX_SUBSCRIPTIONS = 5;
/** While more than this waits to be sent, readings are left out: the next one replaces them. */
const READINGS_BUFFER_BYTES = 256 * 1024;
/** A socket for which more than this waits is cut off: its client does not read. */
const BUFFER_MAX_BYTES = 8 * 1024 * 1024;

/** What a socket needs of the feed that it belongs to. */
export interface Feed {
  readonly clock: Clock;
  /** The account of a key that may be used now, or why not. */
  accountOf(apiKey: string): Account | string;
  /** Adds the socket to those of the account; returns how many there are now, or why it may not. */
  enter(socket: FeedSocket, account: Account): number | string;
  leave(socket: FeedSocket, account: Account | undefined): void;
  /** What a new subscription gets at once. */
  present(account: Account, subject: Subject): Iterable<Publication>;
  readonly maxWebsockets: number;
}

/** A thing to publish: its topic, and its data as JSON text. */
export interface Publication {
  readonly topic: string;
  readonly data: string;
}

export class FeedSocket extends ClientSocket {
  readonly #feed: Feed;
  readonly #subscriptions = new Map<number, Subject>();
  #account: Account | undefined;
  #apiKey = '';
  #lastAck = -1;

  constructor(socket: ServerSocket, feed: Feed) {
    super(socket, feed.clock);
    this.#feed = feed;
  }

  protected override get client(): string {
    return 'a client of the scale feed';
  }

  protected override notIntroduced(): void {
    const limit = `${INTRODUCTION_LIMIT_MS / 1_000} s`;
    this.#refuse(FEED_CLOSE_CODES.notAuthenticated, `authentication must come within ${limit}`);
  }

  /** As long as its key is valid. */
  protected override mayStay(): boolean {
    const account = this.#account && this.#feed.accountOf(this.#apiKey);
    if (typeof account !== 'string') return true;
    this.#refuse(FEED_CLOSE_CODES.notAuthenticated, account);
    return false;
  }

  /** Sends a reading to the subscriptions that want it. `render` is called if one does. */
  publishReading(reading: ScaleReading, render: () => Publication): void {
    for (const [id, subject] of this.#subscriptions) {
      if (subject.kind !== 'scales' || !isAskedFor(reading, subject.query)) continue;
      if (this.socket.bufferedAmount > READINGS_BUFFER_BYTES) return;
      this.#publish(id, render());
    }
  }

  /** Sends the connections of a computer to the subscriptions that want them. */
  publishConnections(computerId: number, render: () => Publication): void {
    for (const [id, subject] of this.#subscriptions) {
      if (subject.kind !== 'connections') continue;
      if ((subject.computerId ?? computerId) === computerId) this.#publish(id, render());
    }
  }

  override end(code: number, reason: string): void {
    this.leave();
    super.end(code, reason);
  }

  protected override receive(data: FrameData, isBinary: boolean): void {
    const frame = decodeFrame(data, isBinary);
    if (!frame.ok) return this.#refuse(FEED_CLOSE_CODES.badMessage, frame.error);
    const { ack, message, payload } = frame.value;
    if (ack !== null && ack <= this.#lastAck) {
      this.#complain(ack, `ack ${ack}: must be greater than the one before, ${this.#lastAck}`);
      return;
    }
    if (ack !== null) {
      this.#lastAck = ack;
      this.#send(ackFrame(ack));
    }
    const problem = this.#handle(message, payload);
    if (problem !== undefined) this.#complain(ack, `${message.slice(0, 40)}: ${problem}`);
  }

  /** Does what a message says, or says why not. */
  #handle(message: string, payload: unknown): string | undefined {
    if (message === 'authenticate') return this.#authenticate(payload);
    if (!this.#account) return 'authenticate first';
    if (message === 'subscribe') return this.#subscribe(this.#account, payload);
    if (message === 'unsubscribe') return this.#unsubscribe(payload);
    return 'unknown message; known are authenticate, subscribe, unsubscribe';
  }

  #authenticate(payload: unknown): string | undefined {
    if (this.#account) return 'this websocket is authenticated already';
    const apiKey = typeof payload === 'object' && payload !== null && 'apiKey' in payload ? payload.apiKey : undefined;
    if (typeof apiKey !== 'string') return 'the payload must be {"apiKey": string}';
    const account = this.#feed.accountOf(apiKey);
    const websockets = typeof account === 'string' ? account : this.#feed.enter(this, account);
    if (typeof account === 'string' || typeof websockets === 'string') {
      this.#send(systemFrame('authenticateResponse', { error: websockets }));
      return undefined;
    }
    this.introduced();
    this.#account = account;
    this.#apiKey = apiKey;
    this.#send(
      systemFrame('authenticateResponse', {
        accountId: account.id,
        permissions: 1,
        maxSubscriptions: MAX_SUBSCRIPTIONS,
        currentWebsockets: websockets,
        maxWebsockets: this.#feed.maxWebsockets,
      }),
    );
    return undefined;
  }

  #subscribe(account: Account, payload: unknown): string | undefined {
    const [id, path] = Array.isArray(payload) && payload.length === 2 ? (payload as unknown[]) : [];
    if (!isNumber(id)) return 'the payload must be [subscription id, path]';
    if (this.#subscriptions.has(id)) return `subscription ${id} is there already`;
    if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS) {
      return `a websocket can have at most ${MAX_SUBSCRIPTIONS} subscriptions`;
    }
    const subject = readSubscriptionPath(path);
    if (!subject.ok) return subject.error;
    this.#subscriptions.set(id, subject.value);
    for (const publication of this.#feed.present(account, subject.value)) this.#publish(id, publication);
    return undefined;
  }

  #unsubscribe(payload: unknown): string | undefined {
    const [id] = Array.isArray(payload) && payload.length === 1 ? (payload as unknown[]) : [];
    if (!isNumber(id)) return 'the payload must be [subscription id]';
    return this.#subscriptions.delete(id) ? undefined : `there is no subscription ${id}`;
  }

  #publish(subscriptionId: number, { topic, data }: Publication): void {
    this.#send(publishFrame(topic, subscriptionId, data));
  }

  #complain(ack: number | null, error: string): void {
    this.#send(systemFrame('error', { error, ack }));
  }

  #refuse(code: number, error: string): void {
    this.#complain(null, error);
    this.end(code, error);
  }

  protected override left(): void {
    this.#subscriptions.clear();
    this.#feed.leave(this, this.#account);
  }

  #send(text: string): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.socket.bufferedAmount > BUFFER_MAX_BYTES) this.socket.terminate();
    else this.socket.send(text, { binary: false });
  }
}
