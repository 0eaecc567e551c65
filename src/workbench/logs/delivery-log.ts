/**
 * Delivery log: the latest requests of the service to webhooks. It keeps the newest five hundred,
 * with what is needed to make them again.
 */

import { isObject } from '../../common/json-value.ts';
import type { SlicedWork } from '../../common/sliced-work.ts';
import type { DeliveryEntry } from '../../record/control-types.ts';
import type { WebhookDelivery } from '../../service/service-observer.ts';
import { WEBHOOK_STATUS_HEADER } from '../../specification/headers.ts';
import { keepText, showBody } from './body-text.ts';
import { HIDDEN, type Redaction } from './redaction.ts';

const MOST_ENTRIES = 500;
/** The limit for all bodies together, in characters. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
/** How many events of a request are shown. */
const MOST_EVENTS = 100;

interface KeptDelivery {
  readonly id: number;
  readonly delivery: WebhookDelivery;
  readonly accountId: number | null;
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly repeats: number | null;
}

export class DeliveryLog {
  readonly #redaction: Redaction;
  #entries: KeptDelivery[] = [];
  #characters = 0;
  #lastId = 0;
  /** What is being made again, with the id of its model. */
  readonly #repeated = new WeakMap<object, number>();

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
  }

  /** @returns the id of the entry */
  add(delivery: WebhookDelivery): number {
    const events = eventsOf(delivery.body);
    const account = events[0]?.['accountId'];
    this.#entries.push({
      id: ++this.#lastId,
      delivery,
      accountId: typeof account === 'number' ? account : null,
      events: events.slice(0, MOST_EVENTS),
      repeats: this.#repeated.get(delivery.target) ?? null,
    });
    this.#characters += delivery.body.length;
    while (this.#entries.length > MOST_ENTRIES || this.#characters > MOST_CHARACTERS) this.#forgetOldest();
    return this.#lastId;
  }

  /** Oldest first. */
  *list(accountId: number | undefined): SlicedWork<DeliveryEntry[]> {
    const shown: DeliveryEntry[] = [];
    for (const entry of this.#entries.filter((one) => accountId === undefined || one.accountId === accountId)) {
      shown.push(this.#show(entry));
      yield;
    }
    return shown;
  }

  /** Those that carried an event of this job. */
  ofJob(jobId: number): DeliveryEntry[] {
    return this.#entries.filter(({ events }) => events.some(isOf(jobId))).map((entry) => this.#show(entry));
  }

  get(id: number): DeliveryEntry | undefined {
    const entry = this.#find(id);
    return entry && this.#show(entry);
  }

  /** The delivery as something to make again: its result is known by its target. */
  toRepeat(id: number): WebhookDelivery | undefined {
    const entry = this.#find(id);
    if (!entry) return undefined;
    const target = { ...entry.delivery.target };
    this.#repeated.set(target, id);
    return { ...entry.delivery, target };
  }

  /** What came of making a delivery again, the last time. */
  newestRepeat(id: number): DeliveryEntry | undefined {
    const entry = this.#entries.findLast(({ repeats }) => repeats === id);
    return entry && this.#show(entry);
  }

  /** Ids go on, as those of requests do. */
  clear(): void {
    this.#entries = [];
    this.#characters = 0;
  }

  #forgetOldest(): void {
    this.#characters -= this.#entries.shift()?.delivery.body.length ?? 0;
  }

  #find(id: number): KeptDelivery | undefined {
    return this.#entries.find((entry) => entry.id === id);
  }

  #show({ id, delivery, accountId, events, repeats }: KeptDelivery): DeliveryEntry {
    const { target, answer, outcome, againMs } = delivery;
    const okHeader = answer.headers[WEBHOOK_STATUS_HEADER.name.toLowerCase()] === WEBHOOK_STATUS_HEADER.value;
    // A receiver may send back what it was sent.
    const said = (value: string): string => (target.secret === '' ? value : value.replaceAll(target.secret, HIDDEN));
    const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [
      said(name),
      this.#redaction.header(name, said([value ?? ''].flat().join(', '))),
    ]);
    const failed = againMs === undefined ? 'dropped' : 'will-retry';
    return {
      id,
      accountId,
      webhookId: target.webhookId,
      url: this.#redaction.foreignUrl(target.url),
      attempt: delivery.attempt,
      dueMs: delivery.dueMs,
      sentMs: delivery.startedMs,
      endedMs: delivery.endedMs,
      status: answer.status,
      error: answer.error === null ? null : this.#redaction.text(answer.error),
      events,
      requestBody: showBody(keepText(delivery.body), this.#redaction) ?? { text: '', bytes: 0, cut: false },
      responseHeaders: Object.fromEntries(headers),
      okHeader,
      next: againMs === undefined ? null : { dueMs: againMs },
      outcome: outcome === 'success' ? 'delivered' : failed,
      repeats,
    };
  }
}

/** What stands in the body; nothing where a service that breaks rules wrote something else. */
function eventsOf(body: string): readonly Readonly<Record<string, unknown>>[] {
  const parsed: unknown = JSON.parse(body);
  if (!Array.isArray(parsed)) return [];
  return parsed.filter(isObject);
}

function isOf(jobId: number): (event: Readonly<Record<string, unknown>>) => boolean {
  return ({ data }) => isObject(data) && data['printJobId'] === jobId;
}
