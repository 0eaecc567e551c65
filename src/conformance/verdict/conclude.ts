/**
 * Conclusion: the verdict of a check, from what it judged and how it ended; the worst counts.
 */

import { describeMismatch, type Mismatch } from '../../oracle/mismatch.ts';
import { endingInWords, type Ending, type Verdict } from '../../record/words.ts';
import type { Level } from '../../specification/clause.ts';
import type { Check } from '../check.ts';
import type { Judgement } from '../context/judgement.ts';
import { BROKEN, worstOf } from './verdict.ts';

/** What a check came to, and why. */
export interface Conclusion {
  readonly verdict: Verdict;
  /** One sentence for people; empty on a pass. */
  readonly message: string;
  /** What ended it, or kept it from beginning, beside what it judged. */
  readonly endedBy?: Ending;
  /** What it builds on that was not as it should be. */
  readonly unmet?: Mismatch;
}

/** How the run of a check ended, whatever it judged. */
export interface End extends Conclusion {
  readonly stack?: string | undefined;
  /** At another time the check may come to a verdict. */
  readonly isTooLate?: true | undefined;
  /** Clauses that a client program did not show, in one place at least. */
  readonly unseen?: ReadonlySet<string> | undefined;
  /** The target does not have all that the check is about. */
  readonly isPartial?: boolean | undefined;
}

/** How it ended, without what else an error has. */
export function endFrom({ verdict, message, endedBy, unmet }: End): Conclusion {
  return { verdict, message, ...(endedBy && { endedBy }), ...(unmet && { unmet }) };
}

const NOTHING_SEEN: Conclusion = {
  verdict: 'untestable',
  message: 'a client program shows nothing of what it judges',
};

const NOTHING_OFFERED: Conclusion = {
  verdict: 'not-applicable',
  message: 'the target has nothing of what it judges',
};

/** Verdicts that stand only where each clause of the check was judged. */
const GOOD: ReadonlySet<Verdict> = new Set(['pass', 'observed', 'warn']);

export function conclude(
  check: Check,
  judgements: readonly Judgement[],
  end: End,
  levelOf: (clause: string) => Level,
): Conclusion {
  if (judgements.length === 0 && end.unseen && end.unseen.size > 0) return NOTHING_SEEN;
  if (judgements.length === 0 && end.isPartial && GOOD.has(end.verdict)) return NOTHING_OFFERED;
  const verdicts = judgements.map((judgement) => verdictOf(judgement, levelOf));
  const judged = worstOf(verdicts);
  const counted = judgements.find(({ countedIn }) => countedIn !== undefined);
  if (counted?.countedIn !== undefined && judgements.every(({ countedIn }) => countedIn !== undefined)) {
    const endedBy: Ending = { kind: 'deviation', name: counted.countedIn };
    return { verdict: 'blocked', message: endingInWords(endedBy), endedBy };
  }
  const worst = worstOf([judged, end.verdict]);
  // A check may end at the first rule that is broken.
  const isBroken = judgements.some(({ clause, mismatch }) => mismatch && levelOf(clause) === 'should');
  const fault = GOOD.has(worst) && !isBroken ? incompleteness(check, judgements, end) : undefined;
  if (fault !== undefined) return { verdict: 'harness-error', message: fault };
  if (worst !== judged || judged === 'pass') return { ...endFrom(end), verdict: worst };
  const first = judgements[verdicts.indexOf(judged)];
  return { verdict: judged, message: first ? describeJudgement(first) : end.message };
}

/** What a judgement as it stands in a record means. */
export function verdictOf(
  { clause, mismatch, observation }: { clause: string; mismatch?: object; observation?: string },
  levelOf: (clause: string) => Level,
): Verdict {
  if (mismatch) return BROKEN[levelOf(clause)];
  return observation === undefined ? 'pass' : 'observed';
}

function describeJudgement({ mismatch, observation }: Judgement): string {
  return mismatch ? describeMismatch(mismatch) : (observation ?? '');
}

/** What is wrong with a check that judges less than its clauses, or another clause. */
function incompleteness(
  { clauses }: Check,
  judgements: readonly Judgement[],
  { unseen, isPartial }: End,
): string | undefined {
  const judged = new Set(judgements.map(({ clause }) => clause));
  const silent = isPartial ? [] : clauses.filter((clause) => !judged.has(clause) && unseen?.has(clause) !== true);
  const unlisted = [...judged].filter((clause) => !clauses.includes(clause));
  const parts = [
    silent.length > 0 ? `did not judge ${silent.join(', ')}` : '',
    unlisted.length > 0
      ? `judged ${unlisted.join(', ')}, not among its clauses (npm run prove emitted lists them)`
      : '',
  ].filter(Boolean);
  return parts.length === 0 ? undefined : `the check ${parts.join(' and ')}`;
}
