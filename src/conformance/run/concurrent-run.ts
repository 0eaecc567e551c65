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
 * What has the Integrator Account or the quiet lane to itself begins first, one check after the other; then checks that
 * wait, and those of the matrix, which send the most. What needs an account of its own gets a Child Account, or the
 * whole lane without them.
 */

import { durationMs } from '../../common/duration.ts';
import type { Timekeeper } from '../../common/timekeeper.ts';
import type { Span } from '../../spec/clause.ts';
import type { Target } from '../../target/target.ts';
import type { Check } from '../check.ts';
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
/** Shorter waits make no room for another check. */
const WAIT_LEAST_MS = 500;

/** A shared lane, and what is under way in it. */
interface BusyLane {
  readonly lane: Lane;
  /** Checks that send, and do not wait. */
  busy: number;
  /** Checks that have begun and not ended. */
  active: number;
}

/** Where a check may begin now, and what gives the place back when it has ended. */
interface Lease {
  readonly lane: Lane;
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

function rankOf({ spanOf, lanes }: ConcurrentRun<unknown>, check: Check): number {
  // Where nothing answers, this says it best.
  if (check.clauses.includes('misc/ping')) return 0;
  const locks = locksOf(check);
  // Without a lane of its own it would keep all others waiting, and with a share of the Integrator Account those that
  // have that to themselves.
  if (locks.has('request-rate')) return lanes.quiet ? Number(isOfIntegrator(check)) : 4;
  if (lanes.shared.length > 1 && isOfIntegrator(check) && locks.has('account')) return 0;
  if (check.clauses.some((clause) => spanOf(clause) !== 'instant')) return 1;
  return Object.hasOwn(MATRIX_CHECKS, check.id) ? 2 : 3;
}

function runAll<Result>(
  plan: ConcurrentRun<Result>,
  checks: readonly Check[],
  results: Map<Check, Result>,
): Promise<void> {
  const leases = createLeases(plan.lanes);
  const waiting = [...checks];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const begin = async (check: Check, on: BusyLane, { lane, end }: Lease): Promise<void> => {
    const timekeeper = givingWay(lane.target.timekeeper, on, pump);
    const integrator = lane.integrator && { ...lane.integrator, timekeeper };
    on.busy++;
    on.active++;
    results.set(check, await plan.run(check, { ...lane, integrator, target: { ...lane.target, timekeeper } }));
    on.busy--;
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
function givingWay(timekeeper: Timekeeper, lane: BusyLane, pump: () => void): Timekeeper {
  return {
    ...timekeeper,
    async elapse(duration, signal) {
      if (durationMs(duration) < WAIT_LEAST_MS) return timekeeper.elapse(duration, signal);
      lane.busy--;
      pump();
      try {
        await timekeeper.elapse(duration, signal);
      } finally {
        lane.busy++;
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
  /** What one check at a time can have: the quiet lane, or all lanes together. */
  const held = { quiet: false, everything: false };

  const inLane = (check: Check, lane: Lane): Lease | undefined => {
    const end = holds.take(claimsOf(check, lane));
    return end && { lane, end };
  };
  const hold = (what: keyof typeof held, check: Check, lane: Lane): Lease | undefined => {
    const lease = held[what] ? undefined : inLane(check, lane);
    if (!lease) return undefined;
    held[what] = true;
    const end = (): void => {
      lease.end();
      held[what] = false;
    };
    return { lane, end };
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
      if (held.everything) return undefined;
      if (locksOf(check).has('request-rate')) {
        if (quiet) return hold('quiet', check, quiet);
        const isIdle = lanes.every(({ active }) => active === 0);
        return on === lanes[0] && isIdle ? hold('everything', check, on.lane) : undefined;
      }
      const wantsAccount = locksOf(check).has('account') && !isOfIntegrator(check);
      return wantsAccount && accounts.length > 0 ? inFreeAccount(check, on.lane) : inLane(check, on.lane);
    },
  };
}
