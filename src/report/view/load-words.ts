/**
 * The classes of the accounts of a load run in words, with their counts, and which of them a sound service leaves
 * empty. Each phrase continues `No job was` or `No event`, where it is a fault.
 */

import { keysOf } from '../../common/keys-of.ts';
import { sumOf } from '../../common/sums.ts';
import type { DriftRecord, LoadRecord, TrendRecord } from '../../record/load-record.ts';
import {
  BAD_LEDGER_CLASSES,
  BAD_STRAYS,
  BAD_WEBHOOK_CLASSES,
  SAID_LEDGER_CLASSES,
  type DriftMeasure,
  type LedgerClass,
  type Phase,
  type StrayKind,
  type WebhookClass,
} from '../../record/words.ts';

type Webhooks = NonNullable<LoadRecord['webhooks']>;

export interface ClassCount {
  readonly name: string;
  readonly phrase: string;
  /** A sound service leaves it empty. */
  readonly isFault: boolean;
  readonly count: number;
}

export function jobClasses({
  ledger: { totals },
  progress,
}: Pick<LoadRecord, 'ledger' | 'progress'>): readonly ClassCount[] {
  const counted = classCounts(LEDGER_WORDS, BAD_LEDGER_CLASSES, totals.classes);
  if (progress === undefined) return counted;
  return counted.map((one) => (one.name === 'unknown' ? { ...one, phrase: 'still under way', isFault: false } : one));
}

/** Jobs of which nothing is known but the word of the service. */
export function saidJobs({ ledger: { totals } }: Pick<LoadRecord, 'ledger'>): number {
  return sumOf(SAID_LEDGER_CLASSES, (name) => totals.classes[name]);
}

/** What became of the events that were owed. */
export function eventClasses({ classes }: Webhooks): readonly ClassCount[] {
  return classCounts(WEBHOOK_WORDS, BAD_WEBHOOK_CLASSES, classes);
}

/** What came beside the events that were owed. */
export function strayKinds({ strays }: Webhooks): readonly ClassCount[] {
  return classCounts(STRAY_WORDS, BAD_STRAYS, strays);
}

function classCounts<Name extends string>(
  words: Readonly<Record<Name, string>>,
  faults: readonly Name[],
  counts: Readonly<Record<Name, number>>,
): readonly ClassCount[] {
  return keysOf(words).map((name) => ({
    name,
    phrase: words[name],
    isFault: faults.includes(name),
    count: counts[name],
  }));
}

const LEDGER_WORDS: Readonly<Record<LedgerClass, string>> = {
  'delivered-once': 'printed once: every copy, of the right document, on the right printer',
  duplicated: 'printed more than once',
  lost: 'left unprinted, though accepted and nothing stood in its way',
  'wrong-printer': 'printed on another printer of the same account',
  'wrong-account': 'printed on a printer of another account',
  'wrong-bytes': 'printed from another document than the one submitted',
  'wrong-copies': 'printed in too few or too many copies',
  'wrong-options': 'printed with other options than its own',
  'lost-title': 'printed once, as it should, but under another title',
  'after-cancel': 'printed though it was cancelled',
  'after-expiry': 'printed though it had expired',
  'after-refusal': 'printed though it was refused',
  'failed-at-printer': "reported as failed by its computer: the printer's fault",
  'said-done': 'done by the word of the service, on a printer that platen does not run',
  'said-failed': 'failed by the word of the service, on a printer that platen does not run',
  'said-waiting': 'still on its way by the word of the service, to a printer that platen does not run',
  expired: 'expired as it should, before it was delivered',
  cancelled: 'cancelled as it should',
  refused: 'refused by the service, or never sent',
  shed: 'not sent: too many requests were under way',
  unknown: 'unaccounted for after the drain',
};

const WEBHOOK_WORDS: Readonly<Record<WebhookClass, string>> = {
  delivered: 'came once, and was answered well',
  repeated: 'came twice, after the first request had failed',
  dropped: 'came, and every request for it failed',
  lost: 'was owed, and never came',
  early: 'came before its cause',
  late: 'came long after its cause',
  'too-often': 'came again after a success, or more than twice',
  'wrong-secret': "came with a secret that is not the receiver's",
};

/** What came beside the events that are accounted for. */
const STRAY_WORDS: Readonly<Record<StrayKind, string>> = {
  again: 'came about a state that was recorded twice, since the job was sent again',
  'unknown-job': 'came about a job that is not in the ledger',
  'unstable-state': 'came about a state that must not be published',
  'wrong-account': "came from another account than that of the receiver's webhook",
  unreadable: 'came that cannot be read',
};

/** The phases of a job's way. */
export const PHASE_WORDS: Readonly<Record<Phase, string>> = {
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

/** A result this many times the generator's own floor or less says little about the service. */
export const NEAR_FLOOR = 3;

/** Whether the quickest stream took about as long as the same traffic against a service that does nothing. */
export function isNearFloor({ self: { floor }, streams }: Pick<LoadRecord, 'self' | 'streams'>): boolean {
  const took = streams.filter(({ service }) => service.count > 0).map(({ service }) => service.p50Us);
  return floor !== null && took.length > 0 && Math.min(...took) < floor.responseP50Us * NEAR_FLOOR;
}

/** Whether it was stopped, or given up by a rule: its thresholds were then judged over a part of it. */
export function endedEarly({ ending }: Pick<LoadRecord, 'ending'>): boolean {
  return ending !== 'complete';
}

/** `100 = 96 delivered-once + 1 lost + 3 refused` */
export function sumInWords(total: number, counts: Readonly<Record<string, number>>): string {
  const occurred = Object.entries(counts).filter(([, count]) => count > 0);
  return `${total} = ${occurred.map(([name, count]) => `${count} ${name}`).join(' + ') || '0'}`;
}

/** Jobs whose fate is unknown: those of workers that were lost as the scenario declares. */
export function unknownJobsOf(losses: LoadRecord['losses'] = []): number {
  return losses.reduce((sum, { unknownJobs }) => sum + unknownJobs, 0);
}

/** `1 of up to 2 declared; 30 jobs unknown`. */
export function lossesInWords({ losses = [], plan }: Pick<LoadRecord, 'losses' | 'plan'>): string {
  const declared = plan.losses?.declared.reduce((sum, { workers }) => sum + workers, 0) ?? 0;
  return `${losses.length} of up to ${declared} declared; ${unknownJobsOf(losses)} jobs unknown`;
}

const DRIFT_WORDS: Readonly<Record<DriftMeasure, readonly [name: string, unit: string, size: number]>> = {
  response: ['the median response time', '%', 0.01],
  'service-memory': ["the service's memory", 'MB', 1e6],
  'generator-memory': ["the generator's memory", 'MB', 1e6],
};

/** What grows, or that nothing does. */
export function driftInWords({ confidence, trends }: DriftRecord): string {
  const sure = `${Math.round(confidence * 100)} % sure`;
  const growing = trends.filter(({ isDrift }) => isDrift);
  if (growing.length > 0) return `${growing.map(trendInWords).join('; ')} (${sure})`;
  const names = trends.map(({ what }) => DRIFT_WORDS[what][0]);
  return names.length === 0 ? 'could not be judged: the rate itself changed' : `none in ${names.join(', ')} (${sure})`;
}

function trendInWords({ what, perHour, low, high }: TrendRecord): string {
  const [name, unit, size] = DRIFT_WORDS[what];
  const [most, least, about] = [high, low, perHour].map((value) => (value / size).toFixed(1));
  return `${name} ${perHour < 0 ? 'changes' : 'grows'} by ${about} ${unit} an hour (${least} to ${most})`;
}
