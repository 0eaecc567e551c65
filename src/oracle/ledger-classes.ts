/**
 * Classes of the ledger: decides what became of a job, from the paper and not from what was reported.
 */

import type { LedgerClass } from '../record/words.ts';

/** What has happened to a job, as bits of one number. */
export const FLAG = {
  sent: 1,
  accepted: 2,
  refused: 4,
  shed: 8,
  lostTitle: 16,
  cancelled: 32,
  expired: 64,
  /** Its computer reported the state `error`. */
  failed: 128,
  wrongAccount: 256,
  wrongPrinter: 512,
  wrongBytes: 1_024,
  wrongOptions: 2_048,
  reported: 4_096,
  webhook: 8_192,
  /** All that is known of it is what the service says. */
  said: 16_384,
} as const;

/** What is known of a job when it is put into its class. */
export interface LedgerFacts {
  readonly flags: number;
  readonly copies: number;
  readonly copiesPrinted: number;
  /** Everything has had its time: what is not there now is not coming. */
  readonly isDrained: boolean;
}

/** Paper comes first: a job that printed has printed, whatever was said about it. */
export function classOf(facts: LedgerFacts): LedgerClass {
  if (has(facts, FLAG.wrongAccount)) return 'wrong-account';
  if (has(facts, FLAG.wrongPrinter)) return 'wrong-printer';
  return facts.copiesPrinted > 0 ? classOfPrinted(facts) : classOfUnprinted(facts);
}

function classOfPrinted(facts: LedgerFacts): LedgerClass {
  const { copies, copiesPrinted } = facts;
  if (has(facts, FLAG.cancelled)) return 'after-cancel';
  if (has(facts, FLAG.expired)) return 'after-expiry';
  if (wasRefused(facts)) return 'after-refusal';
  if (has(facts, FLAG.wrongBytes)) return 'wrong-bytes';
  if (has(facts, FLAG.wrongOptions)) return 'wrong-options';
  if (copiesPrinted > copies) return copiesPrinted % copies === 0 ? 'duplicated' : 'wrong-copies';
  if (copiesPrinted === copies) return has(facts, FLAG.lostTitle) ? 'lost-title' : 'delivered-once';
  if (has(facts, FLAG.failed)) return 'failed-at-printer';
  return facts.isDrained ? 'wrong-copies' : 'unknown';
}

function classOfUnprinted(facts: LedgerFacts): LedgerClass {
  if (has(facts, FLAG.cancelled)) return 'cancelled';
  if (has(facts, FLAG.expired)) return 'expired';
  if (has(facts, FLAG.said)) return classOfSaid(facts);
  if (has(facts, FLAG.failed)) return 'failed-at-printer';
  if (has(facts, FLAG.shed)) return 'shed';
  if (wasRefused(facts)) return 'refused';
  return facts.isDrained && has(facts, FLAG.accepted) ? 'lost' : 'unknown';
}

function classOfSaid(facts: LedgerFacts): LedgerClass {
  if (has(facts, FLAG.failed)) return 'said-failed';
  return has(facts, FLAG.reported) ? 'said-done' : 'said-waiting';
}

function wasRefused(facts: LedgerFacts): boolean {
  return has(facts, FLAG.refused) && !has(facts, FLAG.accepted);
}

function has({ flags }: LedgerFacts, flag: number): boolean {
  return (flags & flag) !== 0;
}
