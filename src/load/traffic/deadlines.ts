/**
 * Deadlines: the time limit of every request under way. All have the same limit, so they expire in the order in
 * which they were added: a queue, swept from its front.
 */

import type { Attempt } from './attempt.ts';

/** The front of the queue is cut off once it has more finished entries than this. */
const MOST_EMPTY = 4_096;

export class Deadlines {
  readonly #attempts: Attempt[] = [];
  /** Which use of the attempt is meant: it may have ended and be under way again with another request. */
  readonly #uses: number[] = [];
  #first = 0;

  add(attempt: Attempt): void {
    this.#attempts.push(attempt);
    this.#uses.push(attempt.use);
  }

  /** Expires every attempt that was issued `limitUs` ago or earlier. */
  sweep(nowUs: number, limitUs: number): void {
    for (; this.#first < this.#attempts.length; this.#first++) {
      const attempt = this.#attempts[this.#first];
      if (attempt === undefined || attempt.isOver || attempt.use !== this.#uses[this.#first]) continue;
      if (nowUs - attempt.issuedUs < limitUs) break;
      attempt.expire();
    }
    if (this.#first <= MOST_EMPTY) return;
    this.#attempts.splice(0, this.#first);
    this.#uses.splice(0, this.#first);
    this.#first = 0;
  }
}
