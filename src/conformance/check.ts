/**
 * Check: a black-box test of clauses, as data and a short run.
 *
 * A check declares which clauses it judges and judges each of them on every path that leads to a pass;
 * one that judges less is a fault of the check, never a green line.
 */

import type { Need } from '../spec/clause.ts';
import type { WireFailure } from '../wire/http-exchange.ts';
import type { CheckContext } from './context/context.ts';
import type { JudgedId, Judgement, NumberedExchange } from './context/judgement.ts';
import type { Step } from './model/step.ts';
import type { Verdict } from './verdict/verdict.ts';

/**
 * account        nothing else may happen in its account meanwhile: it looks at, or empties, a whole list,
 *                or sees every event
 * request-rate   nobody else may send from its address or to its account meanwhile
 */
export type Lock = 'account' | 'request-rate';

export interface Check {
  /** Stable slug, `family/what-it-looks-at`. */
  readonly id: string;
  /** A sentence: what a service that passes does. */
  readonly title: string;
  /** Ids of the clauses it judges, and of the gaps it observes. */
  readonly clauses: readonly JudgedId[];
  readonly needs: readonly Need[];
  /** What it cannot share with checks that run at the same time; left out: it minds nobody. */
  readonly locks?: readonly Lock[];
  /** `last`: begins when all others have ended, since it judges what they saw. */
  readonly stage?: 'last';
  readonly run: (context: CheckContext) => Promise<void>;
}

/** Why a failure does not count, who looks after it, and until when: `2026-12-31`. */
export interface Excuse {
  readonly reason: string;
  readonly owner: string;
  readonly expires: string;
}

/** Everything a check left behind. */
export interface CheckOutcome {
  readonly check: Check;
  readonly verdict: Verdict;
  /** One sentence for people; empty on a pass. */
  readonly message: string;
  readonly judgements: readonly Judgement[];
  /** The exchanges of the check with their positions in the history of the run. */
  readonly exchanges: readonly NumberedExchange[];
  readonly wireFailures: readonly WireFailure[];
  readonly notes: readonly string[];
  /** How long it let time go by, on the clock of the target. */
  readonly waitedMs: number;
  /** What a failure is recognised by in another run; see signature.ts. */
  readonly signature?: string;
  /** The failure is known, and does not count. */
  readonly known?: Excuse;
  /** The sequence of moves that broke a clause. */
  readonly sequence?: readonly Step[];
  /** The stack of an exception that was no verdict. */
  readonly stack?: string;
  readonly durationMs: number;
}
