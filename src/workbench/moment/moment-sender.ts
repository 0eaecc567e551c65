/**
 * Moment sender: sends what a service sends to webhooks, records it, and lets the moment happen to it.
 */

import { sleep, systemClock } from '../../common/clock.ts';
import type { SeenDelivery } from '../../record/caller-history.ts';
import type { EventFault } from '../../record/moments.ts';
import {
  createWebhookSender,
  type Recipient,
  type WebhookSender,
  type WebhookSenderOptions,
} from '../../service/delivery/webhook-request.ts';
import type { WebhookAnswer } from '../../service/service-observer.ts';
import { WEBHOOK_STATUS_HEADER } from '../../specification/headers.ts';

const LATE_MS = 2_500;
/** Events that come apart by less are reversed together. */
const QUIET_MS = 600;

/** What is known of an event here. */
interface Event {
  readonly type?: unknown;
  readonly data?: Readonly<Record<string, unknown>>;
}

interface Sending {
  readonly target: Recipient;
  readonly body: string;
  readonly onAnswer: (answer: WebhookAnswer) => void;
}

type Outcome = Awaited<ReturnType<WebhookSender['send']>>;

/** Time as it passes for the app, whose clock may run faster than ours. */
interface AppTime {
  readonly sinceStartMs: () => number;
  readonly speed: number;
}

export class MomentSender implements WebhookSender {
  readonly deliveries: Omit<SeenDelivery, 'leftMs'>[] = [];
  isReached = false;
  /** Requests that wait for their answers. */
  underWay = 0;
  /** What is to be sent later. */
  pending = 0;
  readonly #inner: WebhookSender<Recipient>;
  readonly #fault: EventFault | undefined;
  readonly #time: AppTime;
  readonly #closed = new AbortController();
  /** What each address has not got yet, the newest first. */
  readonly #reversed = new Map<string, readonly Event[]>();
  readonly #hooks = new Set<string>();

  constructor(options: WebhookSenderOptions, fault: EventFault | undefined, time: AppTime) {
    this.#inner = createWebhookSender(options);
    this.#fault = fault;
    this.#time = time;
  }

  async send(
    target: Recipient,
    body: string,
    onAnswer: (answer: WebhookAnswer) => void = () => undefined,
  ): Promise<Outcome> {
    const sending = { target, body, onAnswer };
    const isFirst = !this.#hooks.has(target.url);
    this.#hooks.add(target.url);
    this.isReached = this.#fault !== undefined;
    if (this.#fault === 'twice') return this.#twice(sending);
    if (this.#fault === 'reversed') return this.#reverse(sending);
    if (this.#fault === 'late') await this.#pause(LATE_MS);
    if (this.#fault === 'forged' && isFirst) await this.#forge(sending);
    if (this.#fault === 'new-type') return this.#deliver('event', { ...sending, body: withNewType(body) });
    return this.#deliver('event', sending);
  }

  close(): void {
    this.#closed.abort(new Error('the service is closed'));
    this.#inner.close();
  }

  async #twice(sending: Sending): Promise<Outcome> {
    const outcome = await this.#deliver('event', sending);
    if (outcome === 'success') await this.#deliver('again', { ...sending, onAnswer: () => undefined });
    return outcome;
  }

  /** Answers for the app until no more events come, and then sends it all of them. */
  async #reverse({ target, body, onAnswer }: Sending): Promise<Outcome> {
    const events = [...eventsOf(body).toReversed(), ...(this.#reversed.get(target.url) ?? [])];
    this.#reversed.set(target.url, events);
    void this.#pause(QUIET_MS).then(async () => {
      // Another one has come meanwhile, and waits in turn.
      if (this.#reversed.get(target.url) !== events) return;
      this.#reversed.delete(target.url);
      await this.#deliver('event', { target, body: JSON.stringify(events), onAnswer: () => undefined });
    });
    onAnswer({ status: 200, headers: {}, error: null });
    return Promise.resolve('success');
  }

  async #forge({ target, body, onAnswer }: Sending): Promise<void> {
    const [event] = eventsOf(body);
    const forged = [{ ...event, data: { ...event?.data, state: 'done' } }];
    const stranger = { ...target, url: urlAsGuessed(target.url) };
    for (const [kind, secret] of FORGERIES) {
      const sending = { target: { ...stranger, secret }, body: JSON.stringify(forged), onAnswer };
      await this.#deliver(kind, sending, target.url);
    }
  }

  async #deliver(
    kind: SeenDelivery['kind'],
    { target, body, onAnswer }: Sending,
    hook: string = target.url,
  ): Promise<Outcome> {
    const sentMs = this.#time.sinceStartMs();
    let answer: WebhookAnswer | undefined;
    this.underWay++;
    const outcome = await this.#inner.send(target, body, (given) => {
      answer = given;
      onAnswer(given);
    });
    this.underWay--;
    const confirmation = answer?.headers[WEBHOOK_STATUS_HEADER.name.toLowerCase()];
    this.deliveries.push({
      hook,
      kind,
      sentMs,
      tookMs: this.#time.sinceStartMs() - sentMs,
      status: answer?.status ?? null,
      confirmation: confirmation === undefined ? null : String(confirmation),
    });
    return outcome;
  }

  /** Lets time of the app pass; ends early with the service. */
  async #pause(ms: number): Promise<void> {
    this.pending++;
    await sleep(systemClock, ms / this.#time.speed, this.#closed.signal).catch(() => undefined);
    this.pending--;
  }
}

const FORGERIES = [
  ['forged', 'forged'],
  ['unsigned', undefined],
] as const;

function withNewType(body: string): string {
  const [first, ...others] = eventsOf(body);
  return JSON.stringify([{ ...first, type: 'printer state', data: {} }, first, ...others]);
}

function eventsOf(body: string): readonly Event[] {
  const events: unknown = JSON.parse(body);
  return Array.isArray(events) ? (events as readonly Event[]) : [];
}

/** The address without what a stranger cannot know: a query, and segments that look made up by chance. */
function urlAsGuessed(address: string): string {
  const url = new URL(address);
  url.search = '';
  url.pathname = url.pathname.replaceAll(/[^/]{16,}/g, (segment) => (/\d/.test(segment) ? 'forged' : segment));
  return url.href;
}
