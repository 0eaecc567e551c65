/**
 * Words of a run: verdicts, classes, phases and outcomes, each list once, in the order in which it is shown.
 *
 * Without zod, so that the page can import it: the schemas beside it are built from these lists.
 */

/**
 * What a check came to, worst first.
 *
 * harness-error   the check itself broke, or judged less than it declares
 * fail            the service broke a clause of level must; with --strict, or of level should
 * not-offered     404, 405 or 501 is all that a part of the API answers, and the descriptor does not say so
 * blocked         something the check builds on did not work; its own check says what
 * untestable      the target lacks what the check needs
 * inconclusive    no judgement was possible, for example because of the time it would take
 * flaky           failed once, passed when repeated alone
 * too-long        would wait longer than the descriptor of the target allows
 * warn            the service broke a clause of level should, or differs from what the specification only observed
 * observed        recorded: the specification leaves it open
 * not-applicable  the target is declared not to offer this
 * pass            every declared clause was judged, and kept
 */
export const VERDICTS = [
  'harness-error',
  'fail',
  'not-offered',
  'blocked',
  'untestable',
  'inconclusive',
  'flaky',
  'too-long',
  'warn',
  'observed',
  'not-applicable',
  'pass',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The file beside run.json with every exchange of a run of checks, a line of JSON each. */
export const EXCHANGE_LOG = 'exchanges.ndjson.gz';

/** How much of the suite is run: all of it, or what takes ten seconds. */
export const PROFILES = ['full', 'smoke'] as const;
export type Profile = (typeof PROFILES)[number];

/** covered: a check declares it; excluded: nothing can judge it, with the reason; not-yet: neither. */
export const CLAUSE_STATUSES = ['covered', 'excluded', 'not-yet'] as const;
export type ClauseStatus = (typeof CLAUSE_STATUSES)[number];

/** What a run found out about a clause; not-offered: the service does not have what it is about. */
export const CLAUSE_OUTCOMES = ['kept', 'broken', 'observed', 'not-offered', 'not-judged'] as const;
export type ClauseOutcome = (typeof CLAUSE_OUTCOMES)[number];

/** What a scenario came to. */
export const SCENARIO_VERDICTS = ['pass', 'fail', 'inconclusive', 'harness-error'] as const;
export type ScenarioVerdict = (typeof SCENARIO_VERDICTS)[number];

/**
 * What became of what an app wanted printed, when something went wrong for it.
 *
 * printed-once         as without it
 * printed-twice        more came out than without it
 * lost                 less came out, and the app says that all is well
 * printed-said-failed  it came out, and the app says that it failed: a person will print it again
 * taken-no-paper       the service has it, and the printer or its computer cannot print now
 * told                 less came out, and the app says so
 * hung                 the app did not end
 * not-reached          what the moment is about never came
 * ended-too-early      it came, and the app ended before what follows from it
 * nondeterministic     without it, too, another number comes out each time
 */
export const CALLER_VERDICTS = [
  'printed-once',
  'printed-twice',
  'lost',
  'printed-said-failed',
  'taken-no-paper',
  'told',
  'hung',
  'not-reached',
  'ended-too-early',
  'nondeterministic',
] as const;
export type CallerVerdict = (typeof CALLER_VERDICTS)[number];

/**
 * What a load came to.
 *
 * pass        every threshold kept, every job accounted for
 * fail        a threshold broken, or a job lost, duplicated, misprinted or unaccounted for
 * invalid     the generator itself was too late for its figures to mean anything
 * incomplete  a shard is missing, or the run was interrupted
 * aborted     a rule for giving up early applied
 */
export const LOAD_VERDICTS = ['pass', 'fail', 'invalid', 'incomplete', 'aborted'] as const;
export type LoadVerdict = (typeof LOAD_VERDICTS)[number];

export const LOAD_ENDINGS = ['complete', 'interrupted', 'aborted'] as const;
export type LoadEnding = (typeof LOAD_ENDINGS)[number];

/**
 * What became of a request of a load.
 *
 * ok       2xx                       failed   5xx
 * limited  429                       timeout  no answer in time; recorded at the time limit
 * refused  another 3xx or 4xx        broken   the connection failed
 *                                    shed     not sent: too many were under way
 */
export const REQUEST_OUTCOMES = ['ok', 'limited', 'refused', 'failed', 'timeout', 'broken', 'shed'] as const;
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

/**
 * Parts of a job's way that are measured.
 *
 * submit   due → sent                     spool    document there → in the print queue
 * accept   sent → answered                paper    in the print queue → last sheet out
 * deliver  answered → at its computer     report   in the print queue → its state acknowledged
 * fetch    at its computer → document     webhook  acknowledged → the receiver has it
 *          there                          whole    due → last sheet out
 */
export const PHASES = ['submit', 'accept', 'deliver', 'fetch', 'spool', 'paper', 'report', 'webhook', 'whole'] as const;
export type Phase = (typeof PHASES)[number];

/** Times that the ledger keeps of a job, beside the intended one. */
export const LEDGER_STAMPS = ['sent', 'accepted', 'delivered', 'fetched', 'spooled', 'printed', 'reported'] as const;
export type LedgerStamp = (typeof LEDGER_STAMPS)[number];

/**
 * What became of a job, judged by the paper and not by what was reported. Each job is in exactly one class.
 *
 * delivered-once     on the right paper, all copies, once
 * duplicated         every copy came out more than once
 * lost               accepted, and never on paper though nothing stood in its way
 * wrong-printer      went to another printer of the same account
 * wrong-account      went to a printer of another account
 * wrong-bytes        the document on paper is not the one submitted
 * wrong-copies       too few or too many copies
 * wrong-options      not printed as its options say
 * lost-title         all right, but its title does not show what the job was called
 * after-cancel       cancelled, and printed all the same
 * after-expiry       expired, and printed all the same
 * after-refusal      the service refused it, and it printed all the same
 * failed-at-printer  its computer reported an error, and no paper came: not the service's fault
 * said-done          by the word of the service done, on a printer that platen does not run
 * said-failed        by the word of the service failed, on such a printer
 * said-waiting       by the word of the service still on its way there when the drain was over
 * expired            as in the specification: not delivered before its time was up
 * cancelled          as its caller asked
 * refused            the service did not take it
 * shed               never sent: too many requests were under way
 * unknown            not known; after the drain there must be none
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
  'lost-title',
  'after-cancel',
  'after-expiry',
  'after-refusal',
  'failed-at-printer',
  'said-done',
  'said-failed',
  'said-waiting',
  'expired',
  'cancelled',
  'refused',
  'shed',
  'unknown',
] as const;
export type LedgerClass = (typeof LEDGER_CLASSES)[number];

const FINE_LEDGER_CLASSES: ReadonlySet<LedgerClass> = new Set([
  'delivered-once',
  'failed-at-printer',
  'said-done',
  'said-failed',
  'said-waiting',
  'expired',
  'cancelled',
  'refused',
  'shed',
]);

/** Classes that a sound service leaves empty. */
export const BAD_LEDGER_CLASSES = LEDGER_CLASSES.filter((name) => !FINE_LEDGER_CLASSES.has(name));

/** What the service says of a job on a printer that platen does not run. */
export const SAID_LEDGER_CLASSES = [
  'said-done',
  'said-failed',
  'said-waiting',
] as const satisfies readonly LedgerClass[];

/**
 * What became of an event that a service owed a webhook receiver.
 *
 * delivered     came once, and was answered well
 * repeated      came twice, after the first request had failed
 * dropped       every request for it failed, or died with the service: allowed after two
 * lost          owed, and never came
 * early         came before its cause
 * late          came long after its cause, though no request to the receiver had failed
 * too-often     came again after a success, or more than twice
 * wrong-secret  came with a secret that is not the receiver's
 */
export const WEBHOOK_CLASSES = [
  'delivered',
  'repeated',
  'dropped',
  'lost',
  'early',
  'late',
  'too-often',
  'wrong-secret',
] as const;
export type WebhookClass = (typeof WEBHOOK_CLASSES)[number];

/** What the specification forbids; it does not say how late an event may come. */
export const BAD_WEBHOOK_CLASSES: readonly WebhookClass[] = ['lost', 'early', 'too-often', 'wrong-secret'];

/**
 * Events that came beside those that were owed.
 *
 * again           another event of a state that a service may record twice: it sent the job again
 * unknown-job     about a job that is not in the ledger
 * unstable-state  about a state that must not be published
 * wrong-account   of another account than that of the receiver's webhook
 * unreadable      not an array of events, or not an event of a print job state
 */
export const STRAY_KINDS = ['again', 'unknown-job', 'unstable-state', 'wrong-account', 'unreadable'] as const;
export type StrayKind = (typeof STRAY_KINDS)[number];

export const BAD_STRAYS: readonly StrayKind[] = ['unstable-state', 'wrong-account', 'unreadable'];

/** What a load does on purpose to a service or its computers. */
export const CHAOS_EVENTS = ['power-cut', 'reconnect-storm', 'rolling-restart', 'service-killed'] as const;
export type ChaosEventName = (typeof CHAOS_EVENTS)[number];

/** What may grow over a soak although the load stays the same. */
export const DRIFT_MEASURES = ['response', 'service-memory', 'generator-memory'] as const;
export type DriftMeasure = (typeof DRIFT_MEASURES)[number];

/**
 * What ended a check, or kept it from beginning, beside what it judged.
 *
 * interrupted        Ctrl-C or a signal            not-offered      a part of the API that is not there
 * went-away          nothing listened any more     declared-absent  one that is declared not to be there
 *                    after the check that it names deviation        it hangs on what a deviation leaves unknown
 * stopped-answering  the target, in another check  process-lost     that which was to run it
 * failed-enough      as many checks had failed as --max-failures says
 */
export const ENDING_KINDS = [
  'interrupted',
  'failed-enough',
  'went-away',
  'stopped-answering',
  'process-lost',
  'not-offered',
  'declared-absent',
  'deviation',
] as const;
type EndingKind = (typeof ENDING_KINDS)[number];

export interface Ending {
  readonly kind: EndingKind;
  /** The check, part of the API or deviation that it names. */
  readonly name?: string;
}

const ENDING_WORDS: Readonly<Record<EndingKind, (name: string) => string>> = {
  interrupted: () => 'the run was interrupted',
  'failed-enough': () => 'the run stopped after as many failures as -x or --max-failures says',
  'went-away': (check) => `the target went away during ${check}`,
  'stopped-answering': (check) => `the target stopped answering during ${check}`,
  'process-lost': () => 'not run: the process that was to run it was lost',
  'not-offered': (part) => `the service does not offer: ${part}`,
  'declared-absent': (part) => `the target is declared to lack: ${part}`,
  deviation: (id) => `what it needs is not there: ${id}`,
};

export function endingInWords({ kind, name = '' }: Ending): string {
  return ENDING_WORDS[kind](name);
}

const CUT_SHORT: ReadonlySet<EndingKind> = new Set(['interrupted', 'failed-enough', 'went-away']);

/** Whether a check did not come to its end, since the run ended before. */
export function isCutShort({ endedBy }: { readonly endedBy?: Ending | undefined }): boolean {
  return endedBy !== undefined && CUT_SHORT.has(endedBy.kind);
}
