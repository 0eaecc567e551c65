/**
 * Received log: what arrived at a sink, in order of arrival, and a way to wait for more.
 */

import type { Duration } from '../common/duration.ts';
import { realTimekeeper, type Timekeeper } from '../common/timekeeper.ts';
import { eventually } from '../common/waiter.ts';

/** Time between two looks at the log: short, as a delivery over loopback takes about as long. */
const LOOK_EVERY_MS = 10;

interface WaitForArrivals {
  readonly count: number;
  /** Only requests to this path count; all paths without it. */
  readonly path?: string;
  /** What is waited for, as a noun phrase: "the retry of the failed event". */
  readonly description: string;
  readonly limit: Duration;
  /** Lets time pass meanwhile; real time unless given. */
  readonly timekeeper?: Timekeeper;
}

export class ReceivedLog<Entry extends { readonly path: string }> {
  readonly #entries: Entry[] = [];

  /** Everything received so far, oldest first. */
  get entries(): readonly Entry[] {
    return [...this.#entries];
  }

  /** What was received for one path, oldest first. */
  to(path: string): readonly Entry[] {
    return this.#entries.filter((entry) => entry.path === path);
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
  }

  /** Forgets everything; a wait under way starts to count anew. */
  clear(): void {
    this.#entries.length = 0;
  }

  /**
   * Resolves with all matching entries as soon as there are `count` of them.
   *
   * @throws WaitExpired at the limit, saying how many there were
   */
  waitFor(wait: WaitForArrivals): Promise<readonly Entry[]> {
    const { count, path, description, limit, timekeeper = realTimekeeper } = wait;
    const matching = (): readonly Entry[] => (path === undefined ? this.entries : this.to(path));
    return eventually({
      description: `${description} (${count} to ${path ?? 'any path'})`,
      limit,
      every: LOOK_EVERY_MS,
      timekeeper,
      probe: () => {
        const found = matching();
        return found.length >= count ? found : undefined;
      },
      lastSeen: () => `${matching().length} to ${path ?? 'any path'}`,
    });
  }
}
