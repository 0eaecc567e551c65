/**
 * Locks: what a check cannot share with others that run at the same time, in each account that it works in.
 *
 *   a share of the account           beside everyone but those who have all of it
 *   a part of it, as its webhooks    beside everyone who leaves that part alone
 *   all of it                        alone
 *
 * Downloads that one account enables must not change for another. To find out that they do, the checks that change some
 * take turns in all accounts.
 */

import { keysOf } from '../../common/keys-of.ts';
import type { Target } from '../../targets/target.ts';
import type { AccountPart, Check, Lock } from '../check.ts';
import type { Lane } from './lanes.ts';

type AccountsOfLane = Pick<Lane, 'target' | 'integrator'>;

/** Only the account that the run was given may have Child Accounts. */
export function isOfIntegrator({ needs }: Check): boolean {
  return needs.some((need) => need === 'integrator' || need === 'child-account');
}

/**
 * What it declares, and the account where it listens: a webhook hears of everything that happens there. A check of
 * Child Accounts may listen in another one, and declares it.
 */
export function locksOf(check: Check): ReadonlySet<Lock> {
  const listens = check.needs.includes('webhook-receiver') && !isOfIntegrator(check);
  return new Set([...(check.locks ?? []), ...(listens ? (['account'] as const) : [])]);
}

/** The target for a check that works in this lane. */
export function targetFor(check: Check, { target, integrator }: AccountsOfLane): Target {
  return isOfIntegrator(check) ? (integrator ?? target) : target;
}

/** What a check wants of an account, known by its key: a share, all of it, or a part. */
interface Claim {
  readonly key: string;
  readonly what: string;
}

const SHARE = 'a share';
const ALL = 'all';
const DOWNLOADS: AccountPart = 'downloads';
const COMPUTERS: AccountPart = 'computers';

/** What a check wants in this lane, in every account that it works in. */
export function claimsOf(check: Check, lane: AccountsOfLane): readonly Claim[] {
  const { apiKey, secondApiKey } = targetFor(check, lane);
  const keys = { account: apiKey, 'second-account': check.needs.includes('second-account') ? secondApiKey : undefined };
  const wanted = [...keysOf(keys).map((owner) => [owner, SHARE] as const), ...[...locksOf(check)].map(partsOf)];
  // Only there every check that has computers says so.
  const isOfIntegratorsAlone = (key: string): boolean => key === lane.integrator?.apiKey && key !== lane.target.apiKey;
  return wanted.flatMap(([owner, part]) => {
    const key = owner && keys[owner];
    if (key === undefined) return [];
    return [{ key, what: part === COMPUTERS && !isOfIntegratorsAlone(key) ? ALL : part }];
  });
}

function partsOf(lock: Lock): readonly ['account' | 'second-account' | undefined, string] {
  if (lock === 'request-rate') return [undefined, ALL];
  const [owner, part = ALL] = lock.split('/');
  return [owner === 'account' ? owner : 'second-account', part];
}

/** What the checks that are under way hold. */
export interface Holds {
  /** Takes all of the claims, and returns what gives them back; undefined where one of them is not free. */
  take(claims: readonly Claim[]): (() => void) | undefined;
}

export function createHolds(): Holds {
  const held = new Set<Claim>();
  return {
    take(claims) {
      if (claims.some((claim) => [...held].some((other) => clash(claim, other)))) return undefined;
      for (const claim of claims) held.add(claim);
      return () => {
        for (const claim of claims) held.delete(claim);
      };
    },
  };
}

function clash(one: Claim, other: Claim): boolean {
  if (one.key !== other.key) return one.what === DOWNLOADS && other.what === DOWNLOADS;
  return one.what === ALL || other.what === ALL || (one.what === other.what && one.what !== SHARE);
}
