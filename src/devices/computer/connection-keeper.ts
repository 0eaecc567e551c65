/**
 * Connection keeper: keeps one computer connected to its service.
 *
 *   connect ─► line ═══ link ═══ service        drop ─► wait ─► connect the line again
 *
 * A line is a session and what comes over it. Only the current one counts: what arrives on a ghost, a
 * connection that was left open and forgotten, is ignored. An idle keeper has no timer.
 *
 * The wait has full jitter: anything from nothing to a bound that doubles with each failure, 1 s, 2 s, 4 s …
 * up to 30 s, or what the room says. Ten thousand computers that lose their service together then spread
 * over the whole bound. A computer that is not welcome any more, as one of a suspended account, waits longer.
 */

import type { Clock, Timer } from '../../common/clock.ts';
import type { Random } from '../../common/random.ts';
import {
  LinkError,
  type DeliveredJob,
  type DeviceLink,
  type LinkCredential,
  type LinkEvents,
  type LinkFailure,
  type LinkRequest,
  type LinkSession,
} from '../../link/device-link.ts';
import type { ClientReport } from '../../link/messages.ts';

/** The computer that is kept connected. */
export interface KeeperOwner {
  readonly client: ClientReport;
  /** Source address of its connections; any unless given. */
  readonly localAddress?: string | undefined;
  readonly random: Random;
  holding(): readonly number[];
  credential(): Promise<LinkCredential>;
  credentialRefused(): void;
  onJob(job: DeliveredJob): Promise<void>;
  onRefresh(): void;
  /** Connected, also again. Resolves when the service knows what the computer has. */
  onConnected(session: LinkSession): Promise<void>;
}

export interface KeeperOptions {
  readonly clock: Clock;
  readonly link: DeviceLink;
  readonly serviceUrl: string;
  /** No wait before another attempt is longer; 30 s unless given. */
  readonly longestBackoffMs?: number | undefined;
}

/** Failures that another attempt will not fix. A refusal may pass: services restart behind proxies. */
const FINAL: ReadonlySet<LinkFailure['reason']> = new Set(['unauthorized', 'no-common-version']);
/** After a connection that lasted this long the backoff starts over; a shorter one counts as a failure. */
const GOOD_CONNECTION_MS = 30_000;
const FIRST_BACKOFF_MS = 1_000;
export const LONGEST_BACKOFF_MS = 30_000;
/** The shortest and longest pause of a computer that the service refuses. */
const SHORTEST_REFUSED_MS = 60_000;
const LONGEST_REFUSED_MS = 900_000;
/** What a service asks for with Retry-After is kept up to this. */
const LONGEST_ASKED_MS = 60_000;

const ABANDONED: LinkFailure = { reason: 'closed', message: 'the computer gave up this connection' };

export class ConnectionKeeper {
  readonly #owner: KeeperOwner;
  readonly #options: KeeperOptions;
  #line: Line | undefined;
  #ghosts: Line[] | undefined;
  #attempt: Promise<void> | undefined;
  #reported: Promise<void> | undefined;
  #retry: Timer | undefined;
  #failures = 0;
  #wasWelcome = false;
  #connectedSinceMs = 0;
  #lastFailure: LinkFailure | undefined;
  #isAsleep = false;

  constructor(owner: KeeperOwner, options: KeeperOptions) {
    this.#owner = owner;
    this.#options = options;
  }

  /** The session that counts; undefined before the first connection, after a goodbye, and asleep. */
  get session(): LinkSession | undefined {
    return this.#isAsleep ? undefined : this.#line?.session;
  }

  get isAsleep(): boolean {
    return this.#isAsleep;
  }

  /** Why the last connection ended or could not be made. */
  get lastFailure(): LinkFailure | undefined {
    return this.#lastFailure;
  }

  /** Connects; resolves when the service knows what the computer has. Does not try again. @throws LinkError */
  async connect(): Promise<void> {
    try {
      await this.#tryOnce();
    } catch (error) {
      this.#lastFailure = failureOf(error);
      if (!this.#line?.session) this.#line = undefined;
      throw error;
    }
    await this.#reported;
  }

  /** Connects, now or as soon as possible. */
  start(): void {
    this.#tryOnce().catch((error: unknown) => {
      this.#failures++;
      this.#retryAfter(failureOf(error));
    });
  }

  /** Says goodbye, and to ghosts as well. A connection that is being made is given up when it is there. */
  async disconnect(): Promise<void> {
    const sessions = [this.#line, ...(this.#ghosts ?? [])].flatMap((line) => line?.session ?? []);
    this.#line = undefined;
    this.#ghosts = undefined;
    this.#attempt = undefined;
    // A goodbye that is not read would be waited for.
    if (this.#isAsleep) for (const session of sessions) session.resume();
    this.#isAsleep = false;
    this.#retry?.cancel();
    await Promise.all(sessions.map((session) => session.close()));
  }

  /** Cuts the connection without a goodbye; it comes back. */
  cut(): void {
    this.#line?.session?.cut();
  }

  /** Ends everything without a goodbye, as the death of a program does; nothing comes back by itself. */
  abandon(): void {
    const line = this.#line;
    this.#line = undefined;
    this.#attempt = undefined;
    this.#retry?.cancel();
    line?.session?.cut();
    // Closing a session whose connection is gone gives up its reports.
    void line?.session?.close();
  }

  /** Leaves the connection open, forgets it and makes another. @throws LinkError */
  async leaveGhost(): Promise<void> {
    if (this.#line) (this.#ghosts ??= []).push(this.#line);
    this.#line = undefined;
    await this.connect();
  }

  /** Neither reads nor sends until `wake`, as a machine that sleeps. */
  sleep(): void {
    this.#isAsleep = true;
    this.#retry?.cancel();
    this.#line?.session?.pause();
  }

  wake(): void {
    if (!this.#isAsleep) return;
    this.#isAsleep = false;
    const session = this.#line?.session;
    session?.resume();
    if (session?.connected) this.#tellConnected(session);
    else if (this.#line) this.start();
  }

  isCurrent(line: Line): boolean {
    return line === this.#line;
  }

  dropped(failure: LinkFailure): void {
    const lastedMs = this.#options.clock.now() - this.#connectedSinceMs;
    this.#failures = lastedMs >= GOOD_CONNECTION_MS ? 0 : this.#failures + 1;
    this.#retryAfter(failure);
  }

  #tryOnce(): Promise<void> {
    if (this.#line?.session?.connected) return Promise.resolve();
    if (this.#attempt) return this.#attempt;
    const attempt = this.#open().finally(() => {
      if (this.#attempt === attempt) this.#attempt = undefined;
    });
    this.#attempt = attempt;
    return attempt;
  }

  async #open(): Promise<void> {
    const line = (this.#line ??= new Line(this, this.#owner, this.#options.serviceUrl));
    try {
      line.credential = await this.#owner.credential();
      if (line.session) await line.session.reconnect();
      else line.session = await this.#options.link.open(line);
    } catch (error) {
      if (failureOf(error).reason === 'unauthorized') this.#owner.credentialRefused();
      throw error;
    }
    if (line === this.#line) this.#opened(line.session);
    else await discard(line.session);
  }

  #opened(session: LinkSession): void {
    this.#connectedSinceMs = this.#options.clock.now();
    this.#wasWelcome = true;
    this.#tellConnected(session);
    if (!session.connected) this.#retryAfter(this.#lastFailure);
  }

  #tellConnected(session: LinkSession): void {
    const reported = this.#owner.onConnected(session);
    this.#reported = reported;
    const forget = (): void => {
      if (this.#reported === reported) this.#reported = undefined;
    };
    // A session that ends first takes the report with it; the next connection reports again.
    reported.then(forget, forget);
  }

  #retryAfter(failure: LinkFailure | undefined): void {
    this.#lastFailure = failure;
    if (failure?.reason === 'unauthorized') this.#owner.credentialRefused();
    // Who was welcome once may be again: a suspended account becomes active.
    const isSuspended = failure?.reason === 'unauthorized' && this.#wasWelcome;
    const isFinal = failure !== undefined && FINAL.has(failure.reason) && !isSuspended;
    if (!this.#line || this.#isAsleep || isFinal) return;
    this.#retry?.cancel();
    const waitMs = isSuspended ? this.#refusedMs() : this.#backoffMs();
    const askedMs = Math.min(failure?.retryAfterMs ?? 0, LONGEST_ASKED_MS);
    this.#retry = this.#options.clock.schedule(Math.max(waitMs, askedMs), () => this.start());
  }

  #backoffMs(): number {
    const { longestBackoffMs = LONGEST_BACKOFF_MS } = this.#options;
    return this.#jitter(Math.min(longestBackoffMs, FIRST_BACKOFF_MS * 2 ** this.#failures));
  }

  #refusedMs(): number {
    const boundMs = Math.min(LONGEST_REFUSED_MS, SHORTEST_REFUSED_MS * 2 ** this.#failures);
    return SHORTEST_REFUSED_MS + this.#jitter(boundMs - SHORTEST_REFUSED_MS);
  }

  #jitter(boundMs: number): number {
    return Math.floor(this.#owner.random.fraction() * boundMs);
  }
}

/** A session with what it was asked for and what comes over it. One object, as there are many of them. */
class Line implements LinkRequest, LinkEvents {
  readonly serviceUrl: string;
  readonly #keeper: ConnectionKeeper;
  readonly #owner: KeeperOwner;
  session: LinkSession | undefined;
  credential: LinkCredential = { kind: 'api-key', key: '' };

  constructor(keeper: ConnectionKeeper, owner: KeeperOwner, serviceUrl: string) {
    this.#keeper = keeper;
    this.#owner = owner;
    this.serviceUrl = serviceUrl;
  }

  get client(): ClientReport {
    return this.#owner.client;
  }

  get localAddress(): string | undefined {
    return this.#owner.localAddress;
  }

  get events(): LinkEvents {
    return this;
  }

  holding(): readonly number[] {
    return this.#owner.holding();
  }

  onJob(job: DeliveredJob): Promise<void> {
    if (this.#keeper.isCurrent(this)) return this.#owner.onJob(job);
    return Promise.reject(new LinkError(ABANDONED));
  }

  onRefresh(): void {
    if (this.#keeper.isCurrent(this)) this.#owner.onRefresh();
  }

  onDrop(failure: LinkFailure): void {
    if (this.#keeper.isCurrent(this)) this.#keeper.dropped(failure);
  }
}

/** A connection that was given up while it was being made. */
async function discard(session: LinkSession): Promise<never> {
  session.cut();
  await session.close();
  throw new LinkError(ABANDONED);
}

function failureOf(error: unknown): LinkFailure {
  return error instanceof LinkError ? error.failure : { reason: 'protocol', message: String(error) };
}
