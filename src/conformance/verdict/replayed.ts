/**
 * Replayed: what the repetition of a check says about its failure in an earlier run.
 *
 *   clause that was broken ──► broken again ─────────────────────► FAILED
 *                          ├─► judged on the same request, kept ─► FIXED
 *                          └─► anything else ────────────────────► NOT JUDGED AGAIN
 *
 * A check that ended well proves nothing about a clause that it did not come to, and a rule of every response nothing
 * about a request that was not sent again.
 */

import { requestKind } from '../../common/request-name.ts';
import type { Verdict } from '../../record/words.ts';

export type ReplayWord = 'FIXED' | 'FAILED' | 'FLAKY' | 'PASSED' | 'NOT JUDGED AGAIN' | 'BROKEN';

/** What of a check in a record is looked at. */
export interface JudgedCheck {
  readonly verdict: Verdict;
  readonly evidence: {
    readonly judgements: readonly {
      readonly clause: string;
      readonly mismatch?: { readonly exchange?: number };
      readonly observation?: string;
    }[];
    readonly exchanges: readonly SentRequest[];
  };
}

interface SentRequest {
  readonly position: number;
  readonly sender?: string;
  readonly request: { readonly method: string; readonly path: string };
}

/** Clauses that the check found broken. */
export function brokenClauses({ evidence }: Pick<JudgedCheck, 'evidence'>): readonly string[] {
  return [...new Set(evidence.judgements.filter(({ mismatch }) => mismatch).map(({ clause }) => clause))];
}

/** Requests of other checks that showed a broken clause: those checks have to send them again. */
export function foreignRequests({ evidence }: Pick<JudgedCheck, 'evidence'>): readonly SentRequest[] {
  const shown = new Set(evidence.judgements.map(({ mismatch }) => mismatch?.exchange));
  return evidence.exchanges.filter(({ position, sender }) => sender !== undefined && shown.has(position));
}

/**
 * @param broken - the clauses that the check had found broken; none where it had failed for another reason
 * @param sentKinds - kinds of all requests of the repetition
 */
export function replayWord(
  { broken, hadFailed, foreign }: { broken: readonly string[]; hadFailed: boolean; foreign: readonly SentRequest[] },
  now: JudgedCheck,
  sentKinds: ReadonlySet<string>,
): ReplayWord {
  const { verdict, evidence } = now;
  if (verdict === 'harness-error') return 'BROKEN';
  if (verdict === 'fail') return 'FAILED';
  if (verdict === 'flaky') return 'FLAKY';
  const isKept = (clause: string): boolean => {
    const judged = evidence.judgements.filter((judgement) => judgement.clause === clause);
    return judged.some(({ observation }) => observation === undefined);
  };
  if (broken.some((clause) => brokenClauses(now).includes(clause))) return 'FAILED';
  const isGood = verdict === 'pass' || verdict === 'observed' || verdict === 'warn';
  const isJudgedAgain = broken.every(isKept) && foreign.every(({ request }) => sentKinds.has(requestKind(request)));
  if (!isGood || !isJudgedAgain) return 'NOT JUDGED AGAIN';
  return hadFailed ? 'FIXED' : 'PASSED';
}

/** What the word rests on, beside a check's own message: the clauses that were broken then and are kept now. */
export function replayMessage(word: ReplayWord, broken: readonly string[], now: { readonly message: string }): string {
  if (word !== 'FIXED') return now.message;
  if (broken.length === 0) return 'it had failed without a broken clause, and passes now';
  return `judged again and kept: ${broken.join(', ')}`;
}

/** Exit code of a replay: 0 nothing is broken any more; 1 something is; 2 not everything was judged again. */
export function replayExitCode(words: readonly ReplayWord[]): number {
  if (words.includes('BROKEN')) return 70;
  if (words.includes('FAILED')) return 1;
  return words.includes('NOT JUDGED AGAIN') || words.includes('FLAKY') ? 2 : 0;
}
