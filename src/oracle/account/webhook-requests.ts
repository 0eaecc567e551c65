/**
 * Webhook requests: those of one webhook in their order, the events that they carried, and when each was due.
 *
 *   happened ─► no request before: at once ─► after a success: at once ─► after a failure: five seconds later
 */

import { spellingsOf } from '../../common/spellings.ts';
import { isObject, type JsonObject } from '../../common/json-value.ts';
import { valueAt } from '../../common/places.ts';
import { LIMITS } from '../../specification/limits.ts';
import { sorted } from './account-judge.ts';
import type { EventPlaces } from './event-places.ts';
import type { HookVersion } from './hook-settings.ts';
import { subjectOf } from './occurrences.ts';
import type { SeenWebhookRequest } from './observation.ts';

export const RETRY_DELAY_MS = LIMITS.webhookRetryDelaySeconds.value * 1_000;
export const MOST_REQUESTS = 1 + LIMITS.webhookRetries.value;

/** An event as a receiver got it, with all requests that carried it. */
export interface Received {
  readonly event: JsonObject;
  /** The job and its state, or the computer; undefined where the event says it in a way that is not known. */
  readonly subject: string | undefined;
  /** The state of a job, where that is known. */
  readonly state: string | undefined;
  readonly requests: SeenWebhookRequest[];
}

export class WebhookRequests {
  readonly all: readonly SeenWebhookRequest[];
  readonly received: readonly Received[];
  readonly #restartsMs: readonly number[];

  /** @param restartsMs - when the service was killed and started again */
  constructor(all: readonly SeenWebhookRequest[], restartsMs: readonly number[], places: EventPlaces) {
    this.all = all;
    this.received = receivedIn(all, places);
    this.#restartsMs = restartsMs;
  }

  /** Whether a request is still without its whole answer, or the delay after the last failure is still to pass. */
  isPending(endMs: number, slackMs: number): boolean {
    return this.all.some(
      (request) =>
        request.endedMs === Infinity || (this.mayHaveFailed(request) && this.retryMs(request) + slackMs >= endMs),
    );
  }

  /** Whether the service was killed before it can have known the answer. */
  isCut({ atMs, endedMs, answer }: SeenWebhookRequest): boolean {
    const hasEnd = (restartMs: number): boolean => restartMs > endedMs || (restartMs === endedMs && answer === 'good');
    return this.#restartsMs.some((restartMs) => atMs <= restartMs && !hasEnd(restartMs));
  }

  mayHaveFailed(request: SeenWebhookRequest): boolean {
    return request.answer === 'bad' || this.isCut(request);
  }

  /** When what failed is due again, at the latest: with a restart the delay may begin anew. */
  retryMs({ endedMs }: SeenWebhookRequest): number {
    return this.#restartsMs.reduce(
      (dueMs, restartMs) => (restartMs >= endedMs && restartMs <= dueMs ? restartMs + RETRY_DELAY_MS : dueMs),
      endedMs + RETRY_DELAY_MS,
    );
  }

  /** Whether the service was restarted between two times: it need not know when it was to send something. */
  isAcrossRestart(fromMs: number, toMs: number): boolean {
    return this.#restartsMs.some((restartMs) => fromMs <= restartMs && restartMs <= toMs);
  }

  /** The request to the same target that ended last before this one. */
  previousOf(request: SeenWebhookRequest): SeenWebhookRequest | undefined {
    return this.all.slice(0, this.all.indexOf(request)).findLast((one) => isSameTarget(one, request));
  }

  /** When an event is due that happened at a time and came with a request. */
  dueMs(happenedMs: number, request: SeenWebhookRequest): number {
    const before = this.previousOf(request);
    if (!before) return happenedMs;
    return Math.max(happenedMs, this.mayHaveFailed(before) ? this.retryMs(before) : before.endedMs);
  }
}

/**
 * The request with the address and the secret of the version of a webhook that it was sent for: a service may send the
 * secret in the query, or in the body.
 */
export function addressed(request: SeenWebhookRequest, versions: readonly HookVersion[]): SeenWebhookRequest {
  const fitting = versions
    .filter(({ url }) => isTo(request.url, url))
    .toSorted((one, other) => other.url.length - one.url.length || other.secret.length - one.secret.length);
  const [first] = fitting;
  if (!first) return request;
  const meant = fitting.find(({ url, secret }) => url === first.url && carries(request, secret));
  return { ...request, url: first.url, secret: meant?.secret ?? request.secret };
}

function isTo(url: string, wanted: string): boolean {
  return url === wanted || url.startsWith(`${wanted}?`) || url.startsWith(`${wanted}&`);
}

export function isSameTarget(one: SeenWebhookRequest, other: SeenWebhookRequest): boolean {
  return one.url === other.url && one.secret === other.secret;
}

/** Where a secret stands, and in which spelling, is for the service to choose; that it stands there whole, is not. */
export function carries(
  { secret: plain, url, values }: Pick<SeenWebhookRequest, 'secret' | 'url' | 'values'>,
  secret: string,
): boolean {
  const query = URL.canParse(url) ? new URL(url).searchParams.values() : [];
  const sent = new Set([plain, ...query, ...values.flatMap(partsOf)]);
  return spellingsOf(secret).some((spelling) => sent.has(spelling));
}

/**
 * A value, and what it may wrap: `Bearer X`, `token=X`, one of several with commas between them, and the user and
 * password of HTTP Basic.
 */
function partsOf(value: string): readonly string[] {
  const [, scheme = '', wrapped = ''] = WRAPPED.exec(value) ?? [];
  const several = value.split(/[\s,;]+/).flatMap((one) => [one, one.replace(NAMED, '$<value>')]);
  if (!/^basic$/i.test(scheme)) return [value, wrapped, ...several];
  const credentials = Buffer.from(wrapped, 'base64').toString();
  const colon = credentials.indexOf(':');
  return [value, wrapped, credentials.slice(0, Math.max(colon, 0)), credentials.slice(colon + 1)];
}

const WRAPPED = /^(?:([\w-]+) +|[\w-]+=)(.*)$/s;
const NAMED = /^[\w-]+="?(?<value>.*?)"?$/;

function receivedIn(requests: readonly SeenWebhookRequest[], places: EventPlaces): readonly Received[] {
  const received = new Map<string, Received>();
  for (const request of requests) {
    for (const event of request.events ?? []) {
      if (!isObject(event)) continue;
      // Keys have no order, not even in the same event when it comes again.
      const name = `${request.url} ${JSON.stringify(sorted(event))}`;
      const known = received.get(name);
      if (known) known.requests.push(request);
      else {
        const [subject, state] = [subjectIn(event, places), stateIn(event['data'], places)];
        received.set(name, { event, subject, state, requests: [request] });
      }
    }
  }
  return [...received.values()];
}

function subjectIn({ data, type }: JsonObject, places: EventPlaces): string | undefined {
  if (!isObject(data)) return undefined;
  const isOfComputer = type === 'computer state';
  const id = idAt(data, isOfComputer ? places.computer : places.job);
  if (id === undefined) return undefined;
  if (isOfComputer) return `computer ${id}`;
  const state = stateIn(data, places);
  return state === undefined ? undefined : subjectOf(id, state);
}

function idAt(data: JsonObject, place: string | undefined): number | undefined {
  const id = place === undefined ? undefined : valueAt(data, place);
  return typeof id === 'number' || (typeof id === 'string' && /^\d+$/.test(id)) ? Number(id) : undefined;
}

/** Undefined where it is not a text, or where its place is not known. */
function stateIn(data: unknown, { state: place }: EventPlaces): string | undefined {
  const state = place === undefined ? undefined : valueAt(data, place);
  return typeof state === 'string' ? state : undefined;
}
