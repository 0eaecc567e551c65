/**
 * Request sender: where operations get an attempt, and hand it in to be sent.
 *
 *   arrival ─► operation ─► begin ─► attempt filled in ─► send ─► connection pool ─► … ─► ended
 *                             │ too many in flight                                         │
 *                             └► shed: counted, never silent             operation concludes, logged, judged
 *
 * The listener hears of every attempt. What an answer means for a job is up to the operation, which tells the
 * ledger.
 */

import { everyMillisecond } from '../../common/ticker.ts';
import type { Ledger } from '../../oracle/ledger.ts';
import type { Arrival } from '../plan/load-plan.ts';
import { Attempt } from './attempt.ts';
import { ConnectionPool } from './connection-pool.ts';
import type { LoadAccount } from './load-account.ts';
import type { Submissions } from './submissions.ts';

/** One kind of request that callers of a service make. Must not wait and must not throw. */
export type Operation = (arrival: Arrival, sender: RequestSender) => void;

/** Hears of every attempt. */
export interface AttemptListener {
  ended(attempt: Attempt): void;
  shed(arrival: Arrival): void;
}

export interface JobSubmission {
  readonly row: number;
  readonly arrival: Arrival;
}

export interface LoadJobs {
  readonly ledger: Ledger;
  readonly submissions: Submissions;
  /** Idempotency key of a row, the same each time. */
  readonly keyOf: (row: number) => string;
  /** Those without an answer, which the service may or may not have accepted. */
  readonly ambiguous: JobSubmission[];
  /** Its paper is known by the id alone: what became of a job whose id is in no answer stays unknown. */
  readonly needsId?: boolean | undefined;
  /** Hears of each that the service has accepted, once the ledger has. */
  readonly onAccepted?: ((submission: JobSubmission, jobId: number) => void) | undefined;
}

export interface RequestSenderOptions {
  readonly baseUrl: string;
  /** The accounts of this shard, by their number in the plan. */
  readonly accounts: ReadonlyMap<number, LoadAccount>;
  /** Source addresses; the system chooses when empty. */
  readonly sources: readonly string[];
  readonly timeoutMs: number;
  readonly mostInFlight: number;
  /** The limit for all source addresses together. */
  readonly mostConnections: number;
  /** Microseconds since the start of the run. */
  readonly sinceStartUs: () => number;
  readonly listener: AttemptListener;
  /** Without these nothing can be submitted. */
  readonly jobs?: LoadJobs | undefined;
}

export class RequestSender {
  readonly sinceStartUs: () => number;
  readonly baseUrl: string;
  readonly #options: RequestSenderOptions;
  readonly #pools: readonly ConnectionPool[];
  readonly #deadlines = new Deadlines();
  readonly #timeoutUs: number;
  readonly #spare: Attempt[] = [];
  readonly #sweeping: ReturnType<typeof everyMillisecond>;
  #inFlight = 0;
  #whenQuiet: (() => void) | undefined;

  constructor(options: RequestSenderOptions) {
    this.#options = options;
    this.sinceStartUs = options.sinceStartUs;
    this.baseUrl = options.baseUrl;
    this.#timeoutUs = options.timeoutMs * 1_000;
    const { origin, pathname } = new URL(options.baseUrl);
    const sources = options.sources.length > 0 ? options.sources : [undefined];
    this.#pools = sources.map(
      (localAddress) =>
        new ConnectionPool({
          origin,
          basePath: pathname.replace(/\/$/, ''),
          localAddress,
          mostConnections: Math.max(1, Math.floor(options.mostConnections / sources.length)),
        }),
    );
    this.#sweeping = everyMillisecond(() => this.#deadlines.sweep(options.sinceStartUs(), this.#timeoutUs));
  }

  /** @throws Error without `jobs` in the options */
  get jobs(): LoadJobs {
    if (this.#options.jobs === undefined) throw new Error('this sender submits no jobs');
    return this.#options.jobs;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get connections(): number {
    return this.#pools.reduce((sum, pool) => sum + pool.connections, 0);
  }

  /** @throws Error when the account belongs to another shard */
  account(number: number): LoadAccount {
    const account = this.#options.accounts.get(number);
    if (account === undefined) throw new Error(`account ${number} belongs to another shard`);
    return account;
  }

  /** An attempt for this arrival; undefined when too many are in flight, and it is shed. */
  begin(arrival: Arrival): Attempt | undefined {
    if (this.#inFlight >= this.#options.mostInFlight) {
      this.#options.listener.shed(arrival);
      return undefined;
    }
    const attempt = this.#spare.pop() ?? this.#newAttempt();
    attempt.prepare();
    attempt.arrival = arrival;
    attempt.account = this.account(arrival.account);
    attempt.intendedUs = arrival.intendedMs * 1_000;
    attempt.issuedUs = this.sinceStartUs();
    this.#inFlight++;
    return attempt;
  }

  /** Sends the request of an attempt from the source address of its account. */
  send(attempt: Attempt): void {
    this.limit(attempt);
    this.#poolOf(attempt.account.number).send(attempt);
  }

  /** Starts the time limit of an attempt. Called by operations that send by other means than HTTP. */
  limit(attempt: Attempt): void {
    this.#deadlines.add(attempt);
  }

  /** Source address of an account; undefined when the system chooses it. */
  sourceOf(account: number): string | undefined {
    const { sources } = this.#options;
    return sources.length === 0 ? undefined : sources[account % sources.length];
  }

  /** Resolves when nothing is in flight. */
  async quiet(): Promise<void> {
    if (this.#inFlight === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenQuiet = resolve;
    });
  }

  /** Ends every connection; what is in flight fails. */
  async close(): Promise<void> {
    for (const { closers } of this.#options.accounts.values()) for (const close of closers) close();
    await Promise.all(this.#pools.map((pool) => pool.close()));
    this.#sweeping.cancel();
  }

  #poolOf(account: number): ConnectionPool {
    return this.#pools[account % this.#pools.length] as ConnectionPool;
  }

  #newAttempt(): Attempt {
    const attempt = new Attempt(this.sinceStartUs);
    attempt.onEnd = this.#ended;
    return attempt;
  }

  readonly #ended = (attempt: Attempt): void => {
    this.#inFlight--;
    attempt.conclude(attempt);
    this.#options.listener.ended(attempt);
    this.#release(attempt);
    if (this.#inFlight === 0) this.#whenQuiet?.();
  };

  #release(attempt: Attempt): void {
    const { connection, end } = attempt;
    const pool = this.#poolOf(attempt.account.number);
    if (end === 'answered') {
      this.#spare.push(attempt);
      if (connection) pool.release(connection);
      return;
    }
    // The connection may still call one that broke or expired, so that is not reused; and undici takes no request
    // while it tells those of a connection that they have failed.
    if (connection) queueMicrotask(() => pool.release(connection));
  }
}

/** The front of the queue is cut off once it has more finished entries than this. */
const MOST_EMPTY = 4_096;

/** All have the same limit, so they expire in the order in which they were added: a queue, swept from its front. */
class Deadlines {
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
