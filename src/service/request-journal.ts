/**
 * Request journal: what the service was asked lately and how it answered, for whoever watches it.
 *
 * Bounded: the oldest entry makes room. An entry names no key, no secret and no body; the query is left
 * out too, since callers put things there that belong into a header.
 */

export interface JournalEntry {
  /** Milliseconds since the epoch, on the service's clock. */
  readonly timeMs: number;
  readonly requestId: string;
  /** Empty, as the path, for bytes that were no HTTP request. */
  readonly method: string;
  /** Without the query, cut where it is very long. */
  readonly path: string;
  readonly status: number;
  /** Undefined when nobody was authenticated. */
  readonly accountId: number | undefined;
  /** Handling time in real milliseconds. */
  readonly durationMs: number;
}

const DEFAULT_CAPACITY = 1_000;

export class RequestJournal {
  readonly #capacity: number;
  #entries: JournalEntry[] = [];
  /** Where the next entry goes once all places are taken. */
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
