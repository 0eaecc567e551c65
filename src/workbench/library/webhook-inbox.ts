/**
 * Webhook inbox: a receiver of webhooks in this process, registered at the service, with waits.
 */

import { systemClock } from '../../common/clock.ts';
import { formatDuration, passingMs, type Duration } from '../../common/duration.ts';
import { givenObject } from '../../common/given-object.ts';
import { ensureKnown } from '../../common/nearest-name.ts';
import type { WEBHOOK_REPLIES } from '../../sink/reply-plan.ts';
import type { WebhookReceiver } from '../../sink/webhook-receiver.ts';
import { askService } from './service-call.ts';
import type { WorkbenchClock } from './workbench-clock.ts';
import type { PlatenIdentity } from './platen-identity.ts';

/** An event as it came. */
export interface WebhookEvent {
  readonly type: string;
  readonly accountId: number;
  readonly controllingAccountId: number;
  readonly createdAt: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Which event is waited for; fields that are not given do not matter. */
export interface EventQuery {
  readonly type?: string;
  /** `data.printJobId`. */
  readonly jobId?: number;
  /** `data.state`. */
  readonly state?: string;
}

/** How a receiver answers: as it should (`ok`), or not (`status 500`, `header missing`, `hang` …). */
export type ReplyName = keyof typeof WEBHOOK_REPLIES;

const QUERY_KEYS = ['type', 'jobId', 'state'] as const satisfies readonly (keyof EventQuery)[];
const DEFAULT_TIMEOUT = '5s';
const LOOK_EVERY_MS = 20;
const PATH = '/';
const FEWER_WEBHOOKS = 'An account has at most five webhooks: close some.';

export class WebhookInbox implements AsyncDisposable {
  readonly url: string;
  /** The id of the webhook. */
  readonly webhookId: number;
  readonly #receiver: WebhookReceiver;
  readonly #clock: WorkbenchClock;
  readonly #unregister: () => Promise<void>;

  constructor(receiver: WebhookReceiver, webhookId: number, clock: WorkbenchClock, unregister: () => Promise<void>) {
    this.#receiver = receiver;
    this.url = receiver.url + PATH;
    this.webhookId = webhookId;
    this.#clock = clock;
    this.#unregister = unregister;
  }

  /** What has come so far, oldest first. A repeated event is there once for each delivery. */
  get events(): readonly WebhookEvent[] {
    return this.#receiver.log.entries.flatMap(({ events }) =>
      events.ok ? (events.value as readonly WebhookEvent[]) : [],
    );
  }

  /** How many requests have come. */
  get requests(): number {
    return this.#receiver.log.entries.length;
  }

  /** Answers this way from now on; where `times` is given, only that many requests, and then as it should. */
  async reply(name: ReplyName, options: { readonly times?: number } = {}): Promise<void> {
    const { times } = givenObject('the second argument of reply', '{ times: 1 }', options);
    const { WEBHOOK_REPLIES: replies } = await import('../../sink/reply-plan.ts');
    ensureKnown('reply', name, Object.keys(replies));
    const reply = replies[name];
    const first = Array.from({ length: times ?? 0 }, () => reply);
    this.#receiver.plan(PATH, { first, lasting: times === undefined ? reply : replies.ok });
  }

  /**
   * The first event that fits, as soon as it has come. A virtual clock of the workbench is advanced.
   *
   * @param timeout - 5 s unless given, on the clock of the workbench
   * @throws Error at the limit, saying what has come
   */
  async wait(query: EventQuery = {}, options: { readonly timeout?: Duration } = {}): Promise<WebhookEvent> {
    givenObject('the query of an inbox', "{ type: 'print job state' }", query);
    const { timeout = DEFAULT_TIMEOUT } = givenObject('the second argument of wait', "{ timeout: '10s' }", options);
    const limitMs = passingMs(timeout);
    // A misspelt one would fit every event.
    for (const key of Object.keys(query)) ensureKnown('key of an event query', key, QUERY_KEYS);
    for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
      const found = this.events.find((event) => fits(event, query));
      if (found) return found;
      if (waitedMs >= limitMs) throw this.#expired(limitMs, query);
      await this.#clock.pass(LOOK_EVERY_MS);
    }
  }

  /** Deletes the webhook and stops the receiver. */
  async close(): Promise<void> {
    await this.#unregister();
    await this.#receiver.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #expired(limitMs: number, query: EventQuery): Error {
    const came = this.events.map(({ type, data }) => `${type} ${JSON.stringify(data)}`);
    const seen = came.length === 0 ? 'none has come' : `these have come: ${came.slice(-10).join('; ')}`;
    return new Error(`waited ${formatDuration(limitMs)} for an event like ${JSON.stringify(query)}; ${seen}`);
  }
}

function fits({ type, data }: WebhookEvent, query: EventQuery): boolean {
  if (query.type !== undefined && type !== query.type) return false;
  if (query.jobId !== undefined && data['printJobId'] !== query.jobId) return false;
  return query.state === undefined || data['state'] === query.state;
}

export async function receiveWebhooks(
  service: PlatenIdentity,
  clock: WorkbenchClock,
  messages: readonly string[],
): Promise<WebhookInbox> {
  const { startWebhookReceiver } = await import('../../sink/webhook-receiver.ts');
  const receiver = await startWebhookReceiver({
    clock: systemClock,
    ...(service.callbackHost !== undefined && { publicHost: service.callbackHost }),
  });
  try {
    const made = await askService(service, 'POST', '/webhook', FEWER_WEBHOOKS, {
      url: receiver.url + PATH,
      secret: 'platen',
      messages,
    });
    const webhookId = newestOf(made);
    return new WebhookInbox(receiver, webhookId, clock, async () => {
      // An account that is gone has taken its webhooks along.
      await askService(service, 'DELETE', `/webhook/${webhookId}`, FEWER_WEBHOOKS).catch(() => undefined);
    });
  } catch (error) {
    await receiver.close();
    throw error;
  }
}

function newestOf(webhooks: unknown): number {
  const ids = (webhooks as readonly { readonly webhookId: number }[]).map(({ webhookId }) => webhookId);
  return Math.max(...ids);
}
