/**
 * Gathered writes: frames of one moment leave in one write to the network.
 *
 *   say, say, say ─► stream (corked) ─► end of the moment ─► one write
 *
 * A job makes five frames at each end, and a write for each would cost more than everything else about it.
 * One list serves all connections, since most of them send nothing in a moment.
 */

import type { Writable } from 'node:stream';

class GatheredWrites {
  readonly #streams = new Set<Writable>();
  readonly #atEnd: (release: () => void) => unknown;

  /** @param atEnd - runs its argument at the end of the moment */
  constructor(atEnd: (release: () => void) => unknown) {
    this.#atEnd = atEnd;
  }

  /** Holds back what is written to the stream until the end of this moment. */
  gather(stream: Writable): void {
    if (this.#streams.has(stream)) return;
    if (this.#streams.size === 0) this.#atEnd(() => this.#releaseAll());
    this.#streams.add(stream);
    stream.cork();
  }

  /** Writes what is held back, ahead of the end of the moment. */
  release(stream: Writable): void {
    if (this.#streams.delete(stream)) stream.uncork();
  }

  #releaseAll(): void {
    for (const stream of this.#streams) stream.uncork();
    this.#streams.clear();
  }
}

/** Until everything that runs now has run. A service says all it has to say in one go, after its commit. */
export const writesOfTick = new GatheredWrites((release) => process.nextTick(release));

/**
 * Until the end of this turn of the event loop. A computer acknowledges a job as soon as it has it, and says
 * what it does with it later in the same turn.
 */
export const writesOfTurn = new GatheredWrites((release) => setImmediate(release));
