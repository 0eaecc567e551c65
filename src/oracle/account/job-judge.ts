/**
 * Judge of print jobs once they are accepted: what is delivered, cancelled, and how it ends.
 *
 *   submit ─► accepted ─┬─► delivered, once, to its computer ─► reported
 *                       ├─► cancelled: never delivered
 *                       └─► expired at its time: never delivered
 */

import { LIMITS } from '../../spec/limits.ts';
import { isRefused, partsOf, TOO_MANY, type AccountJudge, type Findings } from './account-judge.ts';
import { endedBefore, jobsAt, setsIn, type Facts, type JobFacts, type JobSets } from './job-facts.ts';
import type { Presence } from './presence.ts';
import type { Observation, SeenDelivery, SeenExchange } from './observation.ts';

interface Connection {
  readonly number: number;
  readonly holding: readonly number[];
  isAsleep: boolean;
  readonly got: Set<number>;
}

export class JobJudge implements AccountJudge {
  readonly #findings: Findings;
  readonly #facts: Facts;
  /** The connections that are alive, by computer. */
  readonly #connections = new Map<number, Connection>();
  readonly #newestDelivered = new Map<number, number>();
  readonly #missed = new Set<number>();
  readonly #presence: Presence;

  constructor(findings: Findings, facts: Facts, presence: Presence) {
    this.#findings = findings;
    this.#facts = facts;
    this.#presence = presence;
  }

  see(observation: Observation, place: number): void {
    if (observation.kind === 'exchange') this.#seeExchange(observation, place);
    if (observation.kind === 'delivered') this.#judgeDelivery(observation, place);
    if (observation.kind === 'quiet') this.#judgeQuiet(observation.atMs, place);
    if (observation.kind === 'connected') {
      const { computerId, holding } = observation;
      this.#connections.set(computerId, { number: place, holding, isAsleep: false, got: new Set() });
      this.#newestDelivered.delete(computerId);
    }
    if (observation.kind === 'gone') this.#connections.delete(observation.computerId);
    if (observation.kind === 'restarted') this.#connections.clear();
    if (observation.kind === 'asleep' || observation.kind === 'awake') {
      const connection = this.#connections.get(observation.computerId);
      if (connection) connection.isAsleep = observation.kind === 'asleep';
    }
  }

  #seeExchange(exchange: SeenExchange, place: number): void {
    const { method, status } = partsOf(exchange);
    if (status === TOO_MANY || status === 401 || status === 403) return;
    if (method === 'DELETE') this.#judgeCancellation(exchange, place);
  }

  #judgeCancellation(exchange: SeenExchange, place: number): void {
    const { path, at, status } = partsOf(exchange);
    const named = jobsAt(path, this.#facts.identities.accountOf(exchange), this.#facts.jobs.values());
    if (!named) return;
    const { value } = exchange;
    // What a set does that names something else as well is open.
    if (isRefused(status) && this.#namesMore(setsIn(path), named)) return;
    if (status !== 200 || !Array.isArray(value)) {
      return this.#findings.broke(
        'print-jobs/delete-200-ids',
        at,
        '200 and an array of ids',
        `${status} ${JSON.stringify(value)}`,
      );
    }
    for (const job of named) this.#judgeCancelled(job, value.includes(job.id), exchange, place);
    const ids = new Set(named.map(({ id }) => id));
    const others = value.filter((id) => !ids.has(id) && this.#facts.jobs.has(id));
    if (others.length > 0)
      this.#findings.broke('print-jobs/delete-leaves-others', `ids of ${at}`, 'only jobs that it names', others);
  }

  /** Whether a path names jobs, or printers, that the account does not have. */
  #namesMore({ printerIds = [], jobIds = [] }: JobSets = {}, named: readonly JobFacts[]): boolean {
    const hasPrinter = (id: number): boolean => {
      const printer = this.#facts.printers.get(id);
      return printer !== undefined && !this.#facts.deletedComputers.has(printer.computerId);
    };
    return jobIds.length > named.length || !printerIds.every(hasPrinter);
  }

  #judgeCancelled(job: JobFacts, isNamed: boolean, { atMs }: SeenExchange, place: number): void {
    if (job.place > place || job.openSince < place) return;
    const at = `job ${job.id} of the cancellation`;
    const wasDelivered = job.deliveries.some((one) => one.place < place);
    const wasCancelled = job.cancelledAt !== undefined && job.cancelledAt < place;
    const broke = this.#findings.broke.bind(this.#findings);
    if (isNamed) {
      if (endedBefore(job, place)) broke('print-jobs/delete-completed-not-cancelled', at, 'not cancelled', 'cancelled');
      else if (wasDelivered)
        broke('print-jobs/delete-delivered-not-cancelled', at, 'not cancelled', 'cancelled', job.id);
      if (wasCancelled) broke('print-jobs/delete-200-ids', at, 'cancelled before', 'cancelled again', job.id);
      return;
    }
    const mayBeOver = wasDelivered || wasCancelled || atMs >= job.expiresFromMs || this.#mayBeOnItsWay(job);
    if (!mayBeOver) broke('print-jobs/delete-200-ids', at, 'cancelled', 'not cancelled', job.id);
  }

  #mayBeOnItsWay({ printerId, place }: JobFacts): boolean {
    const { isLinkDisturbed } = this.#findings.circumstances;
    return isLinkDisturbed || this.#presence.mayHaveGot(this.#facts.printers.get(printerId)?.computerId, place);
  }

  #judgeDelivery(delivery: SeenDelivery, place: number): void {
    const { job: got, computerId } = delivery;
    const job = this.#facts.jobs.get(got.jobId);
    const connection = this.#connections.get(computerId);
    const at = `job ${got.jobId} at computer ${computerId}`;
    if (!job) {
      if (this.#findings.circumstances.isWhole)
        this.#findings.broke('print-jobs/refused-leaves-nothing', at, 'a job that was accepted', 'a delivery');
      return;
    }
    this.#judgeContent(job, delivery);
    if (this.#findings.circumstances.isLinkDisturbed) return;
    if (job.cancelledAt !== undefined) {
      this.#findings.broke('print-jobs/cancelled-not-delivered', at, 'no delivery', 'a delivery', job.id);
    }
    const [first] = job.deliveries;
    const isFirst = first?.place === place;
    // What was sent before and got lost with its connection is sent again, whenever that is.
    const mayBeRepeated = this.#presence.mayHaveGot(computerId, job.place, { ms: job.expiresUntilMs });
    if (isFirst && first.sinceMs > job.expiresUntilMs && !mayBeRepeated)
      this.#findings.broke('print-jobs/expired-not-delivered', at, 'no delivery', 'a delivery', job.id);
    this.#judgeRepetition(job, connection, isFirst, { at, place, computerId });
  }

  #judgeRepetition(
    job: JobFacts,
    connection: Connection | undefined,
    isFirst: boolean,
    { at, place, computerId }: { readonly at: string; readonly place: number; readonly computerId: number },
  ): void {
    const broke = (actual: string): void =>
      this.#findings.broke('print-jobs/delivered-once', at, 'one delivery', actual, job.id);
    if (connection?.got.has(job.id)) broke('the same job twice on one connection');
    else if (endedBefore(job, place)) broke('a delivery after its end was acknowledged');
    else if (connection?.holding.includes(job.id)) broke('a delivery of what the computer said it holds');
    connection?.got.add(job.id);
    if (!isFirst) return;
    const newest = this.#newestDelivered.get(computerId) ?? 0;
    if (job.id < newest)
      this.#findings.broke('print-jobs/delivered-in-order', at, 'before its successors', `after job ${newest}`, job.id);
    this.#newestDelivered.set(computerId, Math.max(newest, job.id));
  }

  /** What the computer got is what the caller sent. */
  #judgeContent(job: JobFacts, { job: got, computerId }: SeenDelivery): void {
    const { sent, id } = job;
    const at = (field: string): string => `${field} of job ${id} at its computer`;
    const unlike = this.#findings.unlike.bind(this.#findings);
    unlike('print-jobs/body-content-type', at('contentType'), sent['contentType'], got.contentType, id);
    if (!isSameContent(sent['content'], got))
      this.#findings.broke('print-jobs/content-bytes-unharmed', at('content'), 'what was sent', 'something else', id);
    if (sent['title'] !== undefined) unlike('print-jobs/body-title', at('title'), sent['title'], got.title, id);
    if (sent['source'] !== undefined) unlike('print-jobs/body-source', at('source'), sent['source'], got.source, id);
    unlike('print-jobs/qty-passed-on', at('qty'), sent['qty'] ?? LIMITS.qtyDefault.value, got.qty, id);
    // They have no effect on RAW printing, so a service may leave them out there.
    const needsOptions = !String(sent['contentType']).startsWith('raw_') || Object.keys(got.options).length > 0;
    const options = sent['options'] ?? {};
    if (needsOptions) unlike('print-jobs/options-untouched-by-service', at('options'), options, got.options, id);
    unlike(
      'print-jobs/authentication-passed-on',
      at('authentication'),
      sent['authentication'] ?? null,
      got.authentication ?? null,
      id,
    );
    const printer = this.#facts.printers.get(job.printerId);
    if (!printer) return;
    unlike('print-jobs/delivered-to-its-computer', `computer of job ${id}`, printer.computerId, computerId, id);
    const names = this.#facts.reported.get(computerId)?.get(got.printerKey) ?? [];
    if (printer.computerId === computerId && ![...names].some((name) => printer.names.has(name)))
      this.#findings.broke('print-jobs/body-printer-id', at('printerKey'), [...printer.names].join(), [...names], id);
  }

  /** Everything in progress has finished: what could be delivered has been. */
  #judgeQuiet(atMs: number, place: number): void {
    if (this.#findings.circumstances.isLinkDisturbed) return;
    for (const job of this.#facts.jobs.values()) {
      const computerId = this.#facts.printers.get(job.printerId)?.computerId ?? 0;
      const connection = this.#connections.get(computerId);
      if (!connection || connection.isAsleep || job.place > place || this.#missed.has(job.id)) continue;
      const isOver = (job.cancelledAt ?? Infinity) < place || job.openSince < place || atMs >= job.expiresFromMs;
      if (isOver || job.deliveries.some((one) => one.place < place)) continue;
      this.#missed.add(job.id);
      const clause = job.place < connection.number ? 'print-jobs/sent-on-reconnect' : 'print-jobs/delivered';
      const at = `job ${job.id} at computer ${computerId}`;
      this.#findings.broke(clause, at, 'a delivery', 'none, while it is connected', job.id);
    }
  }
}

function isSameContent(sent: unknown, { content, contentType }: SeenDelivery['job']): boolean {
  if (typeof sent !== 'string' || sent === content) return true;
  if (!contentType.endsWith('_base64')) return false;
  return Buffer.compare(Buffer.from(sent, 'base64'), Buffer.from(content, 'base64')) === 0;
}
