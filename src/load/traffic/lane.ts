/**
 * Lane: the connections of one source address. A service counts requests by address as well as by account, so
 * load comes from several.
 *
 *   flight ─► an idle connection ─► sent            pipelining 1: one request a connection
 *        └──► none idle: a new one, up to the cap
 *        └──► at the cap: waits in line             the wait is part of its response time
 *
 * A connection is an undici Client of its own rather than a place in a Pool: the lane then knows which is idle
 * without looking through all, and a request costs a tenth less.
 */

import { Client } from 'undici';

import type { Flight } from './flight.ts';

export interface LaneParts {
  /** `http://127.0.0.1:8631`, without a path. */
  readonly origin: string;
  /** What stands before every path; empty for most services. */
  readonly basePath: string;
  /** Source address; that which the system chooses unless given. */
  readonly localAddress: string | undefined;
  readonly mostConnections: number;
}

/** Longer than any run is quiet: connections stay open as long as the service lets them. */
const KEEP_ALIVE_MS = 600_000;

export class Lane {
  readonly #parts: LaneParts;
  readonly #idle: Client[] = [];
  readonly #all: Client[] = [];
  readonly #waiting: Flight[] = [];
  #firstWaiting = 0;

  constructor(parts: LaneParts) {
    this.#parts = parts;
  }

  get connections(): number {
    return this.#all.length;
  }

  /** Flights that wait for a connection. */
  get waiting(): number {
    return this.#waiting.length - this.#firstWaiting;
  }

  /** Sends it as soon as a connection is free. */
  launch(flight: Flight): void {
    const client = this.#idle.pop() ?? this.#open();
    if (client) this.#dispatch(flight, client);
    else this.#waiting.push(flight);
  }

  /** The connection that carried a flight is free again. */
  release(client: Client): void {
    const next = this.#nextWaiting();
    if (next) this.#dispatch(next, client);
    else this.#idle.push(client);
  }

  /** Ends every connection at once; flights under way fail. */
  async close(): Promise<void> {
    for (let next = this.#nextWaiting(); next; next = this.#nextWaiting()) next.expire();
    await Promise.all(this.#all.map((client) => client.destroy()));
  }

  #dispatch(flight: Flight, client: Client): void {
    flight.connection = client;
    const { method, path, headers, body } = flight.request;
    client.dispatch({ method, path: this.#parts.basePath + path, headers, body }, flight);
  }

  #open(): Client | undefined {
    const { origin, localAddress, mostConnections } = this.#parts;
    if (this.#all.length >= mostConnections) return undefined;
    const client = new Client(origin, {
      pipelining: 1,
      // The desk keeps the time limit, to the millisecond; these are exact to half a second.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      allowH2: false,
      ...(localAddress !== undefined && { localAddress }),
    });
    this.#all.push(client);
    return client;
  }

  #nextWaiting(): Flight | undefined {
    while (this.#firstWaiting < this.#waiting.length) {
      const flight = this.#waiting[this.#firstWaiting++];
      if (flight && !flight.isOver) return flight;
    }
    this.#waiting.length = 0;
    this.#firstWaiting = 0;
    return undefined;
  }
}
