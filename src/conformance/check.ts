/**
 * Check: a black-box test of clauses, as data and a short run.
 *
 *   rule, in a file of rules/ ──┐
 *                               ├─► check        joined by the registry
 *   clauses it judges ──────────┘
 *
 * A check judges each of its clauses on every path that leads to a pass; one that judges less is a fault of
 * the check, never a green line.
 */

import type { Need } from '../specification/clause.ts';
import type { CheckContext } from './context/context.ts';
import type { JudgedId } from './context/judgement.ts';

/** What there is once in an account, or a few times: two checks that touch it at the same time see each other. */
export type AccountPart = 'webhooks' | 'downloads' | 'simulated-scale' | 'computers';
type Account = 'account' | 'second-account';

/**
 * account            nothing else may happen in its account meanwhile: it looks at, or empties, a whole list, counts,
 *                    or sees every event
 * account/webhooks   nothing else may touch the webhooks of its account; others may work there
 * account/computers  no other may have computers or jobs there: so it is all of an account in which checks work that
 *                    have some without saying so
 * second-account …   the same in the second account
 * request-rate       nothing else may be sent from its address or to its account meanwhile
 */
export type Lock = Account | `${Account}/${AccountPart}` | 'request-rate';

/** A check as it is written: it names its clauses where it judges them, and nowhere else. */
export interface Rule {
  /** A sentence: what a service that passes does. */
  readonly title: string;
  /** Default: none. */
  readonly needs?: readonly Need[];
  /** What it cannot share with checks that run at the same time. Default: it shares everything. */
  readonly locks?: readonly Lock[];
  /** Begins when all others have ended, since it judges what they saw. */
  readonly runsLast?: true;
  readonly run: (context: CheckContext) => Promise<void>;
}

/** Rules by id: a stable slug, `family/what-it-looks-at`. */
export type Rules = Readonly<Record<string, Rule>>;

export interface Check extends Rule {
  readonly id: string;
  readonly needs: readonly Need[];
  /** Ids of the clauses it judges, and of the gaps it observes. */
  readonly clauses: readonly JudgedId[];
}
