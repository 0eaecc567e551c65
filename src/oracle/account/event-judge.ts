/**
 * Judge of events: each one that is owed to a webhook comes, in time, once, and once more after a failed request.
 *
 *   what happened (a state was recorded, a computer came or went)
 *     ─► which webhooks had to hear of it ─► requests that carried it ─► in time? too often? never?
 */

import { isObject } from '../../common/json-value.ts';
import { datetimeMs } from '../../common/timestamp.ts';
import type { ClauseId } from '../../spec/clauses.ts';
import { EVENT_TYPES } from '../../spec/fields.ts';
import { STABLE_PRINT_JOB_STATES } from '../../spec/states.ts';
import { type AccountJudge, type Findings } from './account-judge.ts';
import { findEventPlaces, type EventPlaces } from './event-places.ts';
import type { Hook, HookSettings, HookVersion } from './hook-settings.ts';
import type { Facts } from './job-facts.ts';
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

type Broke = (clause: ClauseId, what: string, expected: string, actual: unknown) => void;

export class EventJudge implements AccountJudge {
  readonly #findings: Findings;
  readonly #facts: Facts;
  readonly #sources: EventSources;
  readonly #seen: SeenWebhookRequest[] = [];
  readonly #computers = new Set<number>();
  #slowestAnswerMs = 0;
  #requests: readonly SeenWebhookRequest[] = [];
  #places: EventPlaces = { job: undefined, computer: undefined, state: undefined };

  constructor(findings: Findings, facts: Facts, sources: EventSources) {
    this.#findings = findings;
    this.#facts = facts;
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
      { isJob: (id) => this.#facts.jobs.has(id), isComputer: (id) => this.#computers.has(id) },
    );
    for (const hook of this.#sources.settings.hooks.values()) this.#judgeHook(hook);
  }

  #judgeHook(hook: Hook): void {
    const requests = this.#requestsOf(hook);
    if (!requests || hook.isUnsure || requests.all.some(({ answer }) => answer === 'unsure')) return;
    for (const request of requests.all) this.#judgeRequest(hook, request);
    for (const one of requests.received) this.#judgeReceived(hook, one, requests);
    this.#judgeOccurrences(hook, requests);
    if (!this.#findings.circumstances.isVirtual) return;
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
    if (!request.events) return this.#findings.broke('events/body-array', at, 'an array of events', 'something else');
    const secrets = hook.versions.map((version) => version.secret);
    if (!secrets.some((secret) => carries(request, secret)))
      this.#findings.broke('events/secret-sent', at, secrets.join(), request.secret ?? 'a request without it');
  }

  #judgeReceived(hook: Hook, { event, subject, state, requests }: Received, all: WebhookRequests): void {
    const broke: Broke = (clause, what, expected, actual) =>
      this.#findings.broke(clause, `${what} of an event to ${requests[0]?.url}`, expected, actual);
    const { type, accountId, createdAt, data } = event;
    if (!isObject(data)) return broke('events/field-data', 'data', 'an object', data);
    if (accountId !== Number(accountId)) return broke('events/field-account-id', 'accountId', 'an integer', accountId);
    const isOwn = String(accountId) === hook.account;
    // The account may have Children that were not made here.
    const isOfChild =
      this.#facts.children.has(String(accountId)) || String(event['controllingAccountId']) === hook.account;
    if (!isOwn && !isOfChild)
      broke('events/own-account-only', 'accountId', `account ${hook.account} or a Child`, accountId);
    if (typeof event['controllingAccountId'] !== 'number')
      broke('events/field-controlling-account-id', 'controllingAccountId', 'an id', event['controllingAccountId']);
    if (type === 'print job state' && state !== undefined && !Object.hasOwn(STABLE_PRINT_JOB_STATES, state))
      broke('events/stable-states-only', 'state', 'a stable state', state);
    // More types may be added, and nothing is printed of them.
    if (!isPrinted(type))
      return isMisspelt(type) ? broke('events/field-type', 'type', EVENT_TYPES.join(' or '), type) : undefined;
    const { settings } = this.#sources;
    if (hook.versions.every(({ messages }) => settings.triggers(messages, type) === false))
      broke('events/other-types-do-not', 'type', `one of ${hook.versions.at(-1)?.messages.join()}`, type);
    if (isOwn && subject !== undefined) this.#judgeCause(hook, { subject, createdAt, type }, broke);
    if (!this.#mayBeSeveral(type, subject)) this.#judgeRepetition(requests, all, broke);
    this.#judgeDelays(requests, all, broke);
  }

  /** It reports something that happened, with the time at which it did, while the webhook existed. */
  #judgeCause(
    hook: Hook,
    { subject, createdAt, type }: { readonly subject: string; readonly createdAt: unknown; readonly type: EventType },
    broke: Broke,
  ): void {
    if (!this.#findings.isWholeOf(hook.account)) return;
    const causes = this.#sources.occurrences.all.filter(
      (one) => one.subject === subject && one.account === hook.account,
    );
    if (causes.length === 0) {
      if (type === 'print job state' && !subject.endsWith('sent_to_client'))
        broke('events/print-job-state', 'state', 'one that the job has had', subject);
      return;
    }
    const atMs = datetimeMs(createdAt);
    if (atMs === undefined) return;
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

  /**
   * Whether alike events may be of different changes: of a computer that left twice at one time, or where their data
   * does not tell.
   */
  #mayBeSeveral(type: EventType, subject: string | undefined): boolean {
    if (subject === undefined) return true;
    if (type !== 'computer state' || this.#findings.circumstances.isReference) return false;
    return this.#sources.occurrences.all.filter((one) => one.subject === subject).length > 1;
  }

  #judgeRepetition(requests: readonly SeenWebhookRequest[], all: WebhookRequests, broke: Broke): void {
    const good = requests.findIndex((request) => request.answer === 'good' && !all.isCut(request));
    const number = `${requests.length} requests`;
    const most = MOST_REQUESTS + requests.filter((request) => all.isCut(request)).length;
    if (good !== -1 && good < requests.length - 1)
      broke('events/success-2xx', 'delivery', 'none after a success', number);
    else if (requests.length > most) broke('limits/webhook-retries', 'delivery', `${most} requests at most`, number);
    const last = requests.at(-1);
    if (!last || last.answer === 'good' || requests.length >= MOST_REQUESTS) return;
    if (all.retryMs(last) + this.#slackMs < this.#sources.occurrences.endMs)
      broke('events/failed-requeued', 'delivery', 'a second request after a failed one', number);
  }

  #judgeDelays(requests: readonly SeenWebhookRequest[], all: WebhookRequests, broke: Broke): void {
    for (const request of requests) {
      const before = all.previousOf(request);
      const isEarly = before?.answer === 'bad' && request.atMs < before.endedMs + RETRY_DELAY_MS - this.#slackMs;
      if (isEarly && !all.isAcrossRestart(before.endedMs, request.atMs))
        broke(
          'events/due-after-failure',
          'delivery',
          `${RETRY_DELAY_MS} ms after a failure`,
          request.atMs - before.endedMs,
        );
    }
    const [first, second] = requests;
    if (first && second && second.atMs > all.dueMs(first.endedMs, second) + this.#slackMs)
      broke(
        'limits/webhook-retry-delay',
        'delivery',
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
      const [last] = sure.slice(got.length);
      if (last && !this.#isPending(requests) && !this.#sources.occurrences.isUnsettled(last)) {
        const clause = missingClause(hook, last);
        const at = `events to ${hook.versions[0]?.url}`;
        this.#findings.broke(clause, at, `an event of ${subject}`, `${got.length} of ${sure.length}`);
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

  /** Whether its event must have come by the end. */
  #isLongAgo({ toPlace, toMs }: Occurrence): boolean {
    const { endPlace, endMs } = this.#sources.occurrences;
    return toPlace < endPlace && (this.#findings.circumstances.isVirtual || toMs + this.#slackOnRealTimeMs <= endMs);
  }

  #judgeLateness({ requests: [request] }: Received, { toMs }: Occurrence, all: WebhookRequests): void {
    if (!request) return;
    const dueMs = all.dueMs(toMs, request);
    if (request.atMs <= dueMs + this.#slackMs || all.isAcrossRestart(toMs, request.atMs)) return;
    const before = all.previousOf(request);
    const clause =
      before === undefined
        ? 'events/due-first'
        : before.answer === 'good'
          ? 'events/due-after-success'
          : 'events/due-after-failure';
    this.#findings.broke(clause, `an event to ${request.url}`, `due at ${dueMs}`, `sent at ${request.atMs}`);
  }

  /** It goes to the url, with the secret, that the webhook had when the event happened. */
  #judgeTarget({ requests }: Received, version: HookVersion | undefined): void {
    const [first] = requests;
    if (!version || !first) return;
    const at = `an event to ${first.url}`;
    if (first.url !== version.url) this.#findings.broke('events/new-events-new-url', at, version.url, first.url);
    if (requests.some((request) => !carries(request, version.secret)))
      this.#findings.broke('events/queued-keep-secret', at, `the secret ${version.secret}`, 'another one');
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
      if (isMissed && isTrue && this.#isPromptly(subject, createdMs))
        this.#findings.broke('events/all-due-in-one', `a request to ${first.url}`, 'all due events', 'not all of them');
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
    const { isVirtual, isMoved } = this.#findings.circumstances;
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
