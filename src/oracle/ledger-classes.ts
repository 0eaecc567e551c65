/**
 * Classes of the ledger: decides what became of a job, from the paper and not from what was reported.
 */

import type { LedgerClass } from '../record/words.ts';

/** What is known of a job when it is put into its class. */
export interface LedgerFacts {
  readonly isShed: boolean;
  readonly isRefused: boolean;
  readonly isAccepted: boolean;
  readonly isCancelled: boolean;
  readonly isExpired: boolean;
  readonly hasWrongAccount: boolean;
  readonly hasWrongPrinter: boolean;
  readonly hasWrongBytes: boolean;
  readonly hasWrongOptions: boolean;
  /** Its computer reported the state `error`. */
  readonly hasFailed: boolean;
  readonly copies: number;
  readonly copiesPrinted: number;
  /** Everything has had its time: what is not there now is not coming. */
  readonly isDrained: boolean;
}

/** Paper comes first: a job that printed has printed, whatever was said about it. */
export function classOf(facts: LedgerFacts): LedgerClass {
  if (facts.hasWrongAccount) return 'wrong-account';
  if (facts.hasWrongPrinter) return 'wrong-printer';
  return facts.copiesPrinted > 0 ? classOfPrinted(facts) : classOfUnprinted(facts);
}

function classOfPrinted(facts: LedgerFacts): LedgerClass {
  const { copies, copiesPrinted } = facts;
  if (facts.isCancelled) return 'after-cancel';
  if (facts.isExpired) return 'after-expiry';
  if (facts.isRefused && !facts.isAccepted) return 'after-refusal';
  if (facts.hasWrongBytes) return 'wrong-bytes';
  if (facts.hasWrongOptions) return 'wrong-options';
  if (copiesPrinted > copies) return copiesPrinted % copies === 0 ? 'duplicated' : 'wrong-copies';
  if (copiesPrinted === copies) return 'delivered-once';
  if (facts.hasFailed) return 'failed-at-printer';
  return facts.isDrained ? 'wrong-copies' : 'unknown';
}

function classOfUnprinted(facts: LedgerFacts): LedgerClass {
  if (facts.isCancelled) return 'cancelled';
  if (facts.isExpired) return 'expired';
  if (facts.hasFailed) return 'failed-at-printer';
  if (facts.isShed) return 'shed';
  if (facts.isRefused && !facts.isAccepted) return 'refused';
  return facts.isDrained && facts.isAccepted ? 'lost' : 'unknown';
}
