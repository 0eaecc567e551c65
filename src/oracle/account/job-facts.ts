/**
 * Job facts: every job of a history with what was ever seen of it, collected before anything is judged. A delivery may
 * be seen before the answer to its submission.
 */

import { isObject, type JsonObject } from '../../common/json-value.ts';
import { REQUEST_HEADERS } from '../../specification/headers.ts';
import { LIMITS } from '../../specification/limits.ts';
import { Identities, idsOfSet, isGood, partsOf, records, type Findings } from './account-judge.ts';
import type { Observation, SeenDelivery, SeenExchange, SeenReport } from './observation.ts';

/** A delivery or report and its place among the observations. */
type Placed<Seen> = Seen & { readonly place: number };

/** A delivery, and since when it may have been on its way: what was sent to a computer asleep is read when it wakes. */
type Delivery = Placed<SeenDelivery> & { readonly sincePlace: number; readonly sinceMs: number };

export interface JobFacts {
  readonly id: number;
  readonly account: string;
  readonly printerId: number;
  /** The body of its submission. */
  readonly sent: JsonObject;
  readonly idempotencyKey: string | undefined;
  /** Submitted in an odd way, as by a form: which types its values had is for the service to find out. */
  readonly isOdd: boolean;
  readonly place: number;
  readonly sentMs: number;
  readonly acceptedMs: number;
  /** When it may expire at the earliest, and when it must have. */
  readonly expiresFromMs: number;
  readonly expiresUntilMs: number;
  readonly deliveries: Delivery[];
  readonly reports: Placed<SeenReport>[];
  /** Where the service said that it cancelled the job. */
  cancelledAt: number | undefined;
  /**
   * Where something happened to it whose consequences the specification does not show: its computer was deleted, or it
   * was cancelled after its time.
   */
  openSince: number;
}

export interface PrinterFacts {
  readonly id: number;
  readonly account: string;
  computerId: number;
  /** The names that it was ever listed under. */
  readonly names: Set<string>;
}

export interface Facts {
  readonly identities: Identities;
  /** Accounts that were made as Children of another one, by id. */
  readonly children: ReadonlyMap<string, string>;
  readonly jobs: ReadonlyMap<number, JobFacts>;
  /** By computer that was deleted: where. What happens after that to what belonged to it is not printed. */
  readonly deletedComputers: ReadonlyMap<number, number>;
  readonly printers: ReadonlyMap<number, PrinterFacts>;
  /** Printers as their computers reported them: computer → key → names. */
  readonly reported: ReadonlyMap<number, ReadonlyMap<string, ReadonlySet<string>>>;
}

/** A judge that goes by them. */
export abstract class FactJudge {
  protected readonly findings: Findings;
  protected readonly facts: Facts;

  constructor(findings: Findings, facts: Facts) {
    this.findings = findings;
    this.facts = facts;
  }
}

const DELETE_JOBS = /^\/(?:printers\/[^/]+\/)?printjobs(?:\/[^/]+)?$/;
const DELETE_COMPUTERS = /^\/computers(?:\/[^/]+)?$/;

export function collectFacts(history: readonly Observation[]): Facts {
  const collector = new Collector();
  for (const [place, observation] of history.entries()) collector.takeUp(observation, place);
  for (const [place, observation] of history.entries()) collector.follow(observation, place);
  return collector;
}

class Collector implements Facts {
  readonly identities = new Identities();
  readonly children = new Map<string, string>();
  readonly jobs = new Map<number, JobFacts>();
  readonly deletedComputers = new Map<number, number>();
  readonly printers = new Map<number, PrinterFacts>();
  readonly reported = new Map<number, Map<string, Set<string>>>();
  /** The reports that were followed, by kind, computer and id. */
  readonly #reports = new Set<string>();
  /** When computers fell asleep last, and the place at which they connected again. */
  readonly #asleep = new Map<number, { readonly place: number; readonly atMs: number; backPlace: number }>();

  /** What is there. */
  takeUp(observation: Observation, place: number): void {
    if (observation.kind === 'exchange') {
      this.identities.learn(observation);
      this.#takeExchange(observation, place);
    }
    if (observation.kind === 'printers-sent') {
      const keys = this.reported.get(observation.computerId) ?? new Map<string, Set<string>>();
      this.reported.set(observation.computerId, keys);
      for (const { key, name } of observation.printers) keys.set(key, (keys.get(key) ?? new Set()).add(name));
    }
  }

  /** What happened to it. */
  follow(observation: Observation, place: number): void {
    if (observation.kind === 'asleep') {
      const { computerId, atMs } = observation;
      this.#asleep.set(computerId, { place, atMs, backPlace: Infinity });
    }
    if (observation.kind === 'connected') {
      const asleep = this.#asleep.get(observation.computerId);
      if (asleep) asleep.backPlace = Math.min(asleep.backPlace, place);
    }
    if (observation.kind === 'delivered') this.#followDelivery(observation, place);
    if (observation.kind === 'report' || observation.kind === 'report-sent') this.#followReport(observation, place);
    if (observation.kind === 'exchange') this.#followDeletion(observation, place);
  }

  /** What another computer says of a job is not of the job; and what comes again under its id is recorded once. */
  #followReport(report: SeenReport, place: number): void {
    const { kind, computerId } = report;
    const job = this.jobs.get(report.report.jobId);
    const ownerId = job && this.printers.get(job.printerId)?.computerId;
    const name = JSON.stringify([kind, computerId, report.report.id]);
    if (!job || (ownerId ?? computerId) !== computerId || this.#reports.has(name)) return;
    this.#reports.add(name);
    job.reports.push({ ...report, place });
  }

  #followDelivery(delivery: SeenDelivery, place: number): void {
    const job = this.jobs.get(delivery.job.jobId);
    if (!job) return;
    const asleep = this.#asleep.get(delivery.computerId);
    const mayBeEarlier = asleep !== undefined && job.place < asleep.backPlace;
    const sincePlace = mayBeEarlier ? Math.max(asleep.place, job.place) : place;
    const sinceMs = mayBeEarlier ? Math.max(asleep.atMs, job.sentMs) : delivery.atMs;
    job.deliveries.push({ ...delivery, place, sincePlace, sinceMs });
  }

  #takeExchange(exchange: SeenExchange, place: number): void {
    const { method, path, status } = partsOf(exchange);
    if (method === 'POST' && path === '/printjobs' && status === 201) this.#takeJob(exchange, place);
    if (method === 'POST' && path === '/account' && isGood(status)) this.#takeChild(exchange);
    if (method !== 'GET' || !isGood(status)) return;
    for (const record of records(exchange.value)) {
      if (isObject(record['printer'])) this.#takePrinter(record['printer'], this.identities.accountOf(exchange));
      this.#takePrinter(record, this.identities.accountOf(exchange));
    }
  }

  #takeChild(exchange: SeenExchange): void {
    const { value } = exchange;
    const made = isObject(value) && isObject(value['Account']) ? value['Account'] : value;
    const id = isObject(made) ? made['id'] : made;
    if (typeof id === 'number') this.children.set(String(id), this.identities.accountOf(exchange));
  }

  #takeJob(exchange: SeenExchange, place: number): void {
    const { value, sent, sentMs, atMs } = exchange;
    if (typeof value !== 'number' || !isObject(sent) || this.jobs.has(value)) return;
    const seconds = numberOf(sent['expireAfter']);
    const keptMs = (seconds ?? LIMITS.expireAfterDefaultSeconds.value) * 1_000;
    this.jobs.set(value, {
      id: value,
      account: this.identities.accountOf(exchange),
      printerId: Number(sent['printerId']),
      sent,
      idempotencyKey: idempotencyKeyOf(exchange),
      isOdd: exchange.isOdd === true,
      place,
      sentMs,
      acceptedMs: atMs,
      expiresFromMs: sentMs + keptMs,
      expiresUntilMs: atMs + keptMs,
      deliveries: [],
      reports: [],
      cancelledAt: undefined,
      openSince: Infinity,
    });
  }

  #takePrinter(record: JsonObject, account: string): void {
    const { id, name, computer } = record;
    if (typeof id !== 'number' || typeof name !== 'string' || !isObject(computer)) return;
    const known = this.printers.get(id);
    const computerId = Number(computer['id']);
    if (known) known.names.add(name);
    else this.printers.set(id, { id, account, computerId, names: new Set([name]) });
  }

  #followDeletion(exchange: SeenExchange, place: number): void {
    const { method, path, status } = partsOf(exchange);
    if (method !== 'DELETE' || !isGood(status)) return;
    if (DELETE_JOBS.test(path)) for (const id of idsIn(exchange.value)) this.#cancel(id, exchange.atMs, place);
    if (DELETE_COMPUTERS.test(path)) this.#loseComputers(idsIn(exchange.value), place);
    if (path === '/account') this.#lose(({ account }) => account === this.identities.accountOf(exchange), place);
  }

  #cancel(id: number, atMs: number, place: number): void {
    const job = this.jobs.get(id);
    if (!job) return;
    // It may have expired before, and whether such a job can be cancelled is not printed.
    if (atMs >= job.expiresFromMs) job.openSince = Math.min(job.openSince, place);
    else job.cancelledAt ??= place;
  }

  #loseComputers(ids: readonly number[], place: number): void {
    for (const id of ids) if (!this.deletedComputers.has(id)) this.deletedComputers.set(id, place);
    this.#lose(({ printerId }) => ids.includes(this.printers.get(printerId)?.computerId ?? 0), place);
  }

  #lose(isLost: (job: JobFacts) => boolean, place: number): void {
    for (const job of this.jobs.values()) if (isLost(job)) job.openSince = Math.min(job.openSince, place);
  }
}

/** Whether the service has deleted it by then. */
export function isDeletedBy({ deletedComputers }: Facts, computerId: number, place: number): boolean {
  return (deletedComputers.get(computerId) ?? Infinity) <= place;
}

/** A number as it was meant: forms, and callers who know no types, send it as a string. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'string' && /^-?\d+$/.test(value)) return Number(value);
  return typeof value === 'number' ? value : undefined;
}

const IDEMPOTENCY_KEY = REQUEST_HEADERS.idempotencyKey.name.toLowerCase();

export function idempotencyKeyOf({ http }: SeenExchange): string | undefined {
  const given = http.request.headers.find(([name]) => name.toLowerCase() === IDEMPOTENCY_KEY)?.[1];
  return given === '' ? undefined : given;
}

function idsIn(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === 'number') : [];
}

/** The sets of a path of print jobs; undefined for one that is left out. */
export interface JobSets {
  readonly printerIds?: readonly number[] | undefined;
  readonly jobIds?: readonly number[] | undefined;
}

/** Undefined for a path that is not one of print jobs, or whose sets are not. */
export function setsIn(path: string): JobSets | undefined {
  const match = /^(?:\/printers\/([^/]+))?\/printjobs(?:\/(?!states)([^/]+))?(?:\/states)?$/.exec(path);
  if (!match) return undefined;
  const [, printerSet, jobSet] = match;
  const printerIds = printerSet === undefined ? undefined : idsOfSet(printerSet);
  const jobIds = jobSet === undefined ? undefined : idsOfSet(jobSet);
  const isSound = (printerSet === undefined || printerIds) && (jobSet === undefined || jobIds);
  return isSound ? { printerIds, jobIds } : undefined;
}

/** The jobs that a path of print jobs is about. */
export function jobsAt(path: string, account: string, jobs: Iterable<JobFacts>): readonly JobFacts[] | undefined {
  const sets = setsIn(path);
  if (!sets) return undefined;
  const { printerIds, jobIds } = sets;
  return [...jobs].filter(
    (job) =>
      job.account === account && (printerIds?.includes(job.printerId) ?? true) && (jobIds?.includes(job.id) ?? true),
  );
}

/** Whether it was over before, as far as the service knows: its computer's last word was acknowledged. */
export function endedBefore({ reports }: JobFacts, place: number): boolean {
  return reports.some(
    (one) => one.kind === 'report' && one.place < place && ['done', 'error'].includes(one.report.state),
  );
}
