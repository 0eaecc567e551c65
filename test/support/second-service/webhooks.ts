/**
 * Webhooks: what is kept about them, and the requests that carry events to their receivers.
 *
 *   event ─► queue of the target ─► due? ─► one request with all that is due ─► 2xx and OK: done
 *                    ▲                                                           │ else, once, 5 s later
 *                    └───────────────────────────────────────────────────────────┘
 */

import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

import type { ServiceClock } from './clock.ts';
import type { Routes } from './http-front.ts';
import { badRequest, integerIn, notFound, readObject, stringIn, type Answer, type Call } from './reading-requests.ts';
import {
  MEASURES,
  STATISTICS,
  timestamp,
  type Account,
  type Json,
  type Statistic,
  type Store,
  type Webhook,
} from './store.ts';

const MOST_WEBHOOKS = 5;
const RETRY_DELAY_MS = 5000;
const ANSWER_LIMIT_MS = 20_000;

interface QueuedEvent {
  readonly webhook: Webhook;
  readonly body: Json;
  readonly isRetry: boolean;
}

/** Where requests go: the address and secret as they were when the event happened. */
interface Receiver {
  readonly url: string;
  readonly secret: string;
  queue: QueuedEvent[];
  isBusy: boolean;
  dueAt: number;
  isWaiting: boolean;
}

export class Webhooks {
  readonly #store: Store;
  readonly #clock: ServiceClock;
  readonly #receivers = new Map<string, Receiver>();

  constructor(store: Store) {
    this.#store = store;
    this.#clock = store.clock;
  }

  /** Something happened in an account that webhooks may want to know. */
  publish(account: Account, type: string, data: Json): void {
    const body = {
      type,
      accountId: account.id,
      controllingAccountId: (account.parent ?? account).id,
      createdAt: timestamp(this.#clock.now()),
      data,
    };
    for (const webhook of account.webhooks.values()) {
      if (!webhook.messages.includes('*') && !webhook.messages.includes(type)) continue;
      this.#count(webhook, 'receivedEvents');
      this.#enqueue(account, { webhook, body, isRetry: false });
    }
  }

  #enqueue(account: Account, event: QueuedEvent): void {
    const { url, secret } = event.webhook;
    const key = JSON.stringify([account.id, url, secret]);
    const receiver = this.#receivers.get(key) ?? {
      url,
      secret,
      queue: [],
      isBusy: false,
      dueAt: 0,
      isWaiting: false,
    };
    this.#receivers.set(key, receiver);
    receiver.queue.push(event);
    this.#plan(receiver);
  }

  #plan(receiver: Receiver): void {
    if (receiver.isBusy || receiver.isWaiting || receiver.queue.length === 0) return;
    receiver.isWaiting = true;
    this.#clock.after(Math.max(0, receiver.dueAt - this.#clock.now()), () => {
      receiver.isWaiting = false;
      void this.#send(receiver);
    });
  }

  async #send(receiver: Receiver): Promise<void> {
    receiver.isBusy = true;
    const events = receiver.queue;
    receiver.queue = [];
    const done = this.#clock.busy(`a webhook request to ${receiver.url}`);
    const isGood = await this.#post(receiver, JSON.stringify(events.map(({ body }) => body)));
    for (const webhook of new Set(events.map((event) => event.webhook))) {
      this.#count(webhook, isGood ? 'successfulRequests' : 'failedRequests');
    }
    if (!isGood) {
      for (const { webhook, isRetry } of events) if (isRetry) this.#count(webhook, 'droppedEvents');
      const again = events.filter(({ isRetry }) => !isRetry).map((event) => ({ ...event, isRetry: true }));
      receiver.queue.unshift(...again);
    }
    receiver.dueAt = isGood ? 0 : this.#clock.now() + RETRY_DELAY_MS;
    receiver.isBusy = false;
    this.#plan(receiver);
    done();
  }

  #post({ url, secret }: Receiver, body: string): Promise<boolean> {
    return new Promise((resolve) => {
      const send = url.startsWith('https:') ? httpsRequest : httpRequest;
      const headers = {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'X-Hook-Token': secret,
      };
      const request = send(url, { method: 'POST', headers, agent: false });
      const stopWaiting = this.#clock.after(ANSWER_LIMIT_MS, () => request.destroy(new Error('no answer')));
      const end = (isGood: boolean): void => {
        stopWaiting();
        resolve(isGood);
      };
      request.on('error', () => end(false));
      request.on('response', (response) => {
        const { statusCode = 0, headers: got } = response;
        response.on('error', () => end(false));
        response.on('end', () =>
          end(statusCode >= 200 && statusCode < 300 && got['x-service-webhook-status'] === 'OK'),
        );
        response.resume();
      });
      request.end(body);
    });
  }

  #count({ happened }: Webhook, statistic: Statistic): void {
    const entry = happened[statistic];
    const now = this.#clock.now();
    entry.decayed = this.#decayed(entry).map((count) => count + 1);
    entry.counts++;
    entry.at = now;
  }

  #decayed({ decayed, at }: Webhook['happened'][Statistic]): number[] {
    const seconds = (this.#clock.now() - at) / 1000;
    return Object.values(MEASURES).map((scale, index) => (decayed[index] ?? 0) * Math.exp(-seconds / scale));
  }

  routes(): Routes {
    const store = this.#store;
    const list = ({ account }: Call): Answer => ({
      json: [...account.webhooks.values()].map((webhook) => this.#json(webhook)),
    });
    return [
      ['GET /webhooks', list],
      [
        'POST /webhook',
        (call) => {
          const body = readObject(call);
          const { account } = call;
          const settings = {
            url: readUrl(stringIn(body, 'url')),
            secret: stringIn(body, 'secret'),
            messages: readMessages(body['messages']),
          };
          if (account.webhooks.size >= MOST_WEBHOOKS) throw badRequest('An account has at most five webhooks');
          const id = store.nextId();
          const none = { counts: 0, decayed: [], at: 0 };
          const happened = {
            receivedEvents: { ...none },
            droppedEvents: { ...none },
            successfulRequests: { ...none },
            failedRequests: { ...none },
          };
          account.webhooks.set(id, { id, ...settings, happened });
          return list(call);
        },
      ],
      [
        'PATCH /webhook/:id',
        (call) => {
          const webhook = findWebhook(call);
          const body = readObject(call);
          const url = body['url'] === undefined ? webhook.url : readUrl(stringIn(body, 'url'));
          const secret = body['secret'] === undefined ? webhook.secret : stringIn(body, 'secret');
          const messages = body['messages'] === undefined ? webhook.messages : readMessages(body['messages']);
          Object.assign(webhook, { url, secret, messages });
          return list(call);
        },
      ],
      [
        'DELETE /webhook/:id',
        (call) => {
          call.account.webhooks.delete(findWebhook(call).id);
          return list(call);
        },
      ],
    ];
  }

  /** Measure outside, statistic inside. */
  #json({ id, url, secret, messages, happened }: Webhook): Json {
    const measures = Object.keys(MEASURES).map((measure, index) => [
      measure,
      Object.fromEntries(
        STATISTICS.map((name) => [
          name,
          measure === 'counts' ? happened[name].counts : (this.#decayed(happened[name])[index] ?? 0),
        ]),
      ),
    ]);
    return {
      webhookId: id,
      url,
      secret,
      messages,
      ...(Object.fromEntries(measures) as Record<string, Json>),
    };
  }
}

function findWebhook({ account, path }: Call): Webhook {
  const webhook = account.webhooks.get(integerIn(path['id'], 'webhook_id', 1));
  if (!webhook) throw notFound(`There is no webhook ${path['id']}`);
  return webhook;
}

function readUrl(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw badRequest('url must be an http address');
  return url;
}

function readMessages(messages: Json | undefined): readonly string[] {
  if (!Array.isArray(messages) || messages.some((one: Json) => typeof one !== 'string')) {
    throw badRequest('messages must be an array of strings');
  }
  if (messages.includes('*') && messages.length > 1) throw badRequest("'*' stands alone");
  return messages as readonly string[];
}
