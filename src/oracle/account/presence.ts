/**
 * Presence: which computers the service surely takes to be connected, and since when one can surely have got nothing.
 * A connection that its computer has lost may be alive for the service until all is quiet; one whose computer is asleep
 * may be cut as soon as a ping was unanswered for a heartbeat.
 */

import { isGood, partsOf } from './account-judge.ts';
import type { Facts } from './job-facts.ts';
import type { Observation, SeenExchange } from './observation.ts';

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
  /** By computer that is connected: its account. */
  readonly #connected = new Map<number, string | undefined>();
  readonly #asleep = new Set<number>();
  /** By installation that began to connect and has heard no welcome: the key that it uses. */
  readonly #unwelcomed = new Map<string, string>();
  /** By installation: the id of its last welcome. */
  readonly #ids = new Map<string, number>();
  readonly #facts: Pick<Facts, 'identities'>;

  constructor(facts: Pick<Facts, 'identities'>) {
    this.#facts = facts;
  }

  see(observation: Observation, place: number): void {
    this.#followConnection(observation);
    if (observation.kind === 'connected') {
      const { computerId, sentMs } = observation;
      const fromPlace = this.#contact.get(computerId) ?? Infinity;
      this.#absencesOf(computerId).push({ fromPlace, toPlace: place, toMs: sentMs });
      this.#contact.set(computerId, Infinity);
      this.#leaving.delete(observation.computerId);
    }
    if (observation.kind === 'gone') this.#leaving.add(observation.computerId);
    if (observation.kind === 'restarted') this.#loseAll();
    if (observation.kind !== 'quiet') return;
    for (const computerId of this.#leaving) this.#contact.set(computerId, place);
    this.#leaving.clear();
  }

  /** Whether it is connected as far as its computer knows, which would hear of an end at once. */
  isSurelyConnected(computerId: number): boolean {
    return this.#connected.has(computerId) && !this.#asleep.has(computerId);
  }

  /** How many computers the service may know, besides these of the account, from a hello that got no welcome. */
  unwelcomedBeside(account: string, known: { has: (computerId: number) => boolean }): number {
    const own = [...this.#unwelcomed].filter(([, key]) => this.#facts.identities.accountOfKey(key) === account);
    return own.filter(([installation]) => !known.has(this.#ids.get(installation) ?? 0)).length;
  }

  /** A service that was killed has no connection left, even before its computers notice. */
  #loseAll(): void {
    for (const computerId of this.#connected.keys()) this.#leaving.add(computerId);
    this.#connected.clear();
  }

  #followConnection(observation: Observation): void {
    if (observation.kind === 'connecting') this.#unwelcomed.set(observation.client.installationId, observation.apiKey);
    if (observation.kind === 'connected') {
      const { computerId, apiKey, client } = observation;
      this.#unwelcomed.delete(client.installationId);
      this.#ids.set(client.installationId, computerId);
      this.#connected.set(computerId, this.#facts.identities.accountOfKey(apiKey));
      this.#asleep.delete(computerId);
    }
    if (observation.kind === 'gone') this.#connected.delete(observation.computerId);
    if (observation.kind === 'asleep') this.#asleep.add(observation.computerId);
    if (observation.kind === 'awake') this.#asleep.delete(observation.computerId);
    if (observation.kind === 'exchange' && observation.sent === 'suspended') this.#suspend(observation);
  }

  /** Its computers are cut off, and one asleep does not notice. */
  #suspend(exchange: SeenExchange): void {
    if (!isGood(partsOf(exchange).status)) return;
    const suspended = this.#facts.identities.accountOf(exchange);
    for (const [computerId, account] of this.#connected) if (account === suspended) this.#connected.delete(computerId);
  }

  /** Whether something that began at a place may have been sent to the computer, before it was over where it is. */
  mayHaveGot(computerId: number | undefined, sincePlace: number, over: Over = {}): boolean {
    if (computerId === undefined) return true;
    const { place = Infinity, ms = Infinity } = over;
    const wasAway = this.#absencesOf(computerId).some(
      ({ fromPlace, toPlace, toMs }) => fromPlace < sincePlace && (place < toPlace || ms < toMs),
    );
    const contact = this.#contact.get(computerId);
    return !wasAway && contact !== undefined && contact >= sincePlace;
  }

  #absencesOf(computerId: number): Absence[] {
    const known = this.#absences.get(computerId) ?? [];
    this.#absences.set(computerId, known);
    return known;
  }
}
