/**
 * The classes of the accounts of a load run in words, and which of them a sound service leaves empty.
 *
 * Each phrase goes on after `No job was` or `No event`, where it is a fault.
 */

import { keysOf } from '../../common/keys-of.ts';
import type { LoadRecord } from '../../record/load-record.ts';

type Webhooks = NonNullable<LoadRecord['webhooks']>;
export type LedgerClass = keyof LoadRecord['ledger']['totals']['classes'];

export interface ClassInWords {
  readonly phrase: string;
  /** The service's doing, or nobody can tell. */
  readonly isFault: boolean;
}

const lawful = (phrase: string): ClassInWords => ({ phrase, isFault: false });
const fault = (phrase: string): ClassInWords => ({ phrase, isFault: true });

export const LEDGER_WORDS: Readonly<Record<LedgerClass, ClassInWords>> = {
  'delivered-once': lawful('printed once: every copy, of the right document, on the right printer'),
  duplicated: fault('printed more than once'),
  lost: fault('left unprinted, though accepted and nothing stood in its way'),
  'wrong-printer': fault('printed on another printer of the same account'),
  'wrong-account': fault('printed on a printer of another account'),
  'wrong-bytes': fault('printed from another document than the one submitted'),
  'wrong-copies': fault('printed in too few or too many copies'),
  'wrong-options': fault('printed otherwise than its options say'),
  'after-cancel': fault('printed though it was cancelled'),
  'after-expiry': fault('printed though it had expired'),
  'after-refusal': fault('printed though it was refused'),
  'failed-at-printer': lawful("reported as failed by its computer: the printer's doing"),
  expired: lawful('expired lawfully, before it was delivered'),
  cancelled: lawful('cancelled lawfully'),
  refused: lawful('not taken by the service, or never sent'),
  shed: lawful('not sent: too many requests were under way'),
  unknown: fault('unaccounted for after the drain'),
};

export const WEBHOOK_WORDS: Readonly<Record<keyof Webhooks['classes'], ClassInWords>> = {
  delivered: lawful('came once, and was answered well'),
  repeated: lawful('came twice, the first request having failed'),
  dropped: lawful('came, and every request for it failed'),
  lost: fault('was owed, and never came'),
  early: fault('came before its cause'),
  late: lawful('came long after its cause'),
  'too-often': fault('came again after a success, or more than twice'),
  'wrong-secret': fault("came with a secret that is not the receiver's"),
};

/** What came beside the events that are accounted for. */
export const STRAY_WORDS: Readonly<Record<keyof Webhooks['strays'], ClassInWords>> = {
  again: lawful('came about a state that is recorded twice, as the job was sent again'),
  'unknown-job': lawful('came about a job that is not in the ledger'),
  'unstable-state': fault('came about a state that must not be published'),
  'wrong-account': fault("came of another account than that of the receiver's webhook"),
  unreadable: fault('came that nobody can read'),
};

/** The phases of a job's way. */
export const PHASE_WORDS: Readonly<Record<LoadRecord['legs'][number]['name'], string>> = {
  submit: 'due, until sent',
  accept: 'sent, until answered',
  deliver: 'answered, until at its computer',
  fetch: 'at its computer, until its document is there',
  spool: 'document there, until in the print queue',
  paper: 'in the print queue, until its last sheet is out',
  report: 'in the print queue, until the service has acknowledged its state',
  webhook: 'acknowledged, until the receiver knows',
  whole: 'due, until its last sheet is out',
};

/** Names of these words in their order, each with its number; a record may leave names out. */
export function countsByWords<Name extends string>(
  words: Readonly<Record<Name, ClassInWords>>,
  counts: Readonly<Record<Name, number>>,
): readonly (ClassInWords & { readonly name: Name; readonly count: number })[] {
  return keysOf(words).map((name) => ({ ...words[name], name, count: counts[name] }));
}

/** A result that is not well clear of what the generator itself costs says little about the service. */
export const NEAR_FLOOR = 3;

/** Whether the quickest stream took about as long as the same traffic against a service that does nothing. */
export function isNearFloor({ self: { floor }, streams }: Pick<LoadRecord, 'self' | 'streams'>): boolean {
  const took = streams.filter(({ service }) => service.count > 0).map(({ service }) => service.p50Us);
  return floor !== null && took.length > 0 && Math.min(...took) < floor.responseP50Us * NEAR_FLOOR;
}

/** `100 = 96 delivered-once + 1 lost + 3 refused` */
export function sumInWords(total: number, counts: Readonly<Record<string, number>>): string {
  const told = Object.entries(counts).filter(([, count]) => count > 0);
  return `${total} = ${told.map(([name, count]) => `${count} ${name}`).join(' + ') || '0'}`;
}

/** Jobs of which nobody can tell what became: those of workers that were lost as the scenario declares. */
export function unknownJobsOf(losses: LoadRecord['losses'] = []): number {
  return losses.reduce((sum, { unknownJobs }) => sum + unknownJobs, 0);
}

/** `1 of up to 2 declared; 30 jobs unknown`. */
export function lossesInWords({ losses = [], plan }: Pick<LoadRecord, 'losses' | 'plan'>): string {
  const declared = plan.losses?.declared.reduce((sum, { workers }) => sum + workers, 0) ?? 0;
  return `${losses.length} of up to ${declared} declared; ${unknownJobsOf(losses)} jobs unknown`;
}
