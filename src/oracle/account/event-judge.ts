/**
 * Judge of events: each one that is owed to a webhook comes, in time, once, and once more after a failed request.
 *
 *   what happened (a state was recorded, a computer came or went)
 *     ─► which webhooks had to hear of it ─► requests that carried it ─► in time? too often? never?
 */

import { LIMITS } from '../../spec/limits.ts';
import type { ClauseId } from '../../spec/clauses.ts';
import { STATISTICS, type Statistic } from '../../spec/fields.ts';
import { STABLE_PRINT_JOB_STATES } from '../../spec/states.ts';
import { isObject, partsOf, records, type AccountJudge, type Findings } from './account-judge.ts';
import { EVENT_TYPES, type Hook, type HookSettings } from './hook-settings.ts';
import type { Facts, JobFacts } from './job-facts.ts';
import type { JsonObject, Observation, SeenExchange, SeenWebhookRequest } from './observation.ts';

const DELAY_MS = LIMITS.webhookRetryDelaySeconds.value * 1_000;
const MOST_REQUESTS = 1 + LIMITS.webhookRetries.value;
const SLACK_MS = 2_000;

/** Something that a webhook hears of. */
interface Occurrence {
  readonly type: (typeof EVENT_TYPES)[number];
  readonly account: string;
  /** Names it in events: the job and its state, or the computer. */
  readonly subject: string;
  readonly fromPlace: number;
  readonly toPlace: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether it happened for sure. */
  readonly isSure: boolean;
}

/** An event as a receiver got it, with all requests that carried it. */
interface Received {
  readonly event: JsonObject;
  readonly subject: string;
  readonly requests: SeenWebhookRequest[];
}

export class EventJudge implements AccountJudge {
  readonly #findings: Findings;
  readonly #facts: Facts;
  readonly #settings: HookSettings;
  readonly #requests: SeenWebhookRequest[] = [];
  readonly #occurrences: Occurrence[] = [];
  readonly #accounts = new Map<number, string>();
  readonly #sentAt = new Map<string, { readonly place: number; readonly atMs: number }>();
  /** Accounts that were suspended: what their computers do meanwhile is not shown. */
  readonly #unsettled = new Set<string>();
  #lastList: SeenExchange | undefined;
  #endMs = 0;
  #endPlace = 0;

  constructor(findings: Findings, facts: Facts, settings: HookSettings) {
    this.#findings = findings;
    this.#facts = facts;
    this.#settings = settings;
  }

  see(observation: Observation, place: number): void {
    if (observation.kind === 'webhook') this.#requests.push(observation);
    if (observation.kind === 'exchange') this.#seeExchange(observation);
    if (observation.kind === 'connected') {
      const { computerId, apiKey, sentMs, atMs } = observation;
      this.#accounts.set(computerId, this.#facts.identities.accountOfKey(apiKey) ?? '');
      this.#addComputer(computerId, { place, fromMs: sentMs, toMs: atMs });
    }
    if (observation.kind === 'gone')
      this.#addComputer(observation.computerId, { place, fromMs: observation.atMs, toMs: observation.atMs });
    if (observation.kind === 'report-sent') this.#seeReport(observation.report.id, place, observation.atMs);
    if (observation.kind !== 'quiet') return;
    this.#endMs = observation.atMs;
    this.#endPlace = place;
  }

  /** A report is sent once more where its acknowledgement was lost; the service may have had it before. */
  #seeReport(id: string, place: number, atMs: number): void {
    if (!this.#sentAt.has(id)) this.#sentAt.set(id, { place, atMs });
  }

  #seeExchange(exchange: SeenExchange): void {
    const { method, path } = partsOf(exchange);
    if (method === 'GET' && path === '/webhooks') this.#lastList = exchange;
    if (exchange.sent === 'suspended') this.#unsettled.add(this.#facts.identities.accountOf(exchange));
  }

  end(): void {
    for (const job of this.#facts.jobs.values()) this.#addJob(job);
    for (const hook of this.#settings.hooks.values()) this.#judgeHook(hook);
  }

  #addComputer(
    computerId: number,
    { place, fromMs, toMs }: { readonly place: number; readonly fromMs: number; readonly toMs: number },
  ): void {
    const account = this.#accounts.get(computerId) ?? '';
    const when = { fromPlace: place, toPlace: place, fromMs, toMs };
    // How many events a connection that ends unnoticed makes, and when, is for the service to find out.
    const { isLinkDisturbed, isVirtual } = this.#findings.circumstances;
    const isSure = !isLinkDisturbed && isVirtual && !this.#facts.deletedComputers.has(computerId);
    this.#occurrences.push({ type: 'computer state', account, subject: `computer ${computerId}`, ...when, isSure });
  }

  #addJob(job: JobFacts): void {
    const add = (state: string, when: Omit<Occurrence, 'type' | 'account' | 'subject'>): void => {
      this.#occurrences.push({
        type: 'print job state',
        account: job.account,
        subject: subjectOf(job.id, state),
        ...when,
      });
    };
    const { place, sentMs, acceptedMs, deliveries, reports, expiresFromMs, expiresUntilMs } = job;
    add('new', { fromPlace: place, toPlace: place, fromMs: sentMs, toMs: acceptedMs, isSure: true });
    for (const one of deliveries) {
      const when = { fromPlace: one.sincePlace, toPlace: one.place, fromMs: sentMs, toMs: one.atMs };
      add('sent_to_client', { ...when, isSure: one === deliveries[0] });
    }
    for (const [id, all] of Map.groupBy(reports, ({ report }) => report.id)) {
      const sent = this.#sentAt.get(id);
      const [{ report } = { report: { state: '' } }] = all;
      if (!Object.hasOwn(STABLE_PRINT_JOB_STATES, report.state)) continue;
      // A report may have been taken although its acknowledgement was lost.
      const known = all.find(({ kind }) => kind === 'report');
      const until = known ? { toPlace: known.place, toMs: known.atMs } : { toPlace: Infinity, toMs: Infinity };
      const from = { fromPlace: sent?.place ?? place, fromMs: sent?.atMs ?? sentMs };
      add(report.state, { ...from, ...until, isSure: known !== undefined });
    }
    const mayExpire = deliveries.length === 0 && job.cancelledAt === undefined && expiresFromMs <= this.#endMs;
    if (mayExpire) {
      const when = { fromPlace: place, toPlace: Infinity, fromMs: expiresFromMs, toMs: expiresUntilMs };
      add('expired', { ...when, isSure: false });
    }
  }

  #judgeHook(hook: Hook): void {
    const urls = new Set(hook.versions.map(({ url }) => url));
    const isShared = [...this.#settings.hooks.values()].some(
      (other) => other !== hook && other.versions.some(({ url }) => urls.has(url)),
    );
    const requests = this.#requests.filter(({ url }) => urls.has(url));
    if (isShared || hook.isUnsure || requests.some(({ answer }) => answer === 'unsure')) return;
    for (const request of requests) this.#judgeRequest(hook, request);
    const received = receivedIn(requests);
    for (const one of received) this.#judgeReceived(hook, one, requests);
    this.#judgeOccurrences(hook, received, requests);
    this.#judgeBatches(received, requests);
    this.#judgeStatistics(hook, received, requests);
  }

  #judgeRequest(hook: Hook, request: SeenWebhookRequest): void {
    const at = `a request to ${request.url}`;
    if (!request.events) return this.#findings.broke('events/body-array', at, 'an array of events', 'something else');
    const secrets = hook.versions.map((version) => version.secret);
    const sent = `${request.secret ?? ''} ${request.url} ${request.text}`;
    // Where it stands, and in which letters, is for the service to choose.
    const isSent = secrets.some((one) =>
      [one, base64Of(one), encodeURIComponent(one)].some((form) => sent.includes(form)),
    );
    if (!isSent)
      this.#findings.broke('events/secret-sent', at, secrets.join(), request.secret ?? 'a request without it');
  }

  #judgeReceived(hook: Hook, { event, subject, requests }: Received, all: readonly SeenWebhookRequest[]): void {
    const broke = (clause: ClauseId, what: string, expected: string, actual: unknown): void =>
      this.#findings.broke(clause, `${what} of an event to ${requests[0]?.url}`, expected, actual);
    const { type, accountId, createdAt, data } = event;
    if (!isObject(data)) return broke('events/field-data', 'data', 'an object', data);
    if (accountId !== Number(accountId)) return broke('events/field-account-id', 'accountId', 'an integer', accountId);
    const isOwn = String(accountId) === hook.account;
    if (!isOwn && !this.#facts.children.has(String(accountId)))
      broke('events/own-account-only', 'accountId', `account ${hook.account} or a Child`, accountId);
    if (typeof event['controllingAccountId'] !== 'number')
      broke('events/field-controlling-account-id', 'controllingAccountId', 'an id', event['controllingAccountId']);
    const state = data['state'];
    if (type === 'print job state' && !Object.hasOwn(STABLE_PRINT_JOB_STATES, String(state)))
      broke('events/stable-states-only', 'state', 'a stable state', state);
    const known: readonly unknown[] = EVENT_TYPES;
    if (!known.includes(type)) return broke('events/field-type', 'type', EVENT_TYPES.join(' or '), type);
    if (!hook.versions.some(({ messages }) => messages.includes('*') || messages.includes(String(type))))
      broke('events/other-types-do-not', 'type', `one of ${hook.versions.at(-1)?.messages.join()}`, type);
    if (isOwn) this.#judgeCause(hook, { subject, createdAt, type: String(type) }, broke);
    this.#judgeRepetition(requests, broke);
    this.#judgeDelays(requests, all, broke);
  }

  /** It tells of something that happened, at the time at which it did, while the webhook was there. */
  #judgeCause(
    hook: Hook,
    { subject, createdAt, type }: { readonly subject: string; readonly createdAt: unknown; readonly type: string },
    broke: (clause: ClauseId, what: string, expected: string, actual: unknown) => void,
  ): void {
    if (!this.#findings.circumstances.isWhole) return;
    const causes = this.#occurrences.filter((one) => one.subject === subject && one.account === hook.account);
    if (causes.length === 0) {
      if (type === 'print job state' && !subject.endsWith('sent_to_client'))
        broke('events/print-job-state', 'state', 'one that the job has had', subject);
      return;
    }
    const atMs = Date.parse(String(createdAt));
    const slackMs = this.#slackMs;
    const isTime = causes.some(({ fromMs, toMs }) => atMs >= fromMs - slackMs && atMs <= toMs + slackMs);
    const { isLinkDisturbed } = this.#findings.circumstances;
    // When a dead connection is noticed is for the service to find out.
    if (!isTime && type === 'print job state' && !isLinkDisturbed)
      broke('events/field-created-at', 'createdAt', 'when it happened', createdAt);
    const [first] = hook.versions;
    if (first && atMs < first.fromMs - slackMs)
      broke('events/before-webhook-not-sent', 'createdAt', 'after the webhook was made', createdAt);
  }

  #judgeRepetition(
    requests: readonly SeenWebhookRequest[],
    broke: (clause: ClauseId, what: string, expected: string, actual: unknown) => void,
  ): void {
    const good = requests.findIndex(({ answer }) => answer === 'good');
    const number = `${requests.length} requests`;
    if (good !== -1 && good < requests.length - 1)
      broke('events/success-2xx', 'delivery', 'none after a success', number);
    else if (requests.length > MOST_REQUESTS)
      broke('limits/webhook-retries', 'delivery', `${MOST_REQUESTS} requests at most`, number);
    const last = requests.at(-1);
    if (good !== -1 || requests.length >= MOST_REQUESTS || !last) return;
    if (last.endedMs + DELAY_MS + this.#slackMs < this.#endMs)
      broke('events/failed-requeued', 'delivery', 'a second request after a failed one', number);
  }

  #judgeDelays(
    requests: readonly SeenWebhookRequest[],
    all: readonly SeenWebhookRequest[],
    broke: (clause: ClauseId, what: string, expected: string, actual: unknown) => void,
  ): void {
    for (const request of requests) {
      const before = previousOf(request, all);
      if (before?.answer === 'bad' && request.atMs < before.endedMs + DELAY_MS - this.#slackMs)
        broke('events/due-after-failure', 'delivery', `${DELAY_MS} ms after a failure`, request.atMs - before.endedMs);
    }
    const [first, second] = requests;
    if (first && second && second.atMs > this.#dueMs(first.endedMs, second, all) + this.#slackMs)
      broke('limits/webhook-retry-delay', 'delivery', `${DELAY_MS} ms after a failure`, second.atMs - first.endedMs);
  }

  /** When an event is due that happened at a time and came with a request. */
  #dueMs(happenedMs: number, request: SeenWebhookRequest, all: readonly SeenWebhookRequest[]): number {
    const before = previousOf(request, all);
    if (!before) return happenedMs;
    return Math.max(happenedMs, before.endedMs + (before.answer === 'bad' ? DELAY_MS : 0));
  }

  /** What surely happened while the webhook surely wanted it has come, and at once. */
  #judgeOccurrences(hook: Hook, received: readonly Received[], requests: readonly SeenWebhookRequest[]): void {
    const owed = this.#occurrences.filter((one) => one.account === hook.account && isWanted(hook, one));
    const bySubject = Map.groupBy(owed, ({ subject }) => subject);
    for (const [subject, all] of bySubject) {
      const got = received.filter((one) => one.subject === subject && String(one.event['accountId']) === hook.account);
      const sure = all.filter(({ isSure, toPlace }) => isSure && toPlace < this.#endPlace);
      const [last] = sure.slice(got.length);
      if (last && !this.#isPending(requests) && !this.#isUnsettled(last)) {
        const clause = missingClause(hook, last);
        const at = `events to ${hook.versions[0]?.url}`;
        this.#findings.broke(clause, at, `an event of ${subject}`, `${got.length} of ${sure.length}`);
      }
      const [first] = all;
      if (first?.type === 'print job state' && all.length === 1 && sure.length === 1)
        for (const one of got) this.#judgeLateness(one, first, requests);
    }
  }

  #isUnsettled({ type, account }: Occurrence): boolean {
    return type === 'computer state' && this.#unsettled.has(account);
  }

  #judgeLateness({ requests: [request] }: Received, { toMs }: Occurrence, all: readonly SeenWebhookRequest[]): void {
    if (!request) return;
    const dueMs = this.#dueMs(toMs, request, all);
    if (request.atMs <= dueMs + this.#slackMs) return;
    const before = previousOf(request, all);
    const clause =
      before === undefined
        ? 'events/due-first'
        : before.answer === 'good'
          ? 'events/due-after-success'
          : 'events/due-after-failure';
    this.#findings.broke(clause, `an event to ${request.url}`, `due at ${dueMs}`, `sent at ${request.atMs}`);
  }

  /** A request that was made after something was due carries it. */
  #judgeBatches(received: readonly Received[], requests: readonly SeenWebhookRequest[]): void {
    if (!this.#findings.circumstances.isVirtual) return;
    for (const { event, requests: carrying } of received) {
      const [first] = carrying;
      const createdMs = Date.parse(String(event['createdAt']));
      const missed = requests.find(
        (one) => first !== undefined && one.url === first.url && one.atMs > createdMs && one.atMs < first.atMs,
      );
      const isTrue = event['type'] === 'print job state';
      if (missed && isTrue && this.#isPromptly(event, createdMs))
        this.#findings.broke(
          'events/all-due-in-one',
          `a request to ${missed.url}`,
          'all due events',
          'not all of them',
        );
    }
  }

  /** Its time is that of the service: not one that it may have learnt of later. */
  #isPromptly({ data }: JsonObject, createdMs: number): boolean {
    const subject = isObject(data) ? subjectOf(Number(data['printJobId']), String(data['state'])) : '';
    return this.#occurrences.some((one) => one.subject === subject && one.isSure && one.toMs <= createdMs);
  }

  #judgeStatistics(hook: Hook, received: readonly Received[], requests: readonly SeenWebhookRequest[]): void {
    const list = this.#lastList;
    const shown = list && records(list.value).find((one) => one['webhookId'] === hook.id);
    if (!shown || !this.#findings.circumstances.isVirtual || this.#isPending(requests)) return;
    const settled = requests.filter(({ endedMs }) => endedMs <= list.sentMs);
    if (settled.length !== requests.length) return;
    const dropped = received.filter(
      (one) => one.requests.length >= MOST_REQUESTS && one.requests.every(({ answer }) => answer === 'bad'),
    );
    const counts: Readonly<Record<Statistic, readonly [number, ClauseId]>> = {
      receivedEvents: [received.length, 'webhooks/received-counts-triggers'],
      droppedEvents: [dropped.length, 'webhooks/dropped-counts-given-up'],
      successfulRequests: [
        requests.filter(({ answer }) => answer === 'good').length,
        'webhooks/successful-counts-requests',
      ],
      failedRequests: [requests.filter(({ answer }) => answer === 'bad').length, 'webhooks/failed-counts-requests'],
    };
    for (const statistic of STATISTICS) {
      const [count, clause] = counts[statistic];
      const measured = countIn(shown, statistic);
      if (measured !== undefined && measured !== count)
        this.#findings.broke(clause, `${statistic} of webhook ${hook.id}`, String(count), String(measured));
    }
  }

  /** Whether the delay after the last failure is still to pass. */
  #isPending(requests: readonly SeenWebhookRequest[]): boolean {
    return requests.some(
      ({ answer, endedMs }) => answer === 'bad' && endedMs + DELAY_MS + this.#slackMs >= this.#endMs,
    );
  }

  get #slackMs(): number {
    return this.#findings.circumstances.isVirtual ? 0 : SLACK_MS;
  }
}

function base64Of(text: string): string {
  return Buffer.from(text).toString('base64');
}

function receivedIn(requests: readonly SeenWebhookRequest[]): readonly Received[] {
  const received = new Map<string, Received>();
  for (const request of requests) {
    for (const event of request.events ?? []) {
      if (!isObject(event)) continue;
      const name = `${request.url} ${JSON.stringify(event)}`;
      const known = received.get(name);
      if (known) known.requests.push(request);
      else received.set(name, { event, subject: subjectIn(event), requests: [request] });
    }
  }
  return [...received.values()];
}

function subjectIn({ data, type }: JsonObject): string {
  if (!isObject(data)) return '';
  if (type === 'computer state') return `computer ${String(data['computerId'])}`;
  return subjectOf(Number(data['printJobId']), String(data['state']));
}

function subjectOf(jobId: number, state: string): string {
  return `job ${jobId} ${state}`;
}

/** The request with the same address and secret that ended last before this one. */
function previousOf(request: SeenWebhookRequest, all: readonly SeenWebhookRequest[]): SeenWebhookRequest | undefined {
  const index = all.indexOf(request);
  return all.slice(0, index).findLast(({ url, secret }) => url === request.url && secret === request.secret);
}

function isWanted({ versions, deletedPlace }: Hook, { type, fromPlace, toPlace }: Occurrence): boolean {
  return versions.some(
    ({ messages, fromPlace: from, untilPlace: until }) =>
      from < fromPlace &&
      toPlace < Math.min(until, deletedPlace) &&
      (messages.includes('*') || messages.includes(type)),
  );
}

function missingClause({ deletedPlace, versions }: Hook, { type }: Occurrence): ClauseId {
  if (deletedPlace !== Infinity) return 'events/queued-survive-delete';
  if (versions.length > 1) return 'events/later-events-still-sent';
  return type === 'computer state' ? 'events/computer-changes' : 'events/print-job-state';
}

/** Either nesting of the measures conforms. */
function countIn(hook: JsonObject, statistic: Statistic): number | undefined {
  const [one, other] = [hook[statistic], hook['counts']];
  const found = isObject(one) ? one['counts'] : isObject(other) ? other[statistic] : undefined;
  return typeof found === 'number' ? found : undefined;
}
