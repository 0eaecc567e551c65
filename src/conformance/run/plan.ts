/**
 * Plan: what a run on a real clock will cost, found out by running it on a virtual one.
 *
 * A run cannot be shorter than its longest check, nor than its requests take at the rate granted. Where
 * there is only one account, it takes as long as the checks that want it to themselves, one after the other;
 * where there are others, as long as the requests for which none of them will do.
 */

import { createRandom } from '../../common/random.ts';
import type { Target } from '../../target/target.ts';
import type { CheckOutcome } from '../verdict/outcome.ts';
import type { Check } from '../check.ts';
import { levelOf } from '../verdict/levels.ts';
import { isOfIntegrator, locksOf } from './locks.ts';
import { runChecks } from './runner.ts';

export interface CheckCost {
  readonly id: string;
  readonly requests: number;
  readonly waitedMs: number;
  /** It cannot run at the same time as others of its account. */
  readonly isAlone: boolean;
  /** No Child Account will do. */
  readonly isOfIntegrator: boolean;
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

const LANES = [1, 6] as const;

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
  return planOf(outcomes.map(costOf), requestsPerSecond);
}

function costOf({ check, exchanges, waitedMs }: CheckOutcome): CheckCost {
  const isAlone = locksOf(check).size > 0;
  return {
    id: check.id,
    requests: exchanges.length,
    waitedMs,
    isAlone,
    isOfIntegrator: isOfIntegrator(check),
  };
}

/** The plan of checks that cost this. */
export function planOf(costs: readonly CheckCost[], requestsPerSecond: number): Plan {
  const requests = sum(costs.map((cost) => cost.requests));
  const durationMs = (cost: CheckCost): number => cost.waitedMs + (cost.requests * 1_000) / requestsPerSecond;
  const longest = costs.reduce<CheckCost | undefined>(
    (found, cost) => (found && durationMs(found) >= durationMs(cost) ? found : cost),
    undefined,
  );
  const alone = costs.filter(({ isAlone }) => isAlone);
  const ofIntegrator = sum(costs.filter((cost) => cost.isOfIntegrator).map((cost) => cost.requests));
  const boundsOf = (lanes: number): readonly Bound[] =>
    [
      { reason: `the longest check, ${longest?.id ?? 'none'}`, ms: longest ? durationMs(longest) : 0 },
      {
        reason: `${requests} requests at ${requestsPerSecond} a second in ${lanes === 1 ? 'one lane' : `${lanes} lanes`}`,
        ms: (requests * 1_000) / (requestsPerSecond * lanes),
      },
      ...(lanes === 1
        ? [
            {
              reason: `${alone.length} checks that need the account to themselves`,
              ms: sum(alone.map(durationMs)),
            },
          ]
        : [
            {
              reason: `${ofIntegrator} requests at ${requestsPerSecond} a second of the account that has the Children`,
              ms: (ofIntegrator * 1_000) / requestsPerSecond,
            },
          ]),
    ].toSorted((left, right) => right.ms - left.ms);
  return {
    requestsPerSecond,
    costs,
    requests,
    waitedMs: sum(costs.map((cost) => cost.waitedMs)),
    bounds: LANES.map((lanes) => ({ lanes, bounds: boundsOf(lanes) })),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
