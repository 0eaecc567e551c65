/**
 * Plan: what a run on a real clock will cost, found out by running it on a virtual one.
 *
 * A run cannot be shorter than its longest check, nor than its requests take at the rate granted. Where there is only
 * one account, it takes as long as the checks that want it to themselves, one after the other. Where there are Child
 * Accounts, that holds of the Integrator Account, and of the checks of the request rate in their quiet lanes.
 */

import { sumOf } from '../../common/sums.ts';
import { basicAuthorization } from '../../common/basic-authorization.ts';
import { createRandom } from '../../common/random.ts';
import { headerValues } from '../../common/header-pairs.ts';
import { AUTHENTICATION_HEADERS } from '../../specification/headers.ts';
import type { Target } from '../../targets/target.ts';
import { type Exchange } from '../../wire/http-exchange.ts';
import type { CheckOutcome } from '../verdict/outcome.ts';
import type { Check } from '../check.ts';
import { isChildHeader } from '../context/pacing.ts';
import { levelOf } from '../verdict/levels.ts';
import { ADDRESSES, LANES_MOST, QUIET_LANES } from './lanes.ts';
import { isOfIntegrator, locksOf } from './locks.ts';
import { runChecks } from './runner.ts';

export interface CheckCost {
  readonly id: string;
  readonly requests: number;
  /** Those that count for the account which most of them count for. */
  readonly ofBusiestAccount: number;
  /** Those that count for the Integrator Account, of a check that no Child Account will do for. */
  readonly ofIntegrator: number;
  readonly waitedMs: number;
  /** It cannot run at the same time as others of its account. */
  readonly isAlone: boolean;
  /** It sends at a rate of its own. */
  readonly isOfRate: boolean;
}

/** One lower bound of the time a run takes. */
export interface Bound {
  readonly reason: string;
  readonly ms: number;
}

export interface Plan {
  readonly requestsPerSecond: number;
  readonly costs: readonly CheckCost[];
  readonly requests: number;
  /** All waits one after the other: what a run would take that does not overlap them. */
  readonly waitedMs: number;
  /** With this many lanes: 1 without Child Accounts. Longest first; the first is the critical path. */
  readonly bounds: readonly { readonly lanes: number; readonly bounds: readonly Bound[] }[];
}

const LANES = [1, LANES_MOST] as const;

/**
 * Runs the checks on a rehearsal target, as they would run on a real clock, and adds up what they cost.
 *
 * @param rehearsal - a target on a virtual clock
 */
export async function planRun(checks: readonly Check[], rehearsal: Target, requestsPerSecond: number): Promise<Plan> {
  const target = { ...rehearsal, timekeeper: { ...rehearsal.timekeeper, isVirtual: false } };
  const { outcomes } = await runChecks({
    target,
    checks,
    random: createRandom('plan'),
    runTag: 'plan',
    levelOf,
    order: 'one-by-one',
  });
  const authorization = basicAuthorization(rehearsal.apiKey);
  return planOf(
    outcomes.map((outcome) => costOf(outcome, authorization)),
    requestsPerSecond,
  );
}

function costOf({ check, exchanges, waitedMs }: CheckOutcome, ofIntegrator: string): CheckCost {
  const locks = locksOf(check);
  const byAccount = Object.values(Object.groupBy(exchanges, ({ exchange }) => accountIn(exchange)));
  const own = exchanges.filter(
    ({ exchange: { request } }) =>
      !request.headers.some(isChildHeader) && request.headers.some(([, value]) => value === ofIntegrator),
  );
  return {
    id: check.id,
    requests: exchanges.length,
    ofBusiestAccount: Math.max(0, ...byAccount.map((counted = []) => counted.length)),
    ofIntegrator: isOfIntegrator(check) ? own.length : 0,
    waitedMs,
    isAlone: locks.size > 0,
    isOfRate: locks.has('request-rate'),
  };
}

/** The account that a request counted for; empty where none was named. */
function accountIn({ response }: Exchange): string {
  return headerValues(response.headers, AUTHENTICATION_HEADERS.account.name)[0] ?? '';
}

/** The plan of checks that cost this. */
export function planOf(costs: readonly CheckCost[], requestsPerSecond: number): Plan {
  const requests = sumOf(costs, (cost) => cost.requests);
  return {
    requestsPerSecond,
    costs,
    requests,
    waitedMs: sumOf(costs, (cost) => cost.waitedMs),
    bounds: LANES.map((lanes) => {
      const bounds = boundsOf(costs, requestsPerSecond, lanes);
      return { lanes, bounds: bounds.toSorted((left, right) => right.ms - left.ms) };
    }),
  };
}

function boundsOf(costs: readonly CheckCost[], requestsPerSecond: number, lanes: number): readonly Bound[] {
  const requests = sumOf(costs, (cost) => cost.requests);
  const sendingMs = (count: number): number => (count * 1_000) / requestsPerSecond;
  const durationMs = (cost: CheckCost): number => {
    const sent = lanes === 1 ? cost.requests : cost.ofBusiestAccount;
    return cost.waitedMs + (cost.isOfRate ? 0 : sendingMs(sent));
  };
  const longest = costs.toSorted((left, right) => durationMs(right) - durationMs(left))[0];
  const longestBound = { reason: `the longest check, ${longest?.id ?? 'none'}`, ms: longest ? durationMs(longest) : 0 };
  const alone = costs.filter(({ isAlone }) => isAlone);
  const each = `${requests} requests at ${requestsPerSecond} a second`;
  if (lanes === 1) {
    return [
      longestBound,
      { reason: `${each} in one lane`, ms: sendingMs(requests) },
      { reason: `${alone.length} checks that need the account to themselves`, ms: sumOf(alone, durationMs) },
    ];
  }
  const rate = costs.filter(({ isOfRate }) => isOfRate);
  const ofIntegrator = costs.filter((cost) => cost.ofIntegrator > 0);
  const integratorMs = (cost: CheckCost): number => (cost.isAlone ? durationMs(cost) : sendingMs(cost.ofIntegrator));
  return [
    longestBound,
    { reason: `${each} from each of ${ADDRESSES} addresses`, ms: sendingMs(requests) / ADDRESSES },
    {
      reason: `${ofIntegrator.length} checks of the Integrator Account, those that need it to themselves one by one`,
      ms: sumOf(ofIntegrator, integratorMs),
    },
    {
      reason: `${rate.length} checks of the request rate, ${QUIET_LANES} at a time`,
      ms: sumOf(rate, durationMs) / QUIET_LANES,
    },
  ];
}
