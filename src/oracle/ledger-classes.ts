/**
 * Classes of the ledger: what became of a job, told from the paper and not from what anybody reported.
 * Each job is in exactly one.
 */

export const LEDGER_CLASSES = [
  'delivered-once',
  'duplicated',
  'lost',
  'wrong-printer',
  'wrong-account',
  'wrong-bytes',
  'wrong-copies',
  'wrong-options',
  'after-cancel',
  'after-expiry',
  'after-refusal',
  'failed-at-printer',
  'expired',
  'cancelled',
  'refused',
  'shed',
  'unknown',
] as const;

/**
 * delivered-once     on the right paper, all copies, once
 * duplicated         every copy came out more than once
 * lost               accepted, and never on paper though nothing stood in its way
 * wrong-printer      went to another printer of the same account
 * wrong-account      went to a printer of another account
 * wrong-bytes        the document on paper is not the one submitted
 * wrong-copies       too few or too many copies
 * wrong-options      printed otherwise than its options say
 * after-cancel       cancelled, and printed all the same
 * after-expiry       expired, and printed all the same
 * after-refusal      the service refused it, and it printed all the same
 * failed-at-printer  its computer reported an error, and no paper came: the printer's doing
 * expired            lawfully: not delivered before its time was up
 * cancelled          lawfully
 * refused            the service did not take it
 * shed               never sent: too many requests were under way
 * unknown            nobody can tell; after the drain there must be none
 */
export type LedgerClass = (typeof LEDGER_CLASSES)[number];

/** What a sound service leaves empty. */
export const BAD_LEDGER_CLASSES: readonly LedgerClass[] = [
  'duplicated',
  'lost',
  'wrong-printer',
  'wrong-account',
  'wrong-bytes',
  'wrong-copies',
  'wrong-options',
  'after-cancel',
  'after-expiry',
  'after-refusal',
  'unknown',
];

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
