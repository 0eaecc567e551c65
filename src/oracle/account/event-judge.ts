/**
 * Judge of events: each one that is owed to a webhook comes, in time, once, and once more after a failed request.
 *
 *   what happened (a state was recorded, a computer came or went)
 *     ─► which webhooks had to hear of it ─► requests that carried it ─► in time? too often? never?
 */

import { isObject } from '../../common/json-value.ts';
import { datetimeMs } from '../../common/timestamp.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import { EVENT_TYPES } from '../../specification/fields.ts';
import { STABLE_PRINT_JOB_STATES } from '../../specification/states.ts';
import type { AccountJudge, Findings } from './account-judge.ts';
import { findEventPlaces, type EventPlaces } from './event-places.ts';
import type { Hook, HookSettings, HookVersion } from './hook-settings.ts';
import { FactJudge, type Facts } from './job-facts.ts';
import type { EventType, Observation, SeenWebhookRequest } from './observation.ts';
import type { Occurrence, Occurrences } from './occurrences.ts';
import type { StatisticJudge } from './statistic-judge.ts';
import {
  addressed,
  carries,
  isSameTarget,
  MOST_REQUESTS,
  RETRY_DELAY_MS,
  WebhookRequests,
  type Received,
} from './webhook-requests.ts';

const SLACK_MS = 2_000;

/** What happened, the settings of webhooks, and the judge of what they counted. */
interface EventSources {
  readonly occurrences: Occurrences;
  readonly settings: HookSettings;
  readonly statistics: StatisticJudge;
}

type Hold = (clause: ClauseId, what: string, isKept: boolean, expected: string, actual: unknown) => boolean;

export class EventJudge extends FactJudge implements AccountJudge {
  readonly #sources: EventSources;
  readonly #seen: SeenWebhookRequest[] = [];
  readonly #computers = new Set<number>();
  #slowestAnswerMs = 0;
  #requests: readonly SeenWebhookRequest[] = [];
  #places: EventPlaces = { job: undefined, computer: undefined, state: undefined };

  constructor(findings: Findings, facts: Facts, sources: EventSources) {
    super(findings, facts);
    this.#sources = sources;
  }

  see(observation: Observation): void {
    if (observation.kind === 'webhook') this.#seen.push(observation);
    if (observation.kind === 'exchange')
      this.#slowestAnswerMs = Math.max(this.#slowestAnswerMs, observation.atMs - observation.sentMs);
    if (observation.kind === 'connected') this.#computers.add(observation.computerId);
  }

  end(): void {
    const versions = [...this.#sources.settings.hooks.values()].flatMap((hook) => hook.versions);
    this.#requests = this.#seen.map((request) => addressed(request, versions));
    this.#places = findEventPlaces(
      this.#seen.flatMap(({ events }) => events),
      { isJob: (id) => this.facts.jobs.has(id), isComputer: (id) => this.#computers.has(id) },
    );
    for (const hook of this.#sources.settings.hooks.values()) this.#judgeHook(hook);
  }

  #judgeHook(hook: Hook): void {
    const requests = this.#requestsOf(hook);
    if (!requests || hook.isUnsure || requests.all.some(({ answer }) => answer === 'unsure')) return;
    for (const request of requests.all) this.#judgeRequest(hook, request);
    for (const one of requests.received) this.#judgeReceived(hook, one, requests);
    this.#judgeOccurrences(hook, requests);
    if (!this.findings.circumstances.isVirtual) return;
    this.#judgeBatches(requests);
    const isCounted = !requests.all.some((request) => requests.isCut(request));
    if (isCounted && !this.#isPending(requests)) this.#sources.statistics.judgeHook(hook, requests);
  }

  /** Webhooks that share an address are told apart by their secrets; undefined where those do not tell. */
  #requestsOf(hook: Hook): WebhookRequests | undefined {
    const urls = new Set(hook.versions.map(({ url }) => url));
    const others = [...this.#sources.settings.hooks.values()].filter(
      (other) => other !== hook && other.versions.some(({ url }) => urls.has(url)),
    );
    const all = this.#requests.filter(({ url }) => urls.has(url));
    const { restartsMs } = this.#sources.occurrences;
    if (others.length === 0) return new WebhookRequests(all, restartsMs, this.#places);
    const isApart = others
      .flatMap(secretsOf)
      .every((secret) => secretsOf(hook).every((own) => !own.includes(secret) && !secret.includes(own)));
    if (!isApart) return undefined;
    const own = all.filter((request) => secretsOf(hook).some((secret) => carries(request, secret)));
    return new WebhookRequests(own, restartsMs, this.#places);
  }

  #judgeRequest(hook: Hook, request: SeenWebhookRequest): void {
    const at = `a request to ${request.url}`;
    if (
      !this.findings.hold('events/body-array', at, request.events !== undefined, 'an array of events', 'something else')
    )
      return;
    const secrets = hook.versions.map((version) => version.secret);
    this.findings.hold(
      'events/secret-sent',
      at,
      secrets.some((secret) => carries(request, secret)),
      secrets.join(),
      request.secret ?? 'a request without it',
    );
  }

  #judgeReceived(hook: Hook, { event, subject, state, requests }: Received, all: WebhookRequests): void {
    const hold: Hold = (clause, what, isKept, expected, actual) =>
      this.findings.hold(clause, `${what} of an event to ${requests[0]?.url}`, isKept, expected, actual);
    const { type, accountId, createdAt, data } = event;
    if (!hold('events/field-data', 'data', isObject(data), 'an object', data)) return;
    if (!hold('events/field-account-id', 'accountId', accountId === Number(accountId), 'an integer', accountId)) return;
    const isOwn = String(accountId) === hook.account;
    // The account may have Children that were not made here.
    const isOfChild =
      this.facts.children.has(String(accountId)) || String(event['controllingAccountId']) === hook.account;
    if (!isOwn)
      hold('events/own-account-only', 'accountId', isOfChild, `account ${hook.account} or a Child`, accountId);
    hold(
      'events/field-controlling-account-id',
      'controllingAccountId',
      typeof event['controllingAccountId'] === 'number',
      'an id',
      event['controllingAccountId'],
    );
    if (type === 'print job state' && state !== undefined)
      hold(
        'events/stable-states-only',
        'state',
        Object.hasOwn(STABLE_PRINT_JOB_STATES, state),
        'a stable state',
        state,
      );
    // More types may be added, and nothing is printed of them.
    hold('events/field-type', 'type', isPrinted(type) || !isMisspelt(type), EVENT_TYPES.join(' or '), type);
    if (!isPrinted(type)) return;
    const { settings } = this.#sources;
    hold(
      'events/other-types-do-not',
      'type',
      !hook.versions.every(({ messages }) => settings.triggers(messages, type) === false),
      `one of ${hook.versions.at(-1)?.messages.join()}`,
      type,
    );
    if (isOwn && subject !== undefined) this.#judgeCause(hook, { subject, createdAt, type }, hold);
    if (!this.#mayBeSeveral(type, subject)) this.#judgeRepetition(requests, all, hold);
    this.#judgeDelays(requests, all, hold);
  }

  /** It reports something that happened, with the time at which it did, while the webhook existed. */
  #judgeCause(
    hook: Hook,
    { subject, createdAt, type }: { readonly subject: string; readonly createdAt: unknown; readonly type: EventType },
    hold: Hold,
  ): void {
    if (!this.findings.isWholeOf(hook.account)) return;
    const causes = this.#sources.occurrences.all.filter(
      (one) => one.subject === subject && one.account === hook.account,
    );
    if (causes.length === 0) {
      if (type === 'print job state')
        hold(
          'events/print-job-state',
          'state',
          subject.endsWith('sent_to_client'),
          'one that the job has had',
          subject,
        );
      return;
    }
    const atMs = datetimeMs(createdAt);
    if (atMs === undefined) return;
    const slackMs = this.#slackMs;
    const isTime = causes.some(({ fromMs, toMs }) => atMs >= fromMs - slackMs && atMs <= toMs + slackMs);
    const { isLinkDisturbed } = this.findings.circumstances;
    // When a dead connection is noticed is for the service to find out.
    if (!isTime && type === 'print job state')
      hold('events/field-created-at', 'createdAt', isLinkDisturbed, 'when it happened', createdAt);
    const [first] = hook.versions;
    if (first)
      hold(
        'events/before-webhook-not-sent',
        'createdAt',
        !(atMs < first.fromMs - slackMs),
        'after the webhook was made',
        createdAt,
      );
  }

  /**
   * Whether alike events may be of different changes: of a computer that left twice at one time, or where their data
   * does not tell.
   */
  #mayBeSeveral(type: EventType, subject: string | undefined): boolean {
    if (subject === undefined) return true;
    if (type !== 'computer state' || this.findings.circumstances.isReference) return false;
    return this.#sources.occurrences.all.filter((one) => one.subject === subject).length > 1;
  }

  #judgeRepetition(requests: readonly SeenWebhookRequest[], all: WebhookRequests, hold: Hold): void {
    const good = requests.findIndex((request) => request.answer === 'good' && !all.isCut(request));
    const number = `${requests.length} requests`;
    const most = MOST_REQUESTS + requests.filter((request) => all.isCut(request)).length;
    const isLast = good === -1 || good === requests.length - 1;
    if (good !== -1) hold('events/success-2xx', 'delivery', isLast, 'none after a success', number);
    if (isLast) hold('limits/webhook-retries', 'delivery', requests.length <= most, `${most} requests at most`, number);
    if (requests[0]?.answer !== 'bad') return;
    const isLacking = this.#lacksRetry(requests, all);
    if (isLacking || requests.length > 1)
      hold('events/failed-requeued', 'delivery', !isLacking, 'a second request after a failed one', number);
  }

  /** Whether a failed request should have been repeated by now. */
  #lacksRetry(requests: readonly SeenWebhookRequest[], all: WebhookRequests): boolean {
    const last = requests.at(-1);
    if (!last || last.answer === 'good' || requests.length >= MOST_REQUESTS) return false;
    const endMs = Math.min(this.#heardMs([last.url]), this.#sources.occurrences.endMs);
    return all.retryMs(last) + this.#slackMs < endMs;
  }

  #judgeDelays(requests: readonly SeenWebhookRequest[], all: WebhookRequests, hold: Hold): void {
    for (const request of requests) {
      const before = all.previousOf(request);
      if (before?.answer === 'bad' && !all.isAcrossRestart(before.endedMs, request.atMs))
        hold(
          'events/due-after-failure',
          'delivery',
          request.atMs >= before.endedMs + RETRY_DELAY_MS - this.#slackMs,
          `${RETRY_DELAY_MS} ms after a failure`,
          request.atMs - before.endedMs,
        );
    }
    const [first, second] = requests;
    if (first && second)
      hold(
        'limits/webhook-retry-delay',
        'delivery',
        !(second.atMs > all.dueMs(first.endedMs, second) + this.#slackMs),
        `${RETRY_DELAY_MS} ms after a failure`,
        second.atMs - first.endedMs,
      );
  }

  /** What surely happened while the webhook surely wanted it has come, and at once. */
  #judgeOccurrences(hook: Hook, requests: WebhookRequests): void {
    // What some of the events are about cannot be read.
    if (requests.received.some(({ event, subject }) => isPrinted(event['type']) && subject === undefined)) return;
    const { occurrences, settings } = this.#sources;
    const owed = occurrences.all.filter((one) => one.account === hook.account && isWanted(hook, one, settings));
    const bySubject = Map.groupBy(owed, ({ subject }) => subject);
    for (const [subject, all] of bySubject) {
      const got = requests.received.filter(
        (one) => one.subject === subject && String(one.event['accountId']) === hook.account,
      );
      const sure = all.filter((one) => one.isSure && this.#isLongAgo(one));
      const lacking = sure[got.length];
      const judged = lacking ?? sure[0];
      if (judged && !(lacking && this.#mayLack(lacking, hook, requests))) {
        const at = `events to ${hook.versions[0]?.url}`;
        const count = `${got.length} of ${sure.length}`;
        this.findings.hold(missingClause(hook, judged), at, !lacking, `an event of ${subject}`, count);
      }
      const [first] = all;
      // Where more came, as of a delivery that a crash lost, which is which cannot be told.
      if (first?.type === 'print job state' && all.length === 1 && sure.length === 1 && got.length === 1)
        for (const one of got) {
          this.#judgeLateness(one, first, requests);
          this.#judgeTarget(
            one,
            hook.versions.find((version) => isInForce(version, first)),
          );
        }
    }
  }

  /** Whether its event may still come, or no receiver was there when it was due. */
  #mayLack(lacking: Occurrence, hook: Hook, requests: WebhookRequests): boolean {
    if (this.#isPending(requests) || this.#sources.occurrences.isUnsettled(lacking)) return true;
    const heardMs = this.#heardMs(hook.versions.map(({ url }) => url));
    return lacking.toMs >= heardMs || requests.isPending(heardMs, this.#slackMs);
  }

  /** Until when there were receivers at all of these addresses. */
  #heardMs(urls: readonly string[]): number {
    const { heard } = this.findings.circumstances;
    if (!heard) return Infinity;
    return Math.min(...urls.map((url) => (URL.canParse(url) && heard.get(new URL(url).origin)) || -Infinity));
  }

  /** Whether its event must have come by the end. */
  #isLongAgo({ toPlace, toMs }: Occurrence): boolean {
    const { endPlace, endMs } = this.#sources.occurrences;
    return toPlace < endPlace && (this.findings.circumstances.isVirtual || toMs + this.#slackOnRealTimeMs <= endMs);
  }

  #judgeLateness({ requests: [request] }: Received, { toMs }: Occurrence, all: WebhookRequests): void {
    if (!request) return;
    const dueMs = all.dueMs(toMs, request);
    if (all.isAcrossRestart(toMs, request.atMs)) return;
    const before = all.previousOf(request);
    const clause =
      before === undefined
        ? 'events/due-first'
        : before.answer === 'good'
          ? 'events/due-after-success'
          : 'events/due-after-failure';
    const isInTime = request.atMs <= dueMs + this.#slackMs;
    this.findings.hold(clause, `an event to ${request.url}`, isInTime, `due at ${dueMs}`, `sent at ${request.atMs}`);
  }

  /** It goes to the url, with the secret, that the webhook had when the event happened. */
  #judgeTarget({ requests }: Received, version: HookVersion | undefined): void {
    const [first] = requests;
    if (!version || !first) return;
    const at = `an event to ${first.url}`;
    this.findings.hold('events/new-events-new-url', at, first.url === version.url, version.url, first.url);
    this.findings.hold(
      'events/queued-keep-secret',
      at,
      !requests.some((request) => !carries(request, version.secret)),
      `the secret ${version.secret}`,
      'another one',
    );
  }

  /** A request that was made after something was due carries it. */
  #judgeBatches(requests: WebhookRequests): void {
    const { all, received } = requests;
    for (const { event, subject, requests: carrying } of received) {
      const [first] = carrying;
      const createdMs = datetimeMs(event['createdAt']) ?? Number.NaN;
      const isMissed = all.some(
        (one) => first !== undefined && isSameTarget(one, first) && one.atMs > createdMs && one.atMs < first.atMs,
      );
      const isTrue = event['type'] === 'print job state';
      if (!first || requests.isAcrossRestart(createdMs, first.atMs)) continue;
      if (isMissed && isTrue)
        this.findings.hold(
          'events/all-due-in-one',
          `a request to ${first.url}`,
          !this.#isPromptly(subject, createdMs),
          'all due events',
          'not all of them',
        );
    }
  }

  /** Whether the service set its time; a report of a client may have reached the service later. */
  #isPromptly(subject: string | undefined, createdMs: number): boolean {
    return this.#sources.occurrences.all.some((one) => one.subject === subject && one.isSure && one.toMs <= createdMs);
  }

  #isPending(requests: WebhookRequests): boolean {
    return requests.isPending(this.#sources.occurrences.endMs, this.#slackMs);
  }

  get #slackMs(): number {
    const { isVirtual, isMoved } = this.findings.circumstances;
    return isVirtual ? 0 : isMoved ? Infinity : this.#slackOnRealTimeMs;
  }

  /** On a machine that is busy with other things, events are as late as answers are. */
  get #slackOnRealTimeMs(): number {
    return SLACK_MS + this.#slowestAnswerMs;
  }
}

function secretsOf({ versions }: Hook): readonly string[] {
  return versions.map(({ secret }) => secret);
}

function isPrinted(type: unknown): type is EventType {
  return EVENT_TYPES.some((one) => one === type);
}

/** Not a string, or a printed type in other letters. */
function isMisspelt(type: unknown): boolean {
  return typeof type !== 'string' || EVENT_TYPES.some((one) => lettersOf(one) === lettersOf(type));
}

function lettersOf(type: string): string {
  return type.toLowerCase().replaceAll(/[^a-z]/g, '');
}

function isWanted({ versions }: Hook, occurrence: Occurrence, settings: HookSettings): boolean {
  return versions.some(
    (version) => isInForce(version, occurrence) && settings.triggers(version.messages, occurrence.type) === true,
  );
}

function isInForce({ fromPlace, untilPlace }: HookVersion, occurrence: Occurrence): boolean {
  const { fromPlace: beganPlace, toPlace } = occurrence;
  return fromPlace < beganPlace && toPlace <= untilPlace;
}

function missingClause({ deletedPlace, versions }: Hook, { type }: Occurrence): ClauseId {
  if (deletedPlace !== Infinity) return 'events/queued-survive-delete';
  if (versions.length > 1) return 'events/later-events-still-sent';
  return type === 'computer state' ? 'events/computer-changes' : 'events/print-job-state';
}
