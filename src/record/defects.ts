/**
 * Defects: which failures of a run show the same defect of the service, so that it is reported once.
 *
 *   POST /printjobs answers 500 ─┬─ print-jobs/created  fail      the first: it fails for this alone, in few requests
 *                                ├─ cancelling/one      blocked   follow from it
 *                                └─ states/history      blocked
 *
 * A check follows another one only if all that is wrong with it is wrong with that one too. Where no request is named,
 * the same words of what stopped it will do.
 *
 * Flaky checks that failed one soon after the other follow from the first of them: the service, or the machine, stood
 * still for all of them.
 */

import type { JudgedCheck } from './consequences.ts';
import { kindOf, kindsOf, signsOf, type SeenMismatch, type Signs } from './signs.ts';
import type { Ending, Verdict } from './words.ts';

/** What of a check in a record is looked at. */
export interface FailedCheck extends JudgedCheck {
  readonly id: string;
  readonly message: string;
  readonly endedBy?: Ending;
  readonly unmet?: SeenMismatch;
  readonly requests: number;
}

/** Verdicts that may show a defect, those first that tell it best. */
const TELLING: readonly Verdict[] = ['fail', 'warn', 'blocked'];

/**
 * For each check that follows from another one, the id of that one.
 *
 * @param consequences - clauses that are broken by nothing but what breaks others: they tell a defect worse than those
 */
export function followersOf(
  checks: readonly FailedCheck[],
  consequences: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const rank = ({ verdict }: FailedCheck): number => TELLING.indexOf(verdict);
  const isConsequence = ({ evidence }: FailedCheck): boolean => {
    const broken = evidence.judgements.filter(({ mismatch }) => mismatch);
    return broken.length > 0 && broken.every(({ clause }) => consequences.has(clause));
  };
  const open = checks
    .filter((check) => rank(check) !== -1 && check.known === undefined)
    .map((check) => ({ check, signs: signsOfCheck(check) }))
    .toSorted(
      (left, right) =>
        rank(left.check) - rank(right.check) ||
        Number(isConsequence(left.check)) - Number(isConsequence(right.check)) ||
        left.check.requests - right.check.requests,
    );
  const followers = new Map(checks.flatMap(victimOf));
  for (const [index, { check: first, signs }] of open.entries()) {
    if (followers.has(first.id)) continue;
    const shown = new Set(signs.flatMap((one) => one.shown));
    for (const { check, signs: others } of open.slice(index + 1)) {
      const isSame = others.every(({ met }) => met.some((sign) => shown.has(sign)));
      if (isSame && !followers.has(check.id)) followers.set(check.id, first.id);
    }
  }
  return followers;
}

/** What a service that has died leaves blocked follows from the check that it died in. */
function victimOf({ id, endedBy }: FailedCheck): readonly (readonly [string, string])[] {
  return endedBy?.kind === 'stopped-answering' && endedBy.name !== undefined ? [[id, endedBy.name]] : [];
}

/** The signs of each thing that is wrong with a check. */
function signsOfCheck({ verdict, message, unmet, evidence }: FailedCheck): readonly Signs[] {
  const broken = evidence.judgements.flatMap(({ clause, mismatch }) => {
    if (!mismatch) return [];
    const { met, lacking, shown } = signsOf(mismatch, evidence.exchanges);
    const ofRule = `${clause}: ${kindsOf(mismatch)}`;
    return [{ met: [...met, ofRule], lacking, shown: [...shown, ofRule] }];
  });
  if (verdict !== 'blocked' && broken.length > 0) return broken;
  const { met = [], shown = [] } = unmet ? signsOf(unmet, evidence.exchanges) : {};
  const words = kindOf(message);
  return [...broken, { met: [...met, words], lacking: [], shown: [...shown, words] }];
}

/** What stood still is noticed when a wait ends, or an answer comes: not by all checks at once. */
const STALL_MS = 15_000;

/** A flaky check, and when it had failed first. */
export interface FlakyCheck {
  readonly id: string;
  readonly atMs: number;
}

/** For each flaky check that failed soon after another one, the id of the first of them. */
export function stalledWith(flaky: readonly FlakyCheck[]): ReadonlyMap<string, string> {
  const followers = new Map<string, string>();
  let first: FlakyCheck | undefined;
  for (const check of flaky.toSorted((one, other) => one.atMs - other.atMs)) {
    if (first && check.atMs - first.atMs <= STALL_MS) followers.set(check.id, first.id);
    else first = check;
  }
  return followers;
}
