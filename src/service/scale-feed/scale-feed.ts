/**
 * Scale feed: the websocket on which browsers follow scales and connections (docs/scale-websocket.md).
 *
 *   reading, connections ─► sockets of that account ─► subscriptions that want it ─► one frame each
 *
 * Only the sockets of its account look at a reading, five at most. It becomes text once, and only if a
 * subscription wants it. One heartbeat serves all sockets.
 */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { WebSocketServer } from 'ws';

import type { Clock, Timer } from '../../common/clock.ts';
import { SOCKET_SERVER } from '../delivery/client-socket.ts';
import type { Connections } from '../delivery/connections.ts';
import type { Account, Accounts } from '../domain/account.ts';
import { describeConnection, type Computer, type Computers, type Connection } from '../domain/computer.ts';
import { renderReading, type ScaleReading } from '../domain/scale-reading.ts';
import type { Scales } from '../domain/scale.ts';
import { topicOf } from './feed-messages.ts';
import type { Subject } from './feed-paths.ts';
import { FEED_CLOSE_CODES, FeedSocket, type Feed, type Publication } from './feed-socket.ts';

const HEARTBEAT_MS = 30_000;
const MAX_WEBSOCKETS = 5;
const FRAME_MAX_BYTES = 16 * 1024;

export interface ScaleFeedOptions {
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly computers: Computers;
  readonly scales: Scales;
  readonly connections: Connections;
}

/** Whether a request's path is that of the feed: `/ws/` and any version. */
export function isScaleFeedPath(segments: readonly string[]): boolean {
  return segments.length === 2 && segments[0] === 'ws';
}

export class ScaleFeed implements Feed {
  readonly clock: Clock;
  readonly maxWebsockets = MAX_WEBSOCKETS;
  readonly #options: ScaleFeedOptions;
  readonly #server = new WebSocketServer({
    ...SOCKET_SERVER,
    maxPayload: FRAME_MAX_BYTES,
  });
  readonly #sockets = new Set<FeedSocket>();
  readonly #ofAccount = new Map<number, Set<FeedSocket>>();
  readonly #heartbeat: Timer;

  constructor(options: ScaleFeedOptions) {
    this.clock = options.clock;
    this.#options = options;
    options.scales.onReading((reading) => this.#publishReading(reading));
    options.connections.onChange((computer, live) => this.#publishConnections(computer, live));
    this.#heartbeat = options.clock.beat(HEARTBEAT_MS, () => {
      for (const socket of this.#sockets) socket.beat();
    });
  }

  /** Takes over the socket of an upgrade request; its client authenticates on the socket. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) =>
      this.#sockets.add(new FeedSocket(webSocket, this)),
    );
  }

  close(): void {
    this.#heartbeat.cancel();
    for (const socket of this.#sockets) socket.end(FEED_CLOSE_CODES.goingDown, 'the service is closing');
    this.#server.close();
  }

  accountOf(apiKey: string): Account | string {
    const account = this.#options.accounts.byKey(apiKey);
    if (!account) return 'the API key is not known';
    return account.state === 'suspended' ? 'the account is suspended' : account;
  }

  enter(socket: FeedSocket, account: Account): number | string {
    const sockets = this.#ofAccount.get(account.id) ?? new Set();
    if (sockets.size >= MAX_WEBSOCKETS) return `an account can have at most ${MAX_WEBSOCKETS} websockets`;
    this.#ofAccount.set(account.id, sockets.add(socket));
    return sockets.size;
  }

  leave(socket: FeedSocket, account: Account | undefined): void {
    this.#sockets.delete(socket);
    if (!account) return;
    const sockets = this.#ofAccount.get(account.id);
    sockets?.delete(socket);
    if (sockets?.size === 0) this.#ofAccount.delete(account.id);
  }

  *present(account: Account, subject: Subject): Iterable<Publication> {
    const { scales, connections } = this.#options;
    if (subject.kind === 'scales') {
      for (const reading of scales.find(account.id, subject.query)) yield this.#describeReading(reading);
      return;
    }
    for (const computer of this.#computersOf(account, subject.computerId)) {
      yield describeConnections(computer, connections.of(computer.id));
    }
  }

  #computersOf(account: Account, computerId: number | undefined): Computer[] {
    const { computers } = this.#options;
    if (computerId === undefined) return computers.ofAccount(account.id);
    const computer = computers.byId(computerId);
    return computer?.accountId === account.id ? [computer] : [];
  }

  #publishConnections(computer: Computer, live: readonly Connection[]): void {
    const render = lazily(() => describeConnections(computer, live));
    for (const socket of this.#ofAccount.get(computer.accountId) ?? []) {
      socket.publishConnections(computer.id, render);
    }
  }

  #publishReading(reading: ScaleReading): void {
    const sockets = this.#ofAccount.get(reading.accountId);
    if (!sockets) return;
    const render = lazily(() => this.#describeReading(reading));
    for (const socket of sockets) socket.publishReading(reading, render);
  }

  #describeReading(reading: ScaleReading): Publication {
    const { deviceName, deviceNum } = reading.scale;
    return {
      topic: topicOf('computer', reading.computerId, 'scales', deviceName, deviceNum),
      data: renderReading(reading, this.clock.now()),
    };
  }
}

function describeConnections({ id, accountId }: Computer, live: readonly Connection[]): Publication {
  const data = JSON.stringify({ accountId, computerId: id, connections: live.map(describeConnection) });
  return { topic: topicOf('computer', id, 'connections'), data };
}

/** The value, made at the first call. */
function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
