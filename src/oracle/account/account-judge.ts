/**
 * Account judge: judges one side of an account by what was seen, in order. It knows what the specification says and
 * nothing of how a service works; where the specification is silent, everything is right.
 */

import { isDeepStrictEqual } from 'node:util';

import type { HeaderPair } from '../../common/header-pairs.ts';
import { requestName } from '../../common/request-name.ts';
import { isObject, showValue, type JsonObject } from '../../common/json-value.ts';
import { CLAUSES, type ClauseId } from '../../specification/clauses.ts';
import { ERRORS } from '../../specification/errors.ts';
import { AUTHENTICATION_HEADERS } from '../../specification/headers.ts';
import type { Level } from '../../specification/clause.ts';
import { CHILD_HEADER } from '../invariant.ts';
import type { Mismatch } from '../mismatch.ts';
import type { Circumstances, Observation, SeenExchange } from './observation.ts';

/** A clause that the service did not keep. */
export interface BrokenClause extends Mismatch {
  readonly clause: ClauseId;
  /** The job it is about. */
  readonly jobId?: number | undefined;
}

export interface AccountJudge {
  /** @param place - how many were seen before */
  see(observation: Observation, place: number): void;
  /** All has been seen. */
  end?(): void;
}

/** What judges write their findings into. */
export class Findings {
  readonly circumstances: Circumstances;
  readonly broken: BrokenClause[] = [];
  /** How often each clause was judged: of one that was not, that nothing is broken says nothing. */
  readonly judged = new Map<ClauseId, number>();
  readonly #levels: ReadonlySet<Level>;
  readonly #unsure: ReadonlySet<string>;
  /** Everything is known of the accounts that are not unsure. */
  readonly #isWhole: boolean;

  /** @param unsure - accounts of which something is unknown; null where it is unknown of which */
  constructor(circumstances: Circumstances, levels: readonly Level[], unsure: ReadonlySet<string> | null = NONE) {
    this.#isWhole = circumstances.isWhole && unsure !== null;
    this.circumstances = { ...circumstances, isWhole: this.#isWhole && unsure?.size === 0 };
    this.#unsure = unsure ?? NONE;
    this.#levels = new Set(levels);
  }

  /** Whether everything in an account was made since the first observation. */
  isWholeOf(account: string): boolean {
    const { ownAccount = account } = this.circumstances;
    return this.#isWhole && account === ownAccount && !this.#unsure.has(account);
  }

  /**
   * The only way in: a judge says which clause it judged, whether it was kept or not.
   *
   * @returns whether it was kept
   */
  hold(clause: ClauseId, at: string, isKept: boolean, expected: string, actual: unknown, jobId?: number): boolean {
    const level = LEVEL_OF.get(clause);
    if (level === undefined || !this.#levels.has(level)) return isKept;
    this.count(clause, 1);
    if (isKept) return true;
    this.broken.push({ clause, at, expected, actual: typeof actual === 'string' ? actual : showValue(actual), jobId });
    return false;
  }

  count(clause: ClauseId, times: number): void {
    if (times > 0) this.judged.set(clause, (this.judged.get(clause) ?? 0) + times);
  }

  /** A value that must be another one. */
  alike(clause: ClauseId, at: string, expected: unknown, actual: unknown, jobId?: number): boolean {
    const isKept = isDeepStrictEqual(expected, actual);
    return isKept
      ? this.hold(clause, at, true, '', '')
      : this.hold(clause, at, false, showValue(expected), showValue(actual), jobId);
  }
}

const NONE: ReadonlySet<string> = new Set();
const LEVEL_OF = new Map(CLAUSES.map(({ id, level }) => [id, level]));

export function records(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The same value with the keys of its objects in order, as they have none. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}

/** Path without its query, the query, method and status of an exchange. */
export function partsOf({ http }: SeenExchange): {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly status: number;
  readonly at: string;
} {
  const { method, path: target } = http.request;
  const [path = '', query = ''] = target.split('?');
  return {
    method,
    path,
    query: new URLSearchParams(query),
    status: http.response.status,
    at: requestName(http.request),
  };
}

export function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Refused for what it asks, and not for how often. */
export function isRefused(status: number): boolean {
  return status >= 400 && status < 500;
}

export const TOO_MANY = ERRORS.TooManyRequests.status;

/** Whose accounts exchanges are about: as the service says, or as it said before to the same caller. */
export class Identities {
  readonly #accounts = new Map<string, string>();

  learn(exchange: SeenExchange): void {
    const account = accountNamedIn(exchange);
    const name = identityOf(exchange);
    // Credentials that cannot be read belong to no account.
    if (account === undefined || exchange.apiKey === '') return;
    if (isClientKey(exchange)) this.#accounts.set(JSON.stringify([exchange.value, []]), account);
    if (isSuccess(exchange) || !this.#accounts.has(name)) this.#accounts.set(name, account);
  }

  /** The account of a key that no Child header came with. */
  accountOfKey(apiKey: string): string | undefined {
    return this.#accounts.get(JSON.stringify([apiKey, []]));
  }

  accountOfCaller(apiKey: string, headers: readonly HeaderPair[]): string | undefined {
    return this.#accounts.get(identityFrom(apiKey, headers));
  }

  accountOf(exchange: SeenExchange): string {
    const [named, known] = [accountNamedIn(exchange), this.#accounts.get(identityOf(exchange))];
    // A refusal may name another account because it was taken for a request of that one.
    return (isSuccess(exchange) ? (named ?? known) : (known ?? named)) ?? '';
  }
}

function isClientKey({ http, value }: SeenExchange): boolean {
  const { method, path } = http.request;
  return (
    method === 'GET' && path.startsWith('/client/key/') && isGood(http.response.status) && typeof value === 'string'
  );
}

const ACCOUNT = AUTHENTICATION_HEADERS.account.name.toLowerCase();

function accountNamedIn({ http }: SeenExchange): string | undefined {
  return http.response.headers.find(([name]) => name.toLowerCase() === ACCOUNT)?.[1];
}

function isSuccess({ http }: SeenExchange): boolean {
  return isGood(http.response.status);
}

function identityOf({ apiKey, http }: SeenExchange): string {
  return identityFrom(apiKey, http.request.headers);
}

function identityFrom(apiKey: string, headers: readonly HeaderPair[]): string {
  return JSON.stringify([apiKey, headers.filter(([name]) => CHILD_HEADER.test(name))]);
}

/** Ids of a set as printed in a path; undefined for what is not one. */
export function idsOfSet(text: string): readonly number[] | undefined {
  const parts = text.split(/,|%2C/i);
  return parts.every((part) => /^[1-9]\d*$/.test(part)) ? [...new Set(parts.map(Number))] : undefined;
}
