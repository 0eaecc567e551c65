/**
 * Judge of print jobs: what is submitted, delivered, cancelled, and how it ends.
 *
 *   submit ─► accepted ─┬─► delivered, once, to its computer ─► reported
 *                       ├─► cancelled: never delivered
 *                       └─► expired at its time: never delivered
 */

import { ERRORS } from '../../spec/errors.ts';
import { DOCUMENT_AUTHENTICATION_INPUT, PRINT_JOB_INPUT } from '../../spec/inputs.ts';
import { LIMITS } from '../../spec/limits.ts';
import type { ClauseId } from '../../spec/clauses.ts';
import { isObject, isRefused, partsOf, TOO_MANY, type AccountJudge, type Findings } from './account-judge.ts';
import { endedBefore, idempotencyKeyOf, jobsAt, type Facts, type JobFacts } from './job-facts.ts';
import type { Presence } from './presence.ts';
import type { Observation, SeenDelivery, SeenExchange } from './observation.ts';

const KEY_MS = LIMITS.idempotencyHours.value * 3_600_000;
const AUTHENTICATION_TYPES: readonly unknown[] = DOCUMENT_AUTHENTICATION_INPUT.type.values;
const CONTENT_TYPES: readonly unknown[] = PRINT_JOB_INPUT.contentType.values;

interface Connection {
  readonly number: number;
  readonly holding: readonly number[];
  isAsleep: boolean;
  readonly got: Set<number>;
}

/** When a key was used, by the first job that was accepted with it. */
interface UsedKey {
  readonly fromMs: number;
  readonly untilMs: number;
}

export class JobJudge implements AccountJudge {
  readonly #findings: Findings;
  readonly #facts: Facts;
  readonly #keys = new Map<string, UsedKey>();
  /** The connections that are alive, by computer. */
  readonly #connections = new Map<number, Connection>();
  readonly #newest = new Map<string, number>();
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
    if (observation.kind === 'asleep' || observation.kind === 'awake') {
      const connection = this.#connections.get(observation.computerId);
      if (connection) connection.isAsleep = observation.kind === 'asleep';
    }
  }

  #seeExchange(exchange: SeenExchange, place: number): void {
    const { method, path, status } = partsOf(exchange);
    if (status === TOO_MANY || status === 401 || status === 403) return;
    if (method === 'POST' && path === '/printjobs') this.#judgeSubmission(exchange);
    if (method === 'DELETE') this.#judgeCancellation(exchange, place);
  }

  #judgeSubmission(exchange: SeenExchange): void {
    const { sent, value } = exchange;
    const { status, at } = partsOf(exchange);
    const wrong = this.#whatIsWrong(sent) ?? this.#whoseIsIt(exchange);
    if (wrong !== undefined) {
      if (!isRefused(status)) this.#findings.broke(wrong, `status of ${at}`, 'a refusal', String(status));
      return;
    }
    const key = this.#keyOf(exchange);
    const use = key === undefined ? 'free' : this.#useOf(exchange, key);
    const conflict = ERRORS.Conflict.status;
    if (use !== 'free-again' && key !== undefined && !this.#findings.circumstances.isWhole && status === conflict)
      return;
    if (use === 'used') {
      if (status !== conflict)
        this.#findings.broke('print-jobs/idempotency-conflict', `status of ${at}`, String(conflict), String(status));
      return;
    }
    if (status === conflict && (use === 'unsure' || this.#wasOvertaken(exchange))) return;
    if (status === 201) this.#judgeId(exchange, key);
    else if (this.#isSurelyValid(sent)) {
      const clause = acceptanceClause(use, key, sent);
      this.#findings.broke(clause, `status of ${at}`, '201', `${status} ${JSON.stringify(value)}`);
    }
  }

  #judgeId(exchange: SeenExchange, key: string | undefined): void {
    const { value, sentMs, atMs } = exchange;
    const { at } = partsOf(exchange);
    if (key !== undefined) this.#keys.set(key, { fromMs: sentMs, untilMs: atMs });
    if (typeof value !== 'number' || !Number.isInteger(value) || value <= 0) {
      return this.#findings.broke('print-jobs/created-id-integer', `body of ${at}`, 'an id', value);
    }
    const account = this.#facts.identities.accountOf(exchange);
    const newest = this.#newest.get(account) ?? 0;
    // Submissions at the same time may be answered in another order.
    const isAfter = [...this.#facts.jobs.values()].every(
      (job) => job.id === value || job.account !== account || job.acceptedMs >= sentMs || job.id < value,
    );
    if (!isAfter)
      this.#findings.broke('print-jobs/created-id-grows', `body of ${at}`, `more than ${newest}`, value, value);
    this.#newest.set(account, Math.max(newest, value));
  }

  #whoseIsIt(exchange: SeenExchange): ClauseId | undefined {
    const { sent } = exchange;
    const printer = isObject(sent) ? this.#facts.printers.get(Number(sent['printerId'])) : undefined;
    const account = this.#facts.identities.accountOf(exchange);
    if (!printer || account === '' || printer.account === account) return undefined;
    return 'print-jobs/printer-id-foreign-refused';
  }

  /** The clause by which a submission must be refused. */
  #whatIsWrong(sent: unknown): ClauseId | undefined {
    if (!isObject(sent)) return undefined;
    const { printerId, contentType, content, qty } = sent;
    if (printerId === undefined && sent['printer'] === undefined) return 'print-jobs/printer-id-missing-refused';
    if (contentType === undefined) return 'print-jobs/content-type-missing-refused';
    if (content === undefined) return 'print-jobs/content-missing-refused';
    if (typeof contentType === 'string' && !CONTENT_TYPES.includes(contentType))
      return 'print-jobs/content-type-other-refused';
    if (qty === 0) return 'print-jobs/qty-zero-refused';
    if (typeof qty === 'number' && qty < 0) return 'print-jobs/qty-negative-refused';
    if (typeof printerId === 'number' && printerId >= UNKNOWN_FROM) return 'print-jobs/printer-id-unknown-refused';
    return whatIsWrongWith(sent['authentication']);
  }

  #isSurelyValid(sent: unknown): boolean {
    if (!isObject(sent)) return false;
    const { printerId, content, contentType, options, qty, expireAfter, authentication, ...rest } = sent;
    const printer = this.#facts.printers.get(Number(printerId));
    return (
      printer !== undefined &&
      this.#isReported(printer.computerId, printer.names) &&
      typeof content === 'string' &&
      CONTENT_TYPES.includes(contentType) &&
      // What a printer cannot do, and what no one knows, may be refused.
      (options === undefined || options === null || (isObject(options) && Object.keys(options).length === 0)) &&
      (qty === undefined || (Number.isInteger(qty) && Number(qty) > 0)) &&
      (expireAfter === undefined || (Number.isInteger(expireAfter) && Number(expireAfter) > 0)) &&
      (authentication === undefined || isObject(authentication)) &&
      Object.entries(rest).every(([name, text]) => ['title', 'source'].includes(name) && typeof text === 'string')
    );
  }

  /** Whether it is among the printers that its computer has, as far as its last report says. */
  #isReported(computerId: number, names: ReadonlySet<string>): boolean {
    const present = this.#present.get(computerId);
    return present !== undefined && [...names].some((name) => present.has(name));
  }

  readonly #present = new Map<number, ReadonlySet<string>>();

  /** Told by the judge of lists, which follows what computers have. */
  printersOf(computerId: number, names: ReadonlySet<string>): void {
    this.#present.set(computerId, names);
  }

  /** The scope of keys is not shown; that of an account is the narrowest. */
  #keyOf(exchange: SeenExchange): string | undefined {
    const given = idempotencyKeyOf(exchange);
    return given === undefined ? undefined : `${this.#facts.identities.accountOf(exchange)} ${given}`;
  }

  #useOf({ sentMs, atMs }: SeenExchange, key: string): 'free' | 'used' | 'unsure' | 'free-again' {
    const used = this.#keys.get(key);
    if (!used) return 'free';
    if (atMs < used.fromMs + KEY_MS) return 'used';
    return sentMs > used.untilMs + KEY_MS ? 'free-again' : 'unsure';
  }

  /** Of submissions at the same time, the one that was accepted may be answered after those that were refused. */
  #wasOvertaken(exchange: SeenExchange): boolean {
    const key = idempotencyKeyOf(exchange);
    const account = this.#facts.identities.accountOf(exchange);
    return [...this.#facts.jobs.values()].some(
      (job) =>
        job.idempotencyKey === key &&
        key !== undefined &&
        job.account === account &&
        job.sentMs <= exchange.atMs &&
        job.acceptedMs >= exchange.sentMs,
    );
  }

  #judgeCancellation(exchange: SeenExchange, place: number): void {
    const { path, at, status } = partsOf(exchange);
    if (!/^\/(printers\/[^/]*\/)?printjobs(\/|$)/.test(path)) return;
    const named = jobsAt(path, this.#facts.identities.accountOf(exchange), this.#facts.jobs.values());
    if (!named) return;
    const { value } = exchange;
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
    const others = value.filter((id) => typeof id === 'number' && !ids.has(id) && this.#facts.jobs.has(id));
    if (others.length > 0)
      this.#findings.broke('print-jobs/delete-leaves-others', `ids of ${at}`, 'only jobs that it names', others);
  }

  #judgeCancelled(job: JobFacts, isNamed: boolean, { sentMs, atMs }: SeenExchange, place: number): void {
    if (job.place > place || job.openSince < place) return;
    const at = `job ${job.id} of the cancellation`;
    const wasDelivered = job.deliveries.some((one) => one.place < place);
    const wasCancelled = job.cancelledAt !== undefined && job.cancelledAt < place;
    const hasExpired = !wasDelivered && sentMs > job.expiresUntilMs;
    const broke = this.#findings.broke.bind(this.#findings);
    if (isNamed) {
      if (endedBefore(job, place)) broke('print-jobs/delete-completed-not-cancelled', at, 'not cancelled', 'cancelled');
      else if (wasDelivered)
        broke('print-jobs/delete-delivered-not-cancelled', at, 'not cancelled', 'cancelled', job.id);
      if (hasExpired) broke('print-jobs/delete-expired-not-cancelled', at, 'not cancelled', 'cancelled', job.id);
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
    unlike('print-jobs/options-untouched-by-service', at('options'), sent['options'] ?? {}, got.options, id);
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

/** The clause by which credentials of a document must be refused. */
function whatIsWrongWith(authentication: unknown): ClauseId | undefined {
  if (!isObject(authentication)) return undefined;
  const { type, credentials } = authentication;
  if (!AUTHENTICATION_TYPES.includes(type)) return 'print-jobs/document-authentication-type';
  const isWhole =
    isObject(credentials) && typeof credentials['user'] === 'string' && typeof credentials['pass'] === 'string';
  return isWhole ? undefined : 'print-jobs/document-authentication-credentials';
}

/** Ids from here on belong to no printer: scenarios use them for that. */
const UNKNOWN_FROM = 900_000_000;

function acceptanceClause(use: string, key: string | undefined, sent: unknown): ClauseId {
  if (use === 'free-again') return 'limits/idempotency-reuse';
  if (key !== undefined) return 'print-jobs/idempotency-first-accepted';
  const type = isObject(sent) ? sent['contentType'] : undefined;
  return type === 'pdf_uri' ? 'print-jobs/content-type-pdf-uri' : 'print-jobs/created-201';
}

function isSameContent(sent: unknown, { content, contentType }: SeenDelivery['job']): boolean {
  if (typeof sent !== 'string' || sent === content) return true;
  if (!contentType.endsWith('_base64')) return false;
  return Buffer.compare(Buffer.from(sent, 'base64'), Buffer.from(content, 'base64')) === 0;
}
