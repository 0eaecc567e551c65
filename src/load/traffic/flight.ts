/**
 * Flight: one request under way, from the moment it is handed to a lane until its answer, its failure or its
 * timeout. It is the handler that undici calls, and it is used again for a later request, so that a request
 * costs few allocations.
 *
 *   issued ─(waits for a connection)─► sent ─► status ─► body … ─► landed
 */

import type { Client, Dispatcher } from 'undici';

import type { Arrival } from '../plan/load-plan.ts';
import { LoadAccount } from './load-account.ts';

type Controller = Dispatcher.DispatchController;
type ParsedHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/**
 * answered  a whole response came
 * timeout   none came in time; what was asked for may have happened
 * failed    the connection broke, or what came is no HTTP; what was asked for may have happened
 * unsent    it never reached a connection: nothing can have happened
 */
export type FlightEnd = 'answered' | 'timeout' | 'failed' | 'unsent';

export interface FlightRequest {
  method: Dispatcher.HttpMethod;
  /** Path and query, relative to the service's base address. */
  path: string;
  /** Name, value, name, value … */
  headers: string[];
  body: Buffer | string | null;
}

const EMPTY = Buffer.alloc(0);
const NO_ARRIVAL: Arrival = { stream: 0, index: 0, intendedMs: 0, operation: 0, account: 0, draw: 0 };
const NOBODY = new LoadAccount(-1, '', null);

export class Flight implements Dispatcher.DispatchHandler {
  readonly request: FlightRequest = { method: 'GET', path: '/', headers: [], body: null };
  /** What it was begun for. */
  arrival: Arrival = NO_ARRIVAL;
  account: LoadAccount = NOBODY;
  /** Row of the job in the ledger; -1 when it is about none. */
  row = -1;
  /** Microseconds since the start of the run. */
  intendedUs = 0;
  issuedUs = 0;
  /** -1 until it reaches a connection. */
  sentUs = -1;
  endedUs = 0;
  end: FlightEnd = 'unsent';
  /** 0 without an answer. */
  status = 0;
  headers: ParsedHeaders = {};
  /** Why there is no answer. */
  error: Error | undefined;
  /** Told once, when it is over. It may be used again as soon as this returns. */
  landed: (flight: Flight) => void = ignore;
  /** What an operation does with the answer, before it is forgotten. */
  conclude: (flight: Flight) => void = ignore;
  /** That what was asked for is not there is a fine answer, too. */
  mayBeMissing = false;
  /** The connection that carries it. */
  connection: Client | undefined;
  /** Counts its uses, so that a deadline can tell an earlier use from this one. */
  use = 0;

  readonly #now: () => number;
  #controller: Controller | undefined;
  #first: Buffer = EMPTY;
  #rest: Buffer[] | undefined;
  #isOver = true;

  /** @param now - microseconds since the start of the run */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether it was answered, and not by a refusal. */
  get isGood(): boolean {
    if (this.end !== 'answered') return false;
    return this.status < 400 || (this.mayBeMissing && this.status === 404);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The whole body of the answer. */
  get body(): Buffer {
    return this.#rest === undefined ? this.#first : Buffer.concat([this.#first, ...this.#rest]);
  }

  /** Makes it ready for a new request. */
  prepare(): void {
    this.use++;
    this.#isOver = false;
    this.#controller = undefined;
    this.#first = EMPTY;
    this.#rest = undefined;
    this.row = -1;
    this.sentUs = -1;
    this.status = 0;
    this.error = undefined;
    this.connection = undefined;
    this.conclude = ignore;
    this.mayBeMissing = false;
  }

  /** It goes out, by another way than an HTTP connection. */
  leave(): void {
    this.sentUs = this.#now();
  }

  /** It has an answer, or none, by another way than an HTTP connection. */
  land(end: FlightEnd, status: number): void {
    this.status = status;
    this.#finish(end);
  }

  /** Gives it up: the connection is closed, whatever comes later is not heard. */
  expire(): void {
    if (this.#isOver) return;
    const controller = this.#controller;
    this.#finish(this.sentUs < 0 ? 'unsent' : 'timeout');
    controller?.abort(TIMED_OUT);
  }

  onRequestStart(controller: Controller): void {
    // It was given up while the connection was still to be made: what counts as unsent must not be sent.
    if (this.#isOver) {
      controller.abort(TIMED_OUT);
      return;
    }
    this.#controller = controller;
    this.sentUs = this.#now();
  }

  onResponseStart(_controller: Controller, status: number, headers: ParsedHeaders): void {
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.#first === EMPTY) this.#first = chunk;
    else (this.#rest ??= []).push(chunk);
  }

  onResponseEnd(): void {
    this.#finish('answered');
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.error = error;
    this.#finish(this.sentUs < 0 ? 'unsent' : 'failed');
  }

  #finish(end: FlightEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.end = end;
    this.endedUs = this.#now();
    this.landed(this);
  }
}

const TIMED_OUT = new Error('no answer in time');

function ignore(): void {
  // Nobody waits for it.
}
