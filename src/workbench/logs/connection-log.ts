/**
 * Connection log: when computers connected and disconnected, for the timelines of jobs that waited for them.
 */

import type { KnownComputer } from '../../service/service-observer.ts';

const MOST_ENTRIES = 2_000;

export interface ConnectionChange {
  readonly computerId: number;
  readonly name: string;
  readonly isConnected: boolean;
  readonly atMs: number;
}

export class ConnectionLog {
  #changes: ConnectionChange[] = [];

  add({ id, name, isConnected }: KnownComputer, atMs: number): void {
    this.#changes.push({ computerId: id, name, isConnected, atMs });
    if (this.#changes.length >= 2 * MOST_ENTRIES) this.#changes = this.#changes.slice(-MOST_ENTRIES);
  }

  /** What happened to a computer after one time and up to another, oldest first. */
  of(computerId: number, fromMs: number, toMs: number): ConnectionChange[] {
    return this.#changes.filter(
      (change) => change.computerId === computerId && change.atMs > fromMs && change.atMs <= toMs,
    );
  }

  clear(): void {
    this.#changes = [];
  }
}
