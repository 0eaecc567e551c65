/**
 * Telling exchanges: which exchanges of a run are kept as evidence for a verdict.
 *
 *   of the check itself     the last ones, and those that a mismatch names with their neighbours
 *   of other checks         those that a mismatch names (a rule of every response looks at all of the run), with
 *                           what the same check had sent just before; what platen sent by itself, alone
 */

import type { NumberedExchange } from '../context/judgement.ts';
import type { ConformanceResult } from '../run/run-conformance.ts';
import type { CheckOutcome } from '../verdict/outcome.ts';

export interface TellingExchange extends NumberedExchange {
  /** The check that sent it, where that was another one. */
  readonly sender?: string | undefined;
}

/** Exchanges kept of a check that is not a failure. */
const LAST_KEPT = 5;
/** The most exchanges kept of a failure. */
const LAST_OF_FAILURE_KEPT = 150;
/** Who made the requests that no check made: to make and remove accounts, ask for the dialect, clean up. */
const BY_ITSELF = 'platen itself';
/** Kept before and after an exchange that a mismatch names. */
const NEIGHBOURS = 2;

/** Finds it for each outcome of a run. */
export function exchangeTeller({
  outcomes,
  exchanges: all,
}: Pick<ConformanceResult, 'outcomes' | 'exchanges'>): (outcome: CheckOutcome) => readonly TellingExchange[] {
  const senders = new Map(
    outcomes.flatMap((sender) => sender.exchanges.map(({ position }) => [position, sender] as const)),
  );
  return (outcome) => {
    const { verdict, exchanges, judgements, unmet, check } = outcome;
    const named = new Set([{ mismatch: unmet }, ...judgements].flatMap(({ mismatch }) => mismatch?.exchange ?? []));
    const kept = verdict === 'fail' || verdict === 'flaky' ? LAST_OF_FAILURE_KEPT : LAST_KEPT;
    const own = [...exchanges.slice(-kept), ...around(exchanges, named)];
    const others = [...named].flatMap((position) => {
      const sender = senders.get(position);
      const exchange = all[position];
      if (!sender) return exchange ? [{ position, exchange, waitedMs: 0, sender: BY_ITSELF }] : [];
      if (sender.check.id === check.id) return [];
      const index = sender.exchanges.findIndex((one) => one.position === position);
      const before = sender.exchanges.slice(Math.max(0, index - NEIGHBOURS), index + 1);
      return before.map((one) => ({ ...one, sender: sender.check.id }));
    });
    const byPosition = new Map([...others, ...own].map((one) => [one.position, one]));
    return [...byPosition.values()].toSorted((left, right) => left.position - right.position);
  };
}

function around(exchanges: readonly NumberedExchange[], named: ReadonlySet<number>): readonly NumberedExchange[] {
  return exchanges.flatMap(({ position }, index) =>
    named.has(position) ? exchanges.slice(Math.max(0, index - NEIGHBOURS), index + NEIGHBOURS + 1) : [],
  );
}
