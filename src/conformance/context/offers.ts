/**
 * Offers: which endpoints the target has. What is declared to be missing is not asked for; what answers 404, 405 or 501
 * is tried once more, with a request that nothing but a missing endpoint answers so. Either ends a check that needs it.
 */

import type { Endpoint } from '../../specification/clause.ts';
import { endpointFor } from '../../oracle/endpoint-for.ts';
import { endpointName, endpointsOf, namesOf, OFFER_GROUPS } from '../../targets/offers.ts';
import type { Target } from '../../targets/target.ts';
import { CheckEnded } from './check-ended.ts';

export interface Offers {
  /** Finds out which of these are there. Ends the check where none is. */
  offered(endpoints: readonly Endpoint[]): Promise<readonly Endpoint[]>;
  /** Ends the check where the request needs what is missing. */
  refuse(method: string, path: string): void;
  /** As `refuse`, by how a request was answered. */
  saw(method: string, path: string, status: number): Promise<void>;
  /** What was found not to be there, and is not declared. */
  readonly missing: ReadonlySet<Endpoint>;
}

/** Statuses of an endpoint that is not there. */
export const ABSENT_STATUSES: ReadonlySet<number> = new Set([404, 405, 501]);
/** Statuses that only an endpoint that is there gives: others may come from what stands before it. */
const TELLING: ReadonlySet<number> = new Set([400, 409, 422]);

/** Tries an endpoint; undefined where only an answer to a check can tell. */
export type TryEndpoint = (endpoint: Endpoint, seen: number | undefined) => Promise<boolean | undefined>;

export function createOffers(target: Target, tryOut: TryEndpoint): Offers {
  const declared = new Set((target.absent ?? []).flatMap(endpointsOf));
  const found = new Set<Endpoint>();
  const missing = new Set<Endpoint>();
  const tried = new Map<Endpoint, Promise<boolean | undefined>>();

  const told = new Map<Endpoint, boolean | undefined>();

  const tryOnce = async (endpoint: Endpoint, seen: number | undefined): Promise<boolean | undefined> => {
    if (found.has(endpoint)) return true;
    const maker = makerOf(endpoint);
    const isMade = maker === undefined || (await find(maker));
    const isThere = await tryOut(endpoint, seen);
    // Where nothing makes the thing that it takes, only a good answer says something.
    return isMade ? isThere : isThere === true;
  };
  const find = async (endpoint: Endpoint, seen?: number): Promise<boolean> => {
    const asked = tried.get(endpoint) ?? tryOnce(endpoint, seen);
    tried.set(endpoint, asked);
    const isThere = await asked;
    told.set(endpoint, isThere);
    // The answer to a check may tell more.
    if (isThere === undefined && seen === undefined) tried.delete(endpoint);
    if (isThere === false && !found.has(endpoint)) missing.add(endpoint);
    return !missing.has(endpoint);
  };
  /** So that a family is named as a whole where nothing of it is there. */
  const findFamily = async ({ family }: Endpoint): Promise<void> => {
    const members = endpointsOf(family).filter((endpoint) => !declared.has(endpoint));
    for (const endpoint of members) await find(endpoint);
    const untold = members.filter((endpoint) => told.get(endpoint) === undefined && !found.has(endpoint));
    for (const endpoint of untold) if (isWithoutOthers(endpoint, missing, untold)) missing.add(endpoint);
  };
  const end = (endpoint: Endpoint): CheckEnded | undefined => {
    if (declared.has(endpoint)) return declaredAbsent(nameAmong(endpoint, declared));
    return missing.has(endpoint) ? notOffered(nameAmong(endpoint, missing)) : undefined;
  };

  return {
    missing,
    async offered(endpoints) {
      const there: Endpoint[] = [];
      for (const endpoint of endpoints) if (!declared.has(endpoint) && (await find(endpoint))) there.push(endpoint);
      const [first] = endpoints;
      if (!first || there.length > 0) return there;
      await findFamily(first);
      const ended = end(first);
      if (ended) throw ended;
      return there;
    },
    refuse(method, path) {
      const endpoint = endpointFor(method, path);
      const ended = endpoint && end(endpoint);
      if (ended) throw ended;
    },
    async saw(method, path, status) {
      const endpoint = endpointFor(method, path);
      if (!endpoint || found.has(endpoint)) return;
      if (status < 300 || TELLING.has(status)) found.add(endpoint);
      if (!ABSENT_STATUSES.has(status) || (await find(endpoint, status))) return;
      await findFamily(endpoint);
      const ended = end(endpoint);
      if (ended) throw ended;
    },
  };
}

/** Knows what the target is declared to lack, and tries nothing. */
export function declaredOffers(target: Target): Offers {
  return createOffers(target, () => Promise.resolve(true));
}

/** What makes the thing that a path names. */
function makerOf({ path, effect, family }: Endpoint): Endpoint | undefined {
  if (effect === 'creates' || !path.includes('{')) return undefined;
  const makers = endpointsOf(family).filter((one) => one.effect === 'creates' && path.startsWith(one.path));
  return makers.toSorted((left, right) => right.path.length - left.path.length)[0];
}

/** Whether nothing else is there of a group that it belongs to. */
function isWithoutOthers(endpoint: Endpoint, missing: ReadonlySet<Endpoint>, untold: readonly Endpoint[]): boolean {
  const groups = OFFER_GROUPS.map(endpointsOf).filter((members) => members.includes(endpoint));
  return groups.some((members) => {
    const others = members.filter((one) => !untold.includes(one));
    return others.length > 0 && others.every((one) => missing.has(one));
  });
}

function nameAmong(endpoint: Endpoint, among: ReadonlySet<Endpoint>): string {
  return namesOf(among).find((name) => endpointsOf(name).includes(endpoint)) ?? endpointName(endpoint);
}

/** How a check ends that needs what the target is declared to lack. */
export function declaredAbsent(name: string): CheckEnded {
  return new CheckEnded('not-applicable', { kind: 'declared-absent', name });
}

function notOffered(name: string): CheckEnded {
  return new CheckEnded('not-offered', { kind: 'not-offered', name });
}
