/**
 * Connection pool: the connections of one source address. A service limits requests by address as well as by
 * account, so a load comes from several.
 *
 *   attempt ─► an idle connection ─► sent           pipelining 1: one request per connection at a time
 *        └──► none idle: a new one, up to the cap
 *        └──► at the cap: waits its turn            the wait is part of its response time
 *
 * Each connection is an undici Client rather than a slot in undici's Pool: finding an idle one needs no search,
 * and a request costs a tenth less.
 */

import { Client } from 'undici';

import type { Attempt } from './attempt.ts';

export interface ConnectionPoolOptions {
  /** `http://127.0.0.1:8631`, without a path. */
  readonly origin: string;
  /** Prefix of every path; empty for most services. */
  readonly basePath: string;
  /** Source address; the system chooses unless given. */
  readonly localAddress: string | undefined;
  readonly mostConnections: number;
}

/** Longer than any pause of a run: connections stay open for as long as the service keeps them. */
const KEEP_ALIVE_MS = 600_000;

export class ConnectionPool {
  readonly #options: ConnectionPoolOptions;
  readonly #idle: Client[] = [];
  readonly #all: Client[] = [];
  readonly #waiting: Attempt[] = [];
  #firstWaiting = 0;

  constructor(options: ConnectionPoolOptions) {
    this.#options = options;
  }

  get connections(): number {
    return this.#all.length;
  }

  /** Sends it as soon as a connection is free. */
  send(attempt: Attempt): void {
    const client = this.#idle.pop() ?? this.#open();
    if (client) this.#dispatch(attempt, client);
    else this.#waiting.push(attempt);
  }

  /** The connection that carried an attempt is free again. */
  release(client: Client): void {
    const next = this.#nextWaiting();
    if (next) this.#dispatch(next, client);
    else this.#idle.push(client);
  }

  /** Ends every connection at once; attempts under way fail. */
  async close(): Promise<void> {
    for (let next = this.#nextWaiting(); next; next = this.#nextWaiting()) next.expire();
    await Promise.all(this.#all.map((client) => client.destroy()));
  }

  #dispatch(attempt: Attempt, client: Client): void {
    attempt.connection = client;
    const { method, path, headers, body } = attempt.request;
    client.dispatch({ method, path: this.#options.basePath + path, headers, body }, attempt);
  }

  #open(): Client | undefined {
    const { origin, localAddress, mostConnections } = this.#options;
    if (this.#all.length >= mostConnections) return undefined;
    const client = new Client(origin, {
      pipelining: 1,
      // The request sender keeps time limits to the millisecond; undici's are exact to half a second.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      allowH2: false,
      ...(localAddress !== undefined && { localAddress }),
    });
    this.#all.push(client);
    return client;
  }

  #nextWaiting(): Attempt | undefined {
    while (this.#firstWaiting < this.#waiting.length) {
      const attempt = this.#waiting[this.#firstWaiting++];
      if (attempt && !attempt.isOver) return attempt;
    }
    this.#waiting.length = 0;
    this.#firstWaiting = 0;
    return undefined;
  }
}
