/**
 * Request journal: the latest requests and their answers, in a ring of fixed size.
 *
 * An entry has no key, secret or body. It leaves out the query too, since callers put things there that
 * belong in a header.
 */

import type { JournalEntry } from '../service-observer.ts';

const DEFAULT_CAPACITY = 1_000;

export class RequestJournal {
  readonly #capacity: number;
  #entries: JournalEntry[] = [];
  /** Where the next entry goes; the oldest is there once the ring is full. */
  #next = 0;

  constructor(capacity: number = DEFAULT_CAPACITY) {
    this.#capacity = capacity;
  }

  add(entry: JournalEntry): void {
    this.#entries[this.#next] = entry;
    this.#next = (this.#next + 1) % this.#capacity;
  }

  /** Oldest first. */
  entries(): readonly JournalEntry[] {
    return [...this.#entries.slice(this.#next), ...this.#entries.slice(0, this.#next)];
  }

  clear(): void {
    this.#entries = [];
    this.#next = 0;
  }
}
