/**
 * Connections: over which connections each computer is connected now.
 *
 *   DeviceGateway ─► begun, ended ─┬─► the computer's state ─► events ─► webhooks
 *                                  └─► listeners (the scale feed), the observer
 */

import type { Clock } from '../../common/clock.ts';
import type { Computer, Computers, Connection } from '../domain/computer.ts';
import type { ServiceObserver } from '../service-observer.ts';
import type { Database } from '../store/database.ts';
import type { Events } from './events.ts';

export interface ConnectionsOptions {
  readonly clock: Clock;
  readonly database: Database;
  readonly computers: Computers;
  readonly events: Events;
  readonly observer: ServiceObserver | undefined;
}

type Listener = (computer: Computer, live: readonly Connection[]) => void;

export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #live = new Map<number, readonly Connection[]>();
  readonly #listeners: Listener[] = [];

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Live connections of a computer, oldest first. */
  of(computerId: number): readonly Connection[] {
    return this.#live.get(computerId) ?? [];
  }

  /** Calls `listener` when a connection has begun or ended, with those there are now. */
  onChange(listener: Listener): void {
    this.#listeners.push(listener);
  }

  begun(computer: Computer, connection: Connection): void {
    this.#change(computer, this.of(computer.id).concat(connection), connection, false);
  }

  ended(computer: Computer, connection: Connection): void {
    const left = this.of(computer.id).filter((live) => live !== connection);
    this.#change(computer, left, connection, true);
  }

  #change(computer: Computer, live: readonly Connection[], connection: Connection, hasEnded: boolean): void {
    const { clock, database, computers, events, observer } = this.#options;
    if (live.length > 0) this.#live.set(computer.id, live);
    else this.#live.delete(computer.id);
    for (const listener of this.#listeners) listener(computer, live);
    if (!computers.byId(computer.id)) return;
    computer.isConnected = live.length > 0;
    observer?.connection({ ...computer }, clock.now());
    database.write(() => {
      computers.changed(computer);
      events.computerState(computer, live, connection, hasEnded);
    });
  }
}
