/**
 * Presence: since when a computer can surely have got nothing. A connection that its computer has lost may be alive
 * for the service until all is quiet.
 */

import type { Observation } from './observation.ts';

interface Absence {
  readonly fromPlace: number;
  readonly toPlace: number;
  /** When it began to connect again. */
  readonly toMs: number;
}

/** Where, or when, nothing could be sent any more. */
interface Over {
  readonly place?: number | undefined;
  readonly ms?: number | undefined;
}

export class Presence {
  /** By computer: the place of its last possible contact; Infinity while it is connected. */
  readonly #contact = new Map<number, number>();
  /** By computer: the times without any contact that are over. */
  readonly #absences = new Map<number, Absence[]>();
  readonly #leaving = new Set<number>();

  see(observation: Observation, place: number): void {
    if (observation.kind === 'connected') {
      const { computerId, sentMs } = observation;
      const fromPlace = this.#contact.get(computerId) ?? Infinity;
      if (fromPlace < Infinity) this.#absencesOf(computerId).push({ fromPlace, toPlace: place, toMs: sentMs });
      this.#contact.set(computerId, Infinity);
      this.#leaving.delete(observation.computerId);
    }
    if (observation.kind === 'gone') this.#leaving.add(observation.computerId);
    if (observation.kind !== 'quiet') return;
    for (const computerId of this.#leaving) this.#contact.set(computerId, place);
    this.#leaving.clear();
  }

  /** Whether something that began at a place may have been sent to the computer, before it was over where it is. */
  mayHaveGot(computerId: number | undefined, sincePlace: number, over: Over = {}): boolean {
    if (computerId === undefined) return true;
    const { place = Infinity, ms = Infinity } = over;
    const wasAway = this.#absencesOf(computerId).some(
      ({ fromPlace, toPlace, toMs }) => fromPlace < sincePlace && (place < toPlace || ms < toMs),
    );
    return !wasAway && (this.#contact.get(computerId) ?? 0) >= sincePlace;
  }

  #absencesOf(computerId: number): Absence[] {
    const known = this.#absences.get(computerId) ?? [];
    this.#absences.set(computerId, known);
    return known;
  }
}
