/**
 * Presence: since when a computer can surely have got nothing. A connection that its computer has lost may be alive
 * for the service until all is quiet.
 */

import type { Observation } from './observation.ts';

export class Presence {
  /** By computer: the place of its last possible contact; Infinity while it is connected. */
  readonly #contact = new Map<number, number>();
  readonly #leaving = new Set<number>();

  see(observation: Observation, place: number): void {
    if (observation.kind === 'connected') {
      this.#contact.set(observation.computerId, Infinity);
      this.#leaving.delete(observation.computerId);
    }
    if (observation.kind === 'gone') this.#leaving.add(observation.computerId);
    if (observation.kind !== 'quiet') return;
    for (const computerId of this.#leaving) this.#contact.set(computerId, place);
    this.#leaving.clear();
  }

  /** Whether something that began at a place may have been sent to the computer. */
  mayHaveGot(computerId: number | undefined, sincePlace: number): boolean {
    return computerId === undefined || (this.#contact.get(computerId) ?? 0) >= sincePlace;
  }
}
