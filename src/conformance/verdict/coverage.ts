/**
 * Coverage: what became of every clause of the specification in a run.
 *
 *   covered    a check declares it          excluded   nothing can judge it, with the reason
 *   not-yet    neither
 *
 * And what was observed of every gap.
 */

import { LINK_CLAUSES } from '../../link/link-clauses.ts';
import type { ClauseOutcome, ClauseStatus, Verdict } from '../../record/words.ts';
import type { Clause, Gap, Party } from '../../specification/clause.ts';
import type { DialectLine } from '../dialect/dialect.ts';
import type { CheckOutcome } from './outcome.ts';
import type { Check } from '../check.ts';
import type { Judgement } from '../context/judgement.ts';

/** What coverage says of a clause: of the specification, or of the device link. */
type CoveredClause = Pick<Clause, 'id' | 'level' | 'statement' | 'party'> & Partial<Pick<Clause, 'source'>>;

export interface ClauseCoverage {
  readonly clause: CoveredClause;
  readonly status: ClauseStatus;
  /** Why it is excluded. */
  readonly reason?: string;
  /** Ids of all checks that declare it, run or not. */
  readonly checks: readonly string[];
  readonly outcome: ClauseOutcome;
}

/** One line for each clause, in the order of the specification. */
export function coverClauses(
  clauses: readonly CoveredClause[],
  checks: readonly Check[],
  outcomes: readonly CheckOutcome[],
): readonly ClauseCoverage[] {
  const judgements: ReadonlyMap<string, readonly Judgement[]> = Map.groupBy(
    // What failed once and then passed says nothing either way.
    outcomes.flatMap(({ verdict, judgements: made }) =>
      verdict === 'flaky' ? [] : made.filter(({ countedIn }) => countedIn === undefined),
    ),
    (judgement) => judgement.clause,
  );
  const declared = declaredBy(checks);
  const absent = new Set(outcomes.filter(({ verdict }) => ABSENT.has(verdict)).map(({ check }) => check.id));
  return clauses.map((clause) => {
    const declaring = declared.get(clause.id) ?? [];
    const judged = outcomeOf(judgements.get(clause.id) ?? []);
    const isAbsent = judged === 'not-judged' && declaring.some((id) => absent.has(id));
    const outcome = isAbsent ? 'not-offered' : judged;
    if (declaring.length > 0) return { clause, status: 'covered', checks: declaring, outcome };
    const reason = exclusionOf(clause);
    return reason === undefined
      ? { clause, status: 'not-yet', checks: [], outcome }
      : { clause, status: 'excluded', reason, checks: [], outcome };
  });
}

/** Verdicts of checks about what the target does not have. */
const ABSENT: ReadonlySet<Verdict> = new Set(['not-offered', 'not-applicable']);

/** The same of the device link, for a service that speaks it. */
export function coverLink(checks: readonly Check[], outcomes: readonly CheckOutcome[]): readonly ClauseCoverage[] {
  const clauses = Object.entries(LINK_CLAUSES).map(
    ([id, statement]) => ({ id, statement, level: 'must', party: 'service' }) as const,
  );
  return coverClauses(clauses, checks, outcomes);
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
  dialect: readonly DialectLine[] = [],
): readonly GapObservations[] {
  const judgements = Map.groupBy(
    outcomes.flatMap((outcome) => outcome.judgements),
    ({ clause }): string => clause,
  );
  const declared = declaredBy(checks);
  const spoken = dialect.filter(({ source }) => source !== 'not-found-out');
  return gaps.map((gap) => ({
    gap,
    checks: declared.get(gap.id) ?? [],
    observations: [
      ...new Set(
        (judgements.get(gap.id) ?? []).flatMap(({ observation }) => (observation === undefined ? [] : [observation])),
      ),
      ...spoken.filter((line) => line.gap === gap.id).map(({ words }) => words),
    ],
  }));
}

/** Ids of the checks that declare a clause or a gap, in the order of the checks. */
function declaredBy(checks: readonly Check[]): ReadonlyMap<string, readonly string[]> {
  const pairs = checks.flatMap(({ id, clauses }) => [...new Set<string>(clauses)].map((clause) => ({ clause, id })));
  const grouped = Map.groupBy(pairs, ({ clause }) => clause);
  return new Map([...grouped].map(([clause, declaring]) => [clause, declaring.map(({ id }) => id)]));
}

export function outcomeOf(judgements: readonly { mismatch?: object; observation?: string }[]): ClauseOutcome {
  if (judgements.length === 0) return 'not-judged';
  if (judgements.some(({ mismatch }) => mismatch)) return 'broken';
  return judgements.some(({ observation }) => observation === undefined) ? 'kept' : 'observed';
}

/** Clauses that another party than the service keeps or breaks. */
const BY_PARTY: Readonly<Partial<Record<Party, string>>> = {
  client: 'kept or broken by the client program on the computer, which the tests of src/devices judge',
  caller: 'kept or broken by the caller of the service',
};

const BY_CLAUSE: Readonly<Record<string, string>> = {
  'service/https': 'a property of how a service is deployed; a service under test is often reached without TLS',
  'client-downloads/generic-address': 'lies at another address than the API, and nothing in the API names that address',
  'webhooks/update-not-atomic': 'a permission: any answer keeps it',
  'webhooks/delete-not-atomic': 'a permission: any answer keeps it',
};

/** Why no check judges this clause, or undefined when one should. */
export function exclusionOf(clause: CoveredClause): string | undefined {
  return BY_CLAUSE[clause.id] ?? BY_PARTY[clause.party];
}

/** The ids named here, for proving that none is stale. */
export const EXCLUDED_CLAUSES: readonly string[] = Object.keys(BY_CLAUSE);
