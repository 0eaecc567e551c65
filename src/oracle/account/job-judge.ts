/**
 * Judge of print jobs once they are accepted: what is delivered, cancelled, and how it ends.
 *
 *   submit ─► accepted ─┬─► delivered, once, to its computer ─► reported
 *                       ├─► cancelled: never delivered
 *                       └─► expired at its time: never delivered
 */

import { showValue } from '../../common/json-value.ts';
import { LIMITS } from '../../specification/limits.ts';
import { isRefused, partsOf, TOO_MANY, type AccountJudge, type Findings } from './account-judge.ts';
import {
  FactJudge,
  endedBefore,
  isDeletedBy,
  numberOf,
  jobsAt,
  setsIn,
  type Facts,
  type JobFacts,
  type JobSets,
} from './job-facts.ts';
import type { Presence } from './presence.ts';
import type { Observation, SeenDelivery, SeenExchange } from './observation.ts';

interface Connection {
  readonly number: number;
  readonly holding: readonly number[];
  isAsleep: boolean;
  readonly got: Set<number>;
}

export class JobJudge extends FactJudge implements AccountJudge {
  /** The connections that are alive, by computer. */
  readonly #connections = new Map<number, Connection>();
  readonly #newestDelivered = new Map<number, number>();
  /** Jobs that are not accepted yet, the next one last; and those that are, and of which nothing has become yet. */
  readonly #toCome: JobFacts[];
  readonly #waiting = new Set<JobFacts>();

  readonly #presence: Presence;

  constructor(findings: Findings, facts: Facts, presence: Presence) {
    super(findings, facts);
    this.#presence = presence;
    this.#toCome = [...facts.jobs.values()].toSorted((one, other) => other.place - one.place);
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
    const named = jobsAt(path, this.facts.identities.accountOf(exchange), this.facts.jobs.values());
    if (!named) return;
    const { value } = exchange;
    // What a set does that names something else as well is open.
    if (isRefused(status) && this.#namesMore(setsIn(path), named, place)) return;
    const isList = status === 200 && Array.isArray(value);
    const actual = `${status} ${showValue(value)}`;
    this.findings.hold('print-jobs/delete-200-ids', at, isList, '200 and an array of ids', actual);
    if (!isList) return;
    for (const job of named) this.#judgeCancelled(job, value.includes(job.id), exchange, place);
    const ids = new Set(named.map(({ id }) => id));
    const others = value.filter((id) => !ids.has(id) && this.facts.jobs.has(id));
    this.findings.hold(
      'print-jobs/delete-leaves-others',
      `ids of ${at}`,
      others.length === 0,
      'only jobs that it names',
      others,
    );
  }

  /** Whether a path names jobs, or printers, that the account does not have. */
  #namesMore({ printerIds = [], jobIds = [] }: JobSets = {}, named: readonly JobFacts[], place: number): boolean {
    const hasPrinter = (id: number): boolean => {
      const printer = this.facts.printers.get(id);
      return printer !== undefined && !isDeletedBy(this.facts, printer.computerId, place);
    };
    return jobIds.length > named.length || !printerIds.every(hasPrinter);
  }

  #judgeCancelled(job: JobFacts, isNamed: boolean, { atMs }: SeenExchange, place: number): void {
    if (job.place > place || job.openSince < place) return;
    const at = `job ${job.id} of the cancellation`;
    const wasDelivered = job.deliveries.some((one) => one.place < place);
    const wasCancelled = job.cancelledAt !== undefined && job.cancelledAt < place;
    const hold = this.findings.hold.bind(this.findings);
    if (isNamed) {
      if (hold('print-jobs/delete-completed-not-cancelled', at, !endedBefore(job, place), 'not cancelled', 'cancelled'))
        hold('print-jobs/delete-delivered-not-cancelled', at, !wasDelivered, 'not cancelled', 'cancelled', job.id);
      hold('print-jobs/delete-200-ids', at, !wasCancelled, 'cancelled before', 'cancelled again', job.id);
      return;
    }
    const mayBeOver = wasDelivered || wasCancelled || atMs >= job.expiresFromMs || this.#mayBeOnItsWay(job);
    hold('print-jobs/delete-200-ids', at, mayBeOver, 'cancelled', 'not cancelled', job.id);
  }

  #mayBeOnItsWay({ printerId, place }: JobFacts): boolean {
    const { isLinkDisturbed } = this.findings.circumstances;
    return isLinkDisturbed || this.#presence.mayHaveGot(this.facts.printers.get(printerId)?.computerId, place);
  }

  #judgeDelivery(delivery: SeenDelivery, place: number): void {
    const { job: got, computerId } = delivery;
    const job = this.facts.jobs.get(got.jobId);
    const connection = this.#connections.get(computerId);
    const at = `job ${got.jobId} at computer ${computerId}`;
    if (this.findings.circumstances.isWhole)
      this.findings.hold(
        'print-jobs/refused-leaves-nothing',
        at,
        job !== undefined,
        'a job that was accepted',
        'a delivery',
      );
    if (!job) return;
    this.#judgeContent(job, delivery);
    if (this.findings.circumstances.isLinkDisturbed) return;
    this.findings.hold(
      'print-jobs/cancelled-not-delivered',
      at,
      job.cancelledAt === undefined,
      'no delivery',
      'a delivery',
      job.id,
    );
    const [first] = job.deliveries;
    const isFirst = first?.place === place;
    // What was sent before and got lost with its connection is sent again, whenever that is.
    const mayBeRepeated = this.#presence.mayHaveGot(computerId, job.place, { ms: job.expiresUntilMs });
    if (isFirst && !mayBeRepeated) {
      const isInTime = first.sinceMs <= job.expiresUntilMs;
      this.findings.hold('print-jobs/expired-not-delivered', at, isInTime, 'no delivery', 'a delivery', job.id);
    }
    this.#judgeRepetition(job, connection, isFirst, { at, place, computerId });
  }

  #judgeRepetition(
    job: JobFacts,
    connection: Connection | undefined,
    isFirst: boolean,
    { at, place, computerId }: { readonly at: string; readonly place: number; readonly computerId: number },
  ): void {
    const hold = (isKept: boolean, actual: string): boolean =>
      this.findings.hold('print-jobs/delivered-once', at, isKept, 'one delivery', actual, job.id);
    if (hold(!connection?.got.has(job.id), 'the same job twice on one connection'))
      if (hold(!endedBefore(job, place), 'a delivery after its end was acknowledged'))
        hold(!connection?.holding.includes(job.id), 'a delivery of what the computer said it holds');
    connection?.got.add(job.id);
    if (!isFirst) return;
    const newest = this.#newestDelivered.get(computerId) ?? 0;
    this.findings.hold(
      'print-jobs/delivered-in-order',
      at,
      job.id >= newest,
      'before its successors',
      `after job ${newest}`,
      job.id,
    );
    this.#newestDelivered.set(computerId, Math.max(newest, job.id));
  }

  /** What the computer got is what the caller sent. */
  #judgeContent(job: JobFacts, { job: got, computerId }: SeenDelivery): void {
    const { sent, id } = job;
    const at = (field: string): string => `${field} of job ${id} at its computer`;
    const alike = this.findings.alike.bind(this.findings);
    alike('print-jobs/body-content-type', at('contentType'), sent['contentType'], got.contentType, id);
    this.findings.hold(
      'print-jobs/content-bytes-unharmed',
      at('content'),
      isSameContent(sent['content'], got),
      'what was sent',
      'something else',
      id,
    );
    if (sent['title'] !== undefined) alike('print-jobs/body-title', at('title'), sent['title'], got.title, id);
    if (sent['source'] !== undefined) alike('print-jobs/body-source', at('source'), sent['source'], got.source, id);
    alike('print-jobs/qty-passed-on', at('qty'), numberOf(sent['qty']) ?? LIMITS.qtyDefault.value, got.qty, id);
    // They have no effect on RAW printing, so a service may leave them out there.
    const needsOptions = !String(sent['contentType']).startsWith('raw_') || Object.keys(got.options).length > 0;
    const options = sent['options'] ?? {};
    if (needsOptions && !job.isOdd)
      alike('print-jobs/options-untouched-by-service', at('options'), options, got.options, id);
    alike(
      'print-jobs/authentication-passed-on',
      at('authentication'),
      sent['authentication'] ?? null,
      got.authentication ?? null,
      id,
    );
    const printer = this.facts.printers.get(job.printerId);
    if (!printer) return;
    alike('print-jobs/delivered-to-its-computer', `computer of job ${id}`, printer.computerId, computerId, id);
    const names = this.facts.reported.get(computerId)?.get(got.printerKey) ?? [];
    if (printer.computerId === computerId)
      this.findings.hold(
        'print-jobs/body-printer-id',
        at('printerKey'),
        [...names].some((name) => printer.names.has(name)),
        [...printer.names].join(),
        [...names],
        id,
      );
  }

  /** The jobs that were accepted until then wait for what becomes of them. */
  #takeUp(place: number): void {
    for (let next = this.#toCome.at(-1); next && next.place <= place; next = this.#toCome.at(-1)) {
      this.#waiting.add(next);
      this.#toCome.pop();
    }
  }

  /** Everything in progress has finished: what could be delivered has been. */
  #judgeQuiet(atMs: number, place: number): void {
    if (this.findings.circumstances.isLinkDisturbed) return;
    this.#takeUp(place);
    for (const job of this.#waiting) {
      const computerId = this.facts.printers.get(job.printerId)?.computerId ?? 0;
      const connection = this.#connections.get(computerId);
      if (this.findings.circumstances.idle?.has(computerId)) continue;
      const isOver = (job.cancelledAt ?? Infinity) < place || job.openSince < place || atMs >= job.expiresFromMs;
      const isDelivered = job.deliveries.some((one) => one.place < place);
      // A large document may be on its way although nothing else is.
      const isDue = connection !== undefined && !connection.isAsleep && !isLarge(job);
      if (!isOver && !isDelivered && !isDue) continue;
      this.#waiting.delete(job);
      if (isOver && !isDelivered) continue;
      const wasAway = connection !== undefined && job.place < connection.number;
      const clause = wasAway ? 'print-jobs/sent-on-reconnect' : 'print-jobs/delivered';
      const at = `job ${job.id} at computer ${computerId}`;
      this.findings.hold(clause, at, isDelivered, 'a delivery', 'none, while it is connected', job.id);
    }
  }
}

/** In characters. */
const LARGE_DOCUMENT = 1_000_000;

function isLarge({ sent: { content } }: JobFacts): boolean {
  return typeof content === 'string' && content.length > LARGE_DOCUMENT;
}

function isSameContent(sent: unknown, { content, contentType }: SeenDelivery['job']): boolean {
  if (typeof sent !== 'string' || sent === content) return true;
  if (!contentType.endsWith('_base64')) return false;
  return Buffer.compare(Buffer.from(sent, 'base64'), Buffer.from(content, 'base64')) === 0;
}
