/**
 * Attempt: one HTTP request, from the moment it is handed to a connection pool until its answer, its failure or
 * its timeout. It is the handler that undici calls, and it is reused for later requests to save allocations.
 *
 *   issued ─(waits for a connection)─► sent ─► status ─► body … ─► ended
 */

import type { Client, Dispatcher } from 'undici';

import type { Arrival } from '../plan/load-plan.ts';
import { LoadAccount } from './load-account.ts';

type Controller = Dispatcher.DispatchController;
type ParsedHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/**
 * answered  a complete response came
 * timeout   no response in time; the service may have acted on the request
 * failed    the connection broke, or the response was not HTTP; the service may have acted on the request
 * unsent    it never reached a connection, so nothing can have happened
 */
export type AttemptEnd = 'answered' | 'timeout' | 'failed' | 'unsent';

export interface AttemptRequest {
  method: Dispatcher.HttpMethod;
  /** Path and query, relative to the service's base address. */
  path: string;
  /** Name, value, name, value … */
  headers: string[];
  body: Buffer | string | null;
}

const EMPTY = Buffer.alloc(0);
const NO_ARRIVAL: Arrival = { stream: 0, index: 0, intendedMs: 0, operation: 0, account: 0, draw: 0 };
const NO_ACCOUNT = new LoadAccount(-1, '', null);

export class Attempt implements Dispatcher.DispatchHandler {
  readonly request: AttemptRequest = { method: 'GET', path: '/', headers: [], body: null };
  /** What it is for. */
  arrival: Arrival = NO_ARRIVAL;
  account: LoadAccount = NO_ACCOUNT;
  /** Row of its job in the ledger; -1 when it concerns no job. */
  row = -1;
  /** Microseconds since the start of the run. */
  intendedUs = 0;
  issuedUs = 0;
  /** -1 until it reaches a connection. */
  sentUs = -1;
  endedUs = 0;
  end: AttemptEnd = 'unsent';
  /** 0 without an answer. */
  status = 0;
  headers: ParsedHeaders = {};
  /** Why there is no answer. */
  error: Error | undefined;
  /** Called once, when it has ended. It may be reused as soon as this returns. */
  onEnd: (attempt: Attempt) => void = ignore;
  /** What its operation does with the answer, before the answer is dropped. */
  conclude: (attempt: Attempt) => void = ignore;
  /** Whether 404 counts as a good answer. */
  mayBeMissing = false;
  connection: Client | undefined;
  /** Counts its uses: a deadline of an earlier use must not end a later one. */
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

  /** Readies it for a new request. */
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

  /** What it asks, as its account; a body is JSON. */
  ask(method: Dispatcher.HttpMethod, path: string, body: Buffer | string | null = null): void {
    const { request, account } = this;
    request.method = method;
    request.path = path;
    request.headers = body === null ? account.readHeaders : account.writeHeaders;
    request.body = body;
  }

  /** It was sent by other means than an HTTP connection. */
  markSent(): void {
    this.sentUs = this.#now();
  }

  /** Ends it; only the first call counts. @param status - of the answer, where it did not come over HTTP */
  finish(end: AttemptEnd, status: number = this.status): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.status = status;
    this.end = end;
    this.endedUs = this.#now();
    this.onEnd(this);
  }

  /** Gives up on it: its connection is closed, and a late answer is ignored. */
  expire(): void {
    if (this.#isOver) return;
    const controller = this.#controller;
    this.finish(this.sentUs < 0 ? 'unsent' : 'timeout');
    controller?.abort(TIMED_OUT);
  }

  onRequestStart(controller: Controller): void {
    // It expired before it had a connection: what counts as unsent must not be sent.
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
    this.finish('answered');
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.error = error;
    this.finish(this.sentUs < 0 ? 'unsent' : 'failed');
  }
}

const TIMED_OUT = new Error('no answer in time');

function ignore(): void {
  // The default: nothing to do.
}
