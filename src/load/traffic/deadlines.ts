/**
 * Deadlines: the time limit of every request under way. All have the same limit, so they fall due in the order
 * they were added: a line, looked at from its front.
 */

import type { Flight } from './flight.ts';

/** So many places at the front of the line may be empty before it is moved up. */
const MOST_EMPTY = 4_096;

export class Deadlines {
  readonly #flights: Flight[] = [];
  /** Which use of the flight is meant: it may have landed and be on its way with another request. */
  readonly #uses: number[] = [];
  #first = 0;

  add(flight: Flight): void {
    this.#flights.push(flight);
    this.#uses.push(flight.use);
  }

  /** Gives up every flight that was issued `limitUs` ago or earlier. */
  sweep(nowUs: number, limitUs: number): void {
    for (; this.#first < this.#flights.length; this.#first++) {
      const flight = this.#flights[this.#first];
      if (flight === undefined || flight.isOver || flight.use !== this.#uses[this.#first]) continue;
      if (nowUs - flight.issuedUs < limitUs) break;
      flight.expire();
    }
    if (this.#first <= MOST_EMPTY) return;
    this.#flights.splice(0, this.#first);
    this.#uses.splice(0, this.#first);
    this.#first = 0;
  }
}
