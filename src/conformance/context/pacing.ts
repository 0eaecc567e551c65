/**
 * Pacing: a polite client. It stays below the request rate of a service, so that a check fails for what it looks at and
 * not because of a limit it ran into. On a virtual clock it lets that go by; where a hook moves the clock, for several
 * requests with one call.
 *
 *   request ──► turn of the account that it counts for ──► turn of the first address that is free ──► sent from there
 */

import type { Timekeeper } from '../../common/timekeeper.ts';
import { headerValues, type HeaderPair } from '../../common/header-pairs.ts';
import { ERRORS } from '../../specification/errors.ts';
import { AUTHENTICATION_HEADERS, REQUEST_HEADERS } from '../../specification/headers.ts';
import { type Exchange, type HttpSender } from '../../wire/http-exchange.ts';

/** Where requests are sent from, each when it is its turn. */
export interface Turns {
  /** Resolves when a request with these headers may go out, with what sends it. */
  next(headers: readonly HeaderPair[]): Promise<HttpSender>;
  /** Takes note of whose request this was, and of a refusal for its rate. */
  saw(exchange: Exchange): void;
  /** The rate that it came down to; undefined while the service takes the one that is granted. */
  readonly slowedTo?: number | undefined;
}

export interface TurnsOptions {
  readonly timekeeper: Timekeeper;
  /** What an account may send, and an address. Without a limit if left out. */
  readonly requestsPerSecond: number | undefined;
  /** One for each source address. */
  readonly senders: readonly [HttpSender, ...HttpSender[]];
}

/** Requests sent at once after a pause, out of the 30 or so that a service tolerates. */
const BURST = 15;

/** No waiting. */
export function atOnce(sender: HttpSender): Turns {
  return { next: () => Promise.resolve(sender), saw: () => undefined };
}

/** Turns at the rate that an address and an account are granted each. */
export function createTurns({ timekeeper, requestsPerSecond, senders }: TurnsOptions): Turns {
  if (requestsPerSecond === undefined) return atOnce(senders[0]);
  const brake = createBrake(timekeeper, requestsPerSecond);
  const newPace = (): Pace => createPace(timekeeper, brake.rate, BURST);
  const places = senders.map((sender) => ({ sender, pace: newPace() }));
  // No account can send more than the only address does.
  const payers = places.length > 1 ? createPayers(newPace) : undefined;
  return {
    async next(headers) {
      await payers?.paceOf(headers)?.next();
      const place = places.reduce((first, one) => (one.pace.turnMs() < first.pace.turnMs() ? one : first));
      await place.pace.next();
      return place.sender;
    },
    saw(exchange) {
      if (exchange.response.status === ERRORS.TooManyRequests.status) brake.slow();
      payers?.learn(exchange);
    },
    get slowedTo() {
      return brake.rate() < requestsPerSecond ? brake.rate() : undefined;
    },
  };
}

/** How much slower after each second in which a paced request was refused, down to the least that is any use. */
const SLOWER = 1.25;
const LEAST_PER_SECOND = 0.5;
const SECOND_MS = 1_000;

interface Brake {
  readonly rate: () => number;
  slow(): void;
}

/** The pace of a service that takes less than it grants. */
function createBrake(timekeeper: Timekeeper, requestsPerSecond: number): Brake {
  let perSecond = requestsPerSecond;
  let refusedMs: number | undefined;
  return {
    rate: () => perSecond,
    slow() {
      // Requests that were under way together are refused together.
      if (refusedMs !== undefined && timekeeper.now() - refusedMs < SECOND_MS) return;
      const isFirst = refusedMs === undefined;
      refusedMs = timekeeper.now();
      // One may have counted in another way.
      if (isFirst) return;
      perSecond = Math.max(Math.min(LEAST_PER_SECOND, requestsPerSecond), perSecond / SLOWER);
    },
  };
}

const CHILD_HEADERS: ReadonlySet<string> = new Set([
  REQUEST_HEADERS.childAccountById.name,
  REQUEST_HEADERS.childAccountByEmail.name,
  REQUEST_HEADERS.childAccountByCreatorRef.name,
]);

/** Whether a header names a Child to act as. */
export const isChildHeader = ([name]: HeaderPair): boolean => CHILD_HEADERS.has(name);

/** The accounts that requests count for, as X-Account names them. */
interface Payers {
  /** The pace of the account that these headers select; undefined until an answer has named it. */
  paceOf(headers: readonly HeaderPair[]): Pace | undefined;
  learn(exchange: Exchange): void;
}

function createPayers(newPace: () => Pace): Payers {
  const paces = new Map<string, Pace>();
  const accounts = new Map<string, string>();
  /** A service may count what is done for a Child by the key that does it. */
  let countsKeys = false;
  const credentialsIn = (headers: readonly HeaderPair[]): string =>
    headers
      .flatMap((one) => (one[0] === 'Authorization' || (!countsKeys && isChildHeader(one)) ? [one[1]] : []))
      .join();
  const paceOf = (account: string): Pace => {
    const pace = paces.get(account) ?? newPace();
    paces.set(account, pace);
    return pace;
  };
  return {
    paceOf(headers) {
      const account = accounts.get(credentialsIn(headers));
      return account === undefined ? undefined : paceOf(account);
    },
    learn({ request, response }) {
      const { status } = response;
      if (status === ERRORS.TooManyRequests.status) countsKeys ||= request.headers.some(isChildHeader);
      const credentials = credentialsIn(request.headers);
      if (status >= 400 || accounts.has(credentials)) return;
      const [account = credentials] = headerValues(response.headers, AUTHENTICATION_HEADERS.account.name);
      accounts.set(credentials, account);
      paceOf(account).pay();
    },
  };
}

export interface Pace {
  /** Resolves when the next request may go out. */
  next(): Promise<void>;
  /** When that would be. */
  turnMs(): number;
  /** Counts a request that has gone out; returns when its turn was. */
  pay(): number;
}

/** Each call of a hook costs time; a longer one wins no requests beyond a burst, and waits for what is under way. */
const MOVED_AT_ONCE_MS = 1_400;

/** Evenly spaced turns, with room for a short burst after a pause. */
export function createPace(timekeeper: Timekeeper, rate: () => number, burst: number): Pace {
  const leastMs = timekeeper.moved ? MOVED_AT_ONCE_MS : 0;
  // Whole milliseconds: nothing that reads the clock expects parts of one.
  const intervalMs = (): number => Math.ceil(1_000 / rate());
  let paidUntilMs = 0;
  const turnMs = (): number => Math.max(timekeeper.now() - burst * intervalMs(), paidUntilMs);
  const pay = (): number => {
    const ofThisMs = turnMs();
    paidUntilMs = ofThisMs + intervalMs();
    return ofThisMs;
  };
  return {
    turnMs,
    pay,
    async next() {
      const waitMs = pay() - timekeeper.now();
      if (waitMs > 0) await timekeeper.elapse(Math.max(waitMs, leastMs));
    },
  };
}
