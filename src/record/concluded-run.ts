/**
 * Concluded run: what the checks of a run say together, of the whole or of a part that is merged with others: which
 * failures follow from others, and how the clauses fared.
 */

import type { CheckRecord, CheckSummary, ClauseRecord, DeviationRecord } from './check-record.ts';
import { consequencesOf } from './consequences.ts';
import { followersOf } from './defects.ts';

type Clauses = Readonly<Record<string, ClauseRecord>>;

export interface ConcludedRun {
  readonly checks: readonly CheckRecord[];
  readonly clauses: Clauses;
  readonly linkClauses?: Clauses;
}

interface JudgedRun extends ConcludedRun {
  readonly deviations?: readonly Pick<DeviationRecord, 'clauses'>[] | undefined;
}

/**
 * @param run - with the outcome of each clause by its judgements alone; of its checks those that are flaky may say what
 *   they follow from
 */
export function concluded(run: JudgedRun): ConcludedRun {
  const { checks, clauses, linkClauses } = run;
  const causes = consequencesOf(run);
  const followers = followersOf(checks, causes);
  const withCauses = (judged: Clauses): Clauses =>
    Object.fromEntries(Object.entries(judged).map(([id, clause]) => [id, withCause(clause, causes.get(id))]));
  return {
    checks: checks.map((check) => {
      const followsFrom = followers.get(check.id);
      return followsFrom === undefined ? check : { ...check, followsFrom };
    }),
    clauses: withCauses(clauses),
    ...(linkClauses && { linkClauses: withCauses(linkClauses) }),
  };
}

function withCause(clause: ClauseRecord, since: string | undefined): ClauseRecord {
  return since === undefined ? clause : { ...clause, outcome: 'not-judged', since };
}

export function clauseCounts(clauses: Clauses): CheckSummary['clauses'] {
  const count = (accepts: (clause: ClauseRecord) => boolean): number => Object.values(clauses).filter(accepts).length;
  return {
    total: Object.keys(clauses).length,
    covered: count(({ status }) => status === 'covered'),
    excluded: count(({ status }) => status === 'excluded'),
    notYet: count(({ status }) => status === 'not-yet'),
    broken: count(({ outcome }) => outcome === 'broken'),
    notOffered: count(({ status, outcome }) => status === 'covered' && outcome === 'not-offered'),
    notJudged: count(({ status, outcome }) => status === 'covered' && outcome === 'not-judged'),
  };
}
