/**
 * Deviations of a run: what the service does otherwise than printed wherever it does it, with the checks that met it.
 */

import type { Verdict } from '../../record/words.ts';
import type { Level } from '../../specification/clause.ts';
import type { Deviation } from '../../stage/deviation.ts';
import type { MetPlace } from '../context/reader.ts';
import type { CheckOutcome } from './outcome.ts';
import { BROKEN } from './verdict.ts';

export interface RunDeviation {
  readonly deviation: Deviation;
  /** Position of the first exchange that shows it. */
  readonly exchange: number;
  /** Ids of the checks that met it. */
  readonly checks: readonly string[];
  /** Where else it was met and another clause prints it, each clause once. */
  readonly likewise: readonly MetPlace[];
}

/** Each once, those first that most checks met. */
export function deviationsOf(outcomes: readonly CheckOutcome[]): readonly RunDeviation[] {
  const all = outcomes.flatMap(({ check, met }) => met.map((one) => ({ ...one, check: check.id })));
  return [...Map.groupBy(all, ({ deviation }) => deviation.id).values()]
    .flatMap((same) => {
      const [first] = same;
      if (!first) return [];
      const { deviation, exchange } = first;
      const places = Map.groupBy(
        same.map(({ here }) => here),
        ({ clauses: [clause] }) => clause,
      );
      for (const clause of deviation.clauses) places.delete(clause);
      const checks = [...new Set(same.map(({ check }) => check))];
      return [{ deviation, exchange, checks, likewise: [...places.values()].flatMap(([one]) => one ?? []) }];
    })
    .toSorted((left, right) => right.checks.length - left.checks.length);
}

/** What is judged of it in a run, or in a record of one. */
interface JudgedRun {
  readonly judgements: readonly { readonly clause: string; readonly mismatch?: object }[];
}

/** Verdicts of deviations that no check of their clauses says: there was none, or none of them met it. */
export function unsaidVerdicts(
  deviations: readonly { readonly clauses: readonly string[] }[],
  judged: readonly JudgedRun[],
  levelOf: (clause: string) => Level,
): readonly Verdict[] {
  const broken = new Set(
    judged.flatMap(({ judgements }) => judgements.flatMap((one) => (one.mismatch ? one.clause : []))),
  );
  return deviations
    .filter(({ clauses }) => !clauses.some((clause) => broken.has(clause)))
    .flatMap(({ clauses: [clause] }) => (clause === undefined ? [] : BROKEN[levelOf(clause)]));
}
