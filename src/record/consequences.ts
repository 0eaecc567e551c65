/**
 * Consequences: clauses that were found broken by nothing but what breaks another one, the cause. They are not judged.
 *
 *   GET /account/state answers 404 ─┬─ accounts/state-read         broken 4 of 4 times   the cause
 *                                   └─ accounts/state-same-again   broken 1 of 2 times   not judged
 *
 * What is seen cannot tell two clauses apart that it breaks alike. How they fared elsewhere does: the cause is broken
 * more often than kept, and the consequence kept as often as broken. Other than that, what is read in an answer whose
 * status is wrong, and is not there, says nothing of its clause.
 */

import { LEVELS } from '../specification/clause.ts';
import { signsOf, type SeenExchange, type SeenMismatch, type Signs } from './signs.ts';
import type { Verdict } from './words.ts';

/** What of a record is looked at. */
export interface JudgedRun {
  readonly checks: readonly JudgedCheck[];
  readonly clauses: Levels;
  readonly linkClauses?: Levels;
  /** What is broken throughout is said by itself. */
  readonly deviations?: readonly { readonly clauses: readonly string[] }[] | undefined;
}

type Levels = Readonly<Record<string, { readonly level: string }>>;

/** What of a check in it is looked at. */
export interface JudgedCheck {
  readonly verdict: Verdict;
  readonly known?: unknown;
  readonly evidence: {
    readonly judgements: readonly SeenJudgement[];
    readonly exchanges: readonly SeenExchange[];
  };
}

interface SeenJudgement {
  readonly clause: string;
  readonly mismatch?: SeenMismatch;
  readonly observation?: string;
  readonly countedIn?: string;
}

interface Tally {
  readonly clause: string;
  readonly rank: number;
  readonly kept: number;
  /** A known failure has no sign: nothing is laid to it, and it to nothing. */
  readonly broken: readonly Signs[];
}

/** For each clause that is a consequence, the clause that is its cause. */
export function consequencesOf(run: JudgedRun): ReadonlyMap<string, string> {
  const told = new Set(run.deviations?.flatMap(({ clauses }) => clauses));
  const tallies = talliesOf(run).filter(({ broken }) => broken.length > 0);
  const unread = causesIn(tallies, tallies, ({ lacking }) => lacking);
  const causes = tallies.filter((tally) => isMostlyBroken(tally) && !unread.has(tally.clause));
  const others = tallies.filter((tally) => !isMostlyBroken(tally));
  const spoilt = causesIn(others, causes, ({ met }) => met);
  // The status of a wrong answer may be a consequence itself.
  const all = [...[...unread].map(([clause, cause]) => [clause, spoilt.get(cause) ?? cause] as const), ...spoilt];
  return new Map(all.filter(([clause]) => !told.has(clause)));
}

/** For each of the tallies of which all is explained by one cause, and not of a lesser level, the clause of that. */
function causesIn(
  tallies: readonly Tally[],
  causes: readonly Tally[],
  met: (signs: Signs) => readonly string[],
): ReadonlyMap<string, string> {
  const all = causes.map((cause) => ({ cause, shown: new Set(cause.broken.flatMap(({ shown }) => shown)) }));
  return new Map(
    tallies.flatMap(({ clause, rank, broken }) => {
      const found = all.find(
        ({ cause, shown }) => cause.rank <= rank && broken.every((signs) => met(signs).some((sign) => shown.has(sign))),
      );
      return found ? [[clause, found.cause.clause] as const] : [];
    }),
  );
}

const isMostlyBroken = ({ broken, kept }: Tally): boolean => broken.length > kept;

function talliesOf({ checks, clauses, linkClauses }: JudgedRun): readonly Tally[] {
  const levels = { ...clauses, ...linkClauses };
  const judged = checks
    // What failed once and then passed says nothing either way.
    .filter(({ verdict }) => verdict !== 'flaky')
    .flatMap(({ evidence: { judgements, exchanges }, known }) =>
      judgements
        .filter(({ observation, countedIn }) => observation === undefined && countedIn === undefined)
        .map(({ clause, mismatch }) => ({
          clause,
          signs: mismatch && (known === undefined ? signsOf(mismatch, exchanges) : NO_SIGNS),
        })),
    );
  return [...Map.groupBy(judged, ({ clause }) => clause)].map(([clause, all]) => {
    const broken = all.flatMap(({ signs }) => signs ?? []);
    const rank = LEVELS.findIndex((level) => level === levels[clause]?.level);
    return { clause, rank, broken, kept: all.length - broken.length };
  });
}

const NO_SIGNS: Signs = { met: [], lacking: [], shown: [] };
