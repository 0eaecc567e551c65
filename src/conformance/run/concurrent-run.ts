/**
 * Concurrent run: on a real clock waits are free and requests are not. A check that waits makes room for
 * another one, so that a run takes about as long as its longest wait or its requests, whichever is more.
 *
 *   lane 1  ██▒▒▒▒▒▒▒▒▒▒▒▒██          █ sends   ▒ waits
 *             ███▒▒▒▒▒▒██
 *                ██ ███ ██████        few send at a time: an answer that a timed rule is judged by
 *   lane 2  ██▒▒▒▒▒▒██                must not queue behind the requests of others
 *             ████ ██
 *
 * What has the Integrator Account or a quiet lane to itself begins first, one check after the other; then checks that
 * wait, and those of the matrix, which send the most. What needs an account of its own gets a Child Account, or the
 * whole lane without them.
 */

import { durationMs } from '../../common/duration.ts';
import type { Timekeeper } from '../../common/timekeeper.ts';
import type { Span } from '../../specification/clause.ts';
import type { Target } from '../../targets/target.ts';
import type { Check, Lock } from '../check.ts';
import { MATRIX_CHECKS } from '../matrix/matrix.ts';
import type { Lane, Lanes } from './lanes.ts';
import { claimsOf, createHolds, isOfIntegrator, locksOf } from './locks.ts';

export interface ConcurrentRun<Result> {
  readonly checks: readonly Check[];
  readonly lanes: Lanes;
  readonly spanOf: (clause: string) => Span;
  /** Runs one check; never rejects. */
  readonly run: (check: Check, lane: Lane) => Promise<Result>;
}

/** Checks of one lane that send at the same time. */
const BUSY_MOST = 2;
/** All checks of one lane, waiting ones included. */
const ACTIVE_MOST = 40;
/**
 * Checks that share the Integrator Account and its rate: among more of them one with many requests ends long after the
 * others.
 */
const SHARERS_MOST = 4;
/** Shorter waits make no room for another check. */
const WAIT_LEAST_MS = 500;

/** A lane, or an account that several lanes share. */
interface Place {
  /** Checks that send, and do not wait. */
  busy: number;
}

/** A shared lane, and what is under way in it. */
interface BusyLane extends Place {
  readonly lane: Lane;
  /** Checks that have begun and not ended. */
  active: number;
}

/** Where a check may begin now, and what gives the place back when it has ended. */
interface Lease {
  readonly lane: Lane;
  /** The Integrator Account, where the check shares it. */
  readonly account?: Place;
  readonly end: () => void;
}

/** Runs all checks, those that run last when the others have ended. Results in the order of the checks. */
export async function runConcurrently<Result>(plan: ConcurrentRun<Result>): Promise<readonly Result[]> {
  const results = new Map<Check, Result>();
  const inOrder = plan.checks.toSorted((left, right) => rankOf(plan, left) - rankOf(plan, right));
  for (const isLast of [false, true]) {
    const checks = inOrder.filter(({ runsLast = false }) => runsLast === isLast);
    await runAll(plan, checks, results);
  }
  return plan.checks.flatMap((check) => {
    const result = results.get(check);
    return result === undefined ? [] : [result];
  });
}

/** The place in the order of a check; what none of this holds of comes later. */
function rankOf({ spanOf, lanes }: ConcurrentRun<unknown>, check: Check): number {
  const locks = locksOf(check);
  const isOfRate = locks.has('request-rate');
  // Without a lane of its own it would keep all others waiting.
  if (isOfRate && lanes.quiet.length === 0) return Infinity;
  const isOfMatrix = Object.hasOwn(MATRIX_CHECKS, check.id);
  const waits = check.clauses.some((clause) => spanOf(clause) !== 'instant');
  const integratorLocks = lanes.shared.length > 1 && isOfIntegrator(check) ? locks : new Set<Lock>();
  const order = [
    // Where nothing answers, this says it best.
    check.clauses.includes('misc/ping'),
    isOfRate && !isOfIntegrator(check),
    // Checks that share the Integrator Account would keep those waiting that want it to themselves; and what wants
    // several things would wait for all of them until the end.
    integratorLocks.has('account') && integratorLocks.has('second-account'),
    integratorLocks.has('account'),
    integratorLocks.size > 1,
    integratorLocks.size > 0 && isOfMatrix,
    integratorLocks.size > 0 || waits,
    isOfMatrix,
  ];
  const first = order.indexOf(true);
  return first === -1 ? order.length : first;
}

function runAll<Result>(
  plan: ConcurrentRun<Result>,
  checks: readonly Check[],
  results: Map<Check, Result>,
): Promise<void> {
  const leases = createLeases(plan.lanes);
  const waiting = [...checks];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const begin = async (check: Check, on: BusyLane, { lane, account, end }: Lease): Promise<void> => {
    const places = account ? [on, account] : [on];
    const timekeeper = givingWay(lane.target.timekeeper, places, pump);
    const integrator = lane.integrator && { ...lane.integrator, timekeeper };
    for (const place of places) place.busy++;
    on.active++;
    results.set(check, await plan.run(check, { ...lane, integrator, target: { ...lane.target, timekeeper } }));
    for (const place of places) place.busy--;
    on.active--;
    end();
    pump();
  };
  const pump = (): void => {
    if (waiting.length === 0 && leases.lanes.every(({ active }) => active === 0)) resolve();
    for (const lane of leases.lanes) {
      while (lane.busy < BUSY_MOST && lane.active < ACTIVE_MOST) {
        const next = nextFor(lane, waiting, leases);
        if (!next) break;
        waiting.splice(waiting.indexOf(next.check), 1);
        begin(next.check, lane, next.lease).catch(reject);
      }
    }
  };
  pump();
  return promise;
}

function nextFor(
  lane: BusyLane,
  waiting: readonly Check[],
  leases: Leases,
): { readonly check: Check; readonly lease: Lease } | undefined {
  for (const check of waiting) {
    const lease = leases.leaseFor(check, lane);
    if (lease) return { check, lease };
  }
  return undefined;
}

/** A timekeeper that lets others work while its check waits. */
function givingWay(timekeeper: Timekeeper, places: readonly Place[], pump: () => void): Timekeeper {
  return {
    ...timekeeper,
    async elapse(duration, signal) {
      if (durationMs(duration) < WAIT_LEAST_MS) return timekeeper.elapse(duration, signal);
      for (const place of places) place.busy--;
      pump();
      try {
        await timekeeper.elapse(duration, signal);
      } finally {
        for (const place of places) place.busy++;
      }
    },
  };
}

interface Leases {
  readonly lanes: readonly BusyLane[];
  /** A place for this check in this lane, or undefined when it has to wait. */
  leaseFor(check: Check, lane: BusyLane): Lease | undefined;
}

function createLeases({ shared, accounts, quiet }: Lanes): Leases {
  const lanes = shared.map((lane) => ({ lane, busy: 0, active: 0 }));
  const holds = createHolds();
  const freeAccounts: Target[] = [...accounts];
  const freeQuiet: Lane[] = [...quiet];
  /** Whether a check has all lanes together. */
  let isEverythingHeld = false;
  const integratorAccount: Place = { busy: 0 };

  const inLane = (check: Check, lane: Lane): Lease | undefined => {
    const end = holds.take(claimsOf(check, lane));
    return end && { lane, end };
  };
  const inEverything = (check: Check, lane: Lane): Lease | undefined => {
    const lease = inLane(check, lane);
    if (!lease) return undefined;
    isEverythingHeld = true;
    const end = (): void => {
      lease.end();
      isEverythingHeld = false;
    };
    return { lane, end };
  };
  const inQuietLane = (check: Check): Lease | undefined => {
    const [lane] = freeQuiet;
    const lease = lane && inLane(check, lane);
    if (!lease) return undefined;
    freeQuiet.shift();
    const end = (): void => {
      lease.end();
      freeQuiet.push(lane);
    };
    return { lane, end };
  };
  const inIntegrator = (check: Check, lane: Lane): Lease | undefined => {
    const lease = integratorAccount.busy < SHARERS_MOST ? inLane(check, lane) : undefined;
    return lease && { ...lease, account: integratorAccount };
  };
  const inFreeAccount = (check: Check, lane: Lane): Lease | undefined => {
    const [account] = freeAccounts;
    const lease = account && inLane(check, { ...lane, target: account });
    if (!lease) return undefined;
    freeAccounts.shift();
    const end = (): void => {
      lease.end();
      freeAccounts.push(account);
    };
    return { ...lease, end };
  };

  return {
    lanes,
    leaseFor(check, on) {
      if (isEverythingHeld) return undefined;
      if (locksOf(check).has('request-rate')) {
        if (quiet.length > 0) return inQuietLane(check);
        const isIdle = lanes.every(({ active }) => active === 0);
        return on === lanes[0] && isIdle ? inEverything(check, on.lane) : undefined;
      }
      if (isOfIntegrator(check) && lanes.length > 1) return inIntegrator(check, on.lane);
      const wantsAccount = locksOf(check).has('account') && !isOfIntegrator(check);
      return wantsAccount && accounts.length > 0 ? inFreeAccount(check, on.lane) : inLane(check, on.lane);
    },
  };
}
