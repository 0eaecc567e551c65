/**
 * Operation desk: where operations get what they work with and hand in their requests.
 *
 *   arrival ─► operation ─► desk.begin ─► flight filled in ─► desk.launch ─► lane ─► … ─► landed
 *                               │ too many under way                                        │
 *                               └► shed: counted, never silent            operation concludes, recorded, judged
 *
 * Everything of a request is told to the recorder and, where it is about a job, to the ledger: by the
 * operation, which knows what an answer means.
 */

import { everyMillisecond } from '../../common/ticker.ts';
import type { Ledger } from '../../oracle/ledger.ts';
import type { Arrival } from '../plan/load-plan.ts';
import { Deadlines } from './deadlines.ts';
import { Flight } from './flight.ts';
import { Lane } from './lane.ts';
import type { LoadAccount } from './load-account.ts';
import type { Submissions } from './submissions.ts';

/** Hears of everything that became of a request. */
export interface FlightListener {
  landed(flight: Flight): void;
  shed(arrival: Arrival): void;
}

/** A submission of which nobody knows whether the service has it. */
export interface AmbiguousJob {
  readonly row: number;
  readonly arrival: Arrival;
}

/** What submissions need. */
export interface JobParts {
  readonly ledger: Ledger;
  readonly submissions: Submissions;
  /** Idempotency key of a row, the same each time. */
  readonly keyOf: (row: number) => string;
  /** Grows as answers fail to come. */
  readonly ambiguous: AmbiguousJob[];
}

export interface DeskParts {
  readonly baseUrl: string;
  /** Of this shard, by their number in the plan. */
  readonly accounts: ReadonlyMap<number, LoadAccount>;
  /** Source addresses; one that the system chooses when empty. */
  readonly sources: readonly string[];
  readonly timeoutMs: number;
  readonly mostInFlight: number;
  /** Of all source addresses together. */
  readonly mostConnections: number;
  /** Microseconds since the start of the run. */
  readonly sinceStartUs: () => number;
  readonly listener: FlightListener;
  /** Only a desk with these can submit. */
  readonly jobs?: JobParts;
}

export class OperationDesk {
  readonly sinceStartUs: () => number;
  readonly baseUrl: string;
  readonly #parts: DeskParts;
  readonly #lanes: readonly Lane[];
  readonly #deadlines = new Deadlines();
  readonly #timeoutUs: number;
  readonly #spare: Flight[] = [];
  readonly #sweeping: ReturnType<typeof everyMillisecond>;
  #inFlight = 0;
  #whenQuiet: (() => void) | undefined;

  constructor(parts: DeskParts) {
    this.#parts = parts;
    this.sinceStartUs = parts.sinceStartUs;
    this.baseUrl = parts.baseUrl;
    this.#timeoutUs = parts.timeoutMs * 1_000;
    const { origin, pathname } = new URL(parts.baseUrl);
    const sources = parts.sources.length > 0 ? parts.sources : [undefined];
    this.#lanes = sources.map(
      (localAddress) =>
        new Lane({
          origin,
          basePath: pathname.replace(/\/$/, ''),
          localAddress,
          mostConnections: Math.max(1, Math.floor(parts.mostConnections / sources.length)),
        }),
    );
    this.#sweeping = everyMillisecond(() => this.#deadlines.sweep(parts.sinceStartUs(), this.#timeoutUs));
  }

  /** @throws Error when it was not given what submissions need */
  get jobs(): JobParts {
    if (this.#parts.jobs === undefined) throw new Error('nothing can be submitted at this desk');
    return this.#parts.jobs;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get connections(): number {
    return this.#lanes.reduce((sum, lane) => sum + lane.connections, 0);
  }

  /** @throws Error when the account belongs to another shard */
  account(number: number): LoadAccount {
    const account = this.#parts.accounts.get(number);
    if (account === undefined) throw new Error(`account ${number} belongs to another shard`);
    return account;
  }

  /** A flight for this arrival; undefined when so many are under way that it is shed. */
  begin(arrival: Arrival): Flight | undefined {
    if (this.#inFlight >= this.#parts.mostInFlight) {
      this.#parts.listener.shed(arrival);
      return undefined;
    }
    const flight = this.#spare.pop() ?? this.#newFlight();
    flight.prepare();
    flight.arrival = arrival;
    flight.account = this.account(arrival.account);
    flight.intendedUs = arrival.intendedMs * 1_000;
    flight.issuedUs = this.sinceStartUs();
    this.#inFlight++;
    return flight;
  }

  /** Sends what the flight asks, from the source address of its account. */
  launch(flight: Flight): void {
    this.watch(flight);
    this.#laneOf(flight.account.number).launch(flight);
  }

  /** Sees to the time limit of a flight that goes another way than by HTTP. */
  watch(flight: Flight): void {
    this.#deadlines.add(flight);
  }

  /** Source address of an account; undefined when the system chooses it. */
  sourceOf(account: number): string | undefined {
    const { sources } = this.#parts;
    return sources.length === 0 ? undefined : sources[account % sources.length];
  }

  /** Resolves when nothing is under way. */
  async quiet(): Promise<void> {
    if (this.#inFlight === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenQuiet = resolve;
    });
  }

  /** Ends every connection; what is under way fails. */
  async close(): Promise<void> {
    for (const { closers } of this.#parts.accounts.values()) for (const close of closers) close();
    await Promise.all(this.#lanes.map((lane) => lane.close()));
    this.#sweeping.cancel();
  }

  #laneOf(account: number): Lane {
    return this.#lanes[account % this.#lanes.length] as Lane;
  }

  #newFlight(): Flight {
    const flight = new Flight(this.sinceStartUs);
    flight.landed = this.#landed;
    return flight;
  }

  readonly #landed = (flight: Flight): void => {
    this.#inFlight--;
    flight.conclude(flight);
    this.#parts.listener.landed(flight);
    const { connection } = flight;
    // One that broke or was given up may still be spoken to by the connection: it is not used again.
    if (flight.end === 'answered') this.#spare.push(flight);
    if (connection) this.#laneOf(flight.account.number).release(connection);
    if (this.#inFlight === 0) this.#whenQuiet?.();
  };
}
