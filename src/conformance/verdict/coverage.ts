/**
 * Coverage: what became of every clause of the specification in a run.
 *
 *   covered    a check declares it          excluded   nothing can judge it, with the reason
 *   not-yet    neither
 *
 * And what was observed of every gap.
 */

import type { ClauseOutcome, ClauseStatus } from '../../record/words.ts';
import type { Clause, Gap } from '../../spec/clause.ts';
import type { CheckOutcome } from './outcome.ts';
import type { Check } from '../check.ts';
import type { Judgement } from '../context/judgement.ts';
import { exclusionOf } from './exclusions.ts';

export interface ClauseCoverage {
  readonly clause: Clause;
  readonly status: ClauseStatus;
  /** Why it is excluded. */
  readonly reason?: string;
  /** Ids of all checks that declare it, run or not. */
  readonly checks: readonly string[];
  readonly outcome: ClauseOutcome;
}

/** One line for each clause, in the order of the specification. */
export function coverClauses(
  clauses: readonly Clause[],
  checks: readonly Check[],
  outcomes: readonly CheckOutcome[],
): readonly ClauseCoverage[] {
  const judgements: ReadonlyMap<string, readonly Judgement[]> = Map.groupBy(
    // What failed once and then passed says nothing either way.
    outcomes.flatMap(({ verdict, judgements: made }) => (verdict === 'flaky' ? [] : made)),
    (judgement) => judgement.clause,
  );
  return clauses.map((clause) => {
    const declaring = checks
      .filter((check) => check.clauses.some((id) => id === clause.id))
      .map((check) => check.id);
    const outcome = outcomeOf(judgements.get(clause.id) ?? []);
    if (declaring.length > 0) return { clause, status: 'covered', checks: declaring, outcome };
    const reason = exclusionOf(clause);
    return reason === undefined
      ? { clause, status: 'not-yet', checks: [], outcome }
      : { clause, status: 'excluded', reason, checks: [], outcome };
  });
}

/** What a run saw where the specification says nothing. */
export interface GapObservations {
  readonly gap: Gap;
  /** Ids of all checks that look at it, run or not. */
  readonly checks: readonly string[];
  /** Each different one once. */
  readonly observations: readonly string[];
}

/** One line for each gap, in the order of the specification. */
export function observeGaps(
  gaps: readonly Gap[],
  checks: readonly Check[],
  outcomes: readonly CheckOutcome[],
): readonly GapObservations[] {
  const judgements = outcomes.flatMap((outcome) => outcome.judgements);
  return gaps.map((gap) => ({
    gap,
    checks: checks.filter(({ clauses }) => clauses.some((id) => id === gap.id)).map(({ id }) => id),
    observations: [
      ...new Set(
        judgements.flatMap(({ clause, observation }) =>
          clause === gap.id && observation !== undefined ? [observation] : [],
        ),
      ),
    ],
  }));
}

export function outcomeOf(judgements: readonly { mismatch?: object; observation?: string }[]): ClauseOutcome {
  if (judgements.length === 0) return 'not-judged';
  if (judgements.some(({ mismatch }) => mismatch)) return 'broken';
  return judgements.some(({ observation }) => observation === undefined) ? 'kept' : 'observed';
}
