/**
 * Webhook dispatcher: turns events into requests to the callers' servers.
 *
 *   event ──► queue per target ──► due? ──► one request with all due events
 *                  ▲                              │ success: gone
 *                  └────── once, 5 s later ◄──────┘ failure (a second one drops the event)
 *
 * A target is a webhook with the url and secret it had when the event was queued, so that nothing done
 * to the webhook later touches what is queued. Targets do not wait for each other. Queue and attempts
 * are in the database: a restart neither forgets an event nor tries it a third time.
 */

import type { Clock, Timer } from '../../common/clock.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Webhook, Webhooks } from '../domain/webhook.ts';
import type { ServiceObserver, WebhookAnswer, WebhookDelivery } from '../service-observer.ts';
import type { Database } from '../store/database.ts';
import { EventTable, type QueuedEvent, type TargetKey } from '../store/event-table.ts';
import type { WebhookSender } from './webhook-request.ts';

/** Above this a request would no longer fit into a string. The rest waits for the next, which is due at once. */
const BATCH_MAX_EVENTS = 100_000;

export interface WebhookDispatcherOptions {
  readonly clock: Clock;
  readonly database: Database;
  readonly webhooks: Webhooks;
  readonly sender: WebhookSender;
  readonly dueMs: typeof dueMs;
  readonly mayTryAgain: typeof mayTryAgain;
  readonly observer: ServiceObserver | undefined;
}

const NO_ANSWER: WebhookAnswer = { status: null, headers: {}, error: 'the answer is not known' };

interface Target {
  readonly key: TargetKey;
  readonly queue: QueuedEvent[];
  lastRequest: LastRequest;
  /** Since when its oldest event has been due. */
  dueSinceMs: number;
  isBusy: boolean;
  timer: Timer | undefined;
}

export class WebhookDispatcher {
  readonly #options: WebhookDispatcherOptions;
  readonly #table: EventTable;
  readonly #targets = new Map<string, Target>();
  #isClosed = false;

  constructor(options: WebhookDispatcherOptions) {
    this.#options = options;
    this.#table = new EventTable(options.database);
    this.#resume();
  }

  /** Queues an event for a webhook. Call inside a write of the database; it is sent after the commit. */
  queue(webhook: Webhook, json: string): void {
    const { clock, database, webhooks } = this.#options;
    const target = this.#target({ webhookId: webhook.id, url: webhook.url, secret: webhook.secret });
    const event = this.#table.add(target.key, json);
    webhooks.count(webhook.id, 'receivedEvents', 1, clock.now());
    target.queue.push(event);
    database.whenCommitted((error) => {
      const at = target.queue.indexOf(event);
      if (error !== undefined && at !== -1) target.queue.splice(at, 1);
    });
    database.afterCommit(() => this.#pump(target));
  }

  close(): void {
    this.#isClosed = true;
    for (const target of this.#targets.values()) target.timer?.cancel();
    this.#options.sender.close();
  }

  /** Goes on with the events in the data file; an attempt without a known end counts as failed. */
  #resume(): void {
    for (const stored of this.#table.load()) {
      const target = this.#target(stored.target);
      if (stored.attempts > 0) target.lastRequest = { outcome: 'failure', endedMs: this.#options.clock.now() };
      if (stored.attempts > 0 && !this.#options.mayTryAgain(stored.attempts)) this.#drop(target, [stored]);
      else target.queue.push(stored);
    }
    // Not before the service has started as a whole.
    for (const target of this.#targets.values()) this.#options.database.afterCommit(() => this.#pump(target));
  }

  #target(key: TargetKey): Target {
    const name = JSON.stringify([key.webhookId, key.url, key.secret]);
    const known = this.#targets.get(name);
    if (known) return known;
    const target: Target = {
      key,
      queue: [],
      lastRequest: null,
      dueSinceMs: 0,
      isBusy: false,
      timer: undefined,
    };
    this.#targets.set(name, target);
    return target;
  }

  /** Sends what is due, or sets a timer for when it will be. */
  #pump(target: Target): void {
    if (this.#isClosed || target.isBusy || target.timer || target.queue.length === 0) return;
    const { clock, dueMs } = this.#options;
    target.dueSinceMs = dueMs(target.lastRequest, clock.now());
    const waitMs = target.dueSinceMs - clock.now();
    if (waitMs <= 0) return void this.#request(target).catch(this.#options.database.onFault);
    target.timer = clock.schedule(waitMs, () => {
      target.timer = undefined;
      this.#pump(target);
    });
  }

  async #request(target: Target): Promise<void> {
    const { clock, database, sender } = this.#options;
    target.isBusy = true;
    const { dueSinceMs } = target;
    const hold = clock.hold(`a request to webhook ${target.key.webhookId}`);
    const events = await this.#taken(target);
    const startedMs = clock.now();
    hold.release();
    if (!events) return this.#pump(target);
    const body = `[${events.map(({ json }) => json).join(',')}]`;
    let answer = NO_ANSWER;
    const outcome = await sender.send(target.key, body, (known) => (answer = known));
    if (this.#isClosed) return;
    const endedMs = clock.now();
    target.lastRequest = { outcome, endedMs };
    target.isBusy = false;
    database.write(() => this.#settle(target, events, outcome));
    this.#report(target, events, { body, outcome, answer, dueMs: dueSinceMs, startedMs, endedMs });
    this.#pump(target);
    this.#forgetIfIdle(target);
  }

  /** The events of the next request, once it is stored that they are tried; undefined where that cannot be stored. */
  async #taken(target: Target): Promise<QueuedEvent[] | undefined> {
    const { clock, database } = this.#options;
    const events = target.queue.splice(0, BATCH_MAX_EVENTS);
    try {
      const tried = this.#table.countAttempt(events);
      await database.committed();
      return tried;
    } catch (error) {
      database.onFault(error);
      target.queue.unshift(...events);
      target.lastRequest = { outcome: 'failure', endedMs: clock.now() };
      target.isBusy = false;
      return undefined;
    }
  }

  /** Makes a request once more, beside the queue; nothing is counted. */
  async repeat({ target, body, attempt, dueMs }: WebhookDelivery): Promise<WebhookDelivery> {
    const { clock, sender, observer } = this.#options;
    const startedMs = clock.now();
    let answer = NO_ANSWER;
    const outcome = await sender.send(target, body, (known) => (answer = known));
    const times = { dueMs, startedMs, endedMs: clock.now(), againMs: undefined };
    const delivery = { target, body, attempt: attempt + 1, outcome, answer, ...times };
    observer?.delivered(delivery);
    return delivery;
  }

  #report(
    { key, lastRequest }: Target,
    events: readonly QueuedEvent[],
    request: Omit<WebhookDelivery, 'target' | 'attempt' | 'againMs'>,
  ): void {
    const { observer, mayTryAgain, dueMs } = this.#options;
    if (!observer) return;
    const attempts = events.map((event) => event.attempts);
    const isTriedAgain = request.outcome === 'failure' && attempts.some((count) => mayTryAgain(count));
    const againMs = isTriedAgain ? dueMs(lastRequest, request.endedMs) : undefined;
    observer.delivered({ ...request, target: key, attempt: Math.max(...attempts), againMs });
  }

  #settle(target: Target, events: readonly QueuedEvent[], outcome: 'success' | 'failure'): void {
    const { clock, webhooks, mayTryAgain } = this.#options;
    const { webhookId } = target.key;
    const statistic = outcome === 'success' ? 'successfulRequests' : 'failedRequests';
    webhooks.count(webhookId, statistic, 1, clock.now());
    if (outcome === 'success') return this.#table.remove(events);
    const again = events.filter(({ attempts }) => mayTryAgain(attempts));
    target.queue.unshift(...again);
    this.#drop(
      target,
      events.filter((event) => !again.includes(event)),
    );
  }

  #drop({ key }: Target, events: readonly QueuedEvent[]): void {
    const { clock, webhooks } = this.#options;
    webhooks.count(key.webhookId, 'droppedEvents', events.length, clock.now());
    this.#table.remove(events);
  }

  /** Removes a target that no webhook points to any more once its queue is empty. */
  #forgetIfIdle(target: Target): void {
    const { webhookId, url, secret } = target.key;
    const webhook = this.#options.webhooks.byId(webhookId);
    const isCurrent = webhook?.url === url && webhook.secret === secret;
    if (isCurrent || target.isBusy || target.queue.length > 0) return;
    this.#targets.delete(JSON.stringify([webhookId, url, secret]));
  }
}

const RETRY_DELAY_MS = LIMITS.webhookRetryDelaySeconds.value * 1_000;

/** How the last request to a target ended; null when none was ever made. */
export type LastRequest = { readonly outcome: 'success' | 'failure'; readonly endedMs: number } | null;

/** When queued events are due, in milliseconds since the epoch: at once, or 5 s after a failure. */
export function dueMs(lastRequest: LastRequest, nowMs: number): number {
  return lastRequest?.outcome === 'failure' ? lastRequest.endedMs + RETRY_DELAY_MS : nowMs;
}

/** @param attempts - requests that the event was part of, the failed one included */
export function mayTryAgain(attempts: number): boolean {
  return attempts <= LIMITS.webhookRetries.value;
}
