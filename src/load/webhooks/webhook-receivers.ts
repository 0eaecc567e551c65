/**
 * Webhook receivers of a load, one for each account, and the account of the events that they receive.
 *
 *   service ── POST /account/3 [event, …] ──► secret? ─► places ─► job id ─► row ─► webhook account
 *           ◄── as the scenario says ───────┘        └─────────┴─ not known yet: kept until they are
 *
 * An event may arrive before the answer to the submission that caused it: it is kept until the ledger knows the
 * job. At the end the account is compared with the service's own counters.
 */

import { hash } from 'node:crypto';

import { sleep, systemClock } from '../../common/clock.ts';
import { valueAt } from '../../common/places.ts';
import { sumOf, sumsOf } from '../../common/sums.ts';
import { createRandom } from '../../common/random.ts';
import { headerValues } from '../../common/header-pairs.ts';
import type { EventPlaces } from '../../oracle/account/event-places.ts';
import { measureIn } from '../../oracle/account/statistic-judge.ts';
import type { Ledger } from '../../oracle/ledger.ts';
import type { ServiceCounters, WebhookAccount, WebhookReceipt } from '../../oracle/webhook-account.ts';
import type { WebhookTotals } from '../../record/load-record.ts';
import { readEvents, WEBHOOK_BODY_MAX_BYTES, WEBHOOK_SECRET_HEADER } from '../../sink/webhook-receiver.ts';
import { WEBHOOK_REPLIES } from '../../sink/reply-plan.ts';
import { slow, type Reply } from '../../sink/reply.ts';
import { startSinkServer, type SinkRequest } from '../../sink/sink-server.ts';
import { STATISTICS } from '../../specification/fields.ts';
import type { ServiceClient } from '../../targets/service-client.ts';
import type { LoadPlan } from '../plan/load-plan.ts';
import type { ReceiverAnswer, ReceiverAnswerName } from '../plan/load-scenario.ts';
import type { LoadAccount } from '../traffic/load-account.ts';
import { placesIn, readJobEvent, type JobEvent } from './job-event.ts';

export interface WebhookReceiversOptions {
  readonly plan: LoadPlan;
  /** Those of the shard, by their number in the plan. */
  readonly accounts: ReadonlyMap<number, LoadAccount>;
  readonly ledger: Ledger;
  readonly webhooks: WebhookAccount;
  readonly client: ServiceClient;
  /** Name under which the service reaches this machine; without one the receivers listen on loopback only. */
  readonly callbackHost?: string | undefined;
  /** How the service spells the type of events of jobs. */
  readonly jobMessages?: string | undefined;
  /** Microseconds since the start of the run. */
  readonly sinceStartUs: () => number;
}

export interface WebhookReceivers {
  /** Whether every event that must come has come, or was rightly dropped. */
  isSettled(): boolean;
  /** The account of all events, compared with the service's own counters. */
  reconcile(): Promise<WebhookTotals | null>;
  /** Deletes the webhooks and ends the receivers. */
  close(): Promise<void>;
}

/** The receivers of a load without webhooks. */
export const NO_RECEIVERS: WebhookReceivers = {
  isSettled: () => true,
  reconcile: () => Promise.resolve(null),
  close: () => Promise.resolve(),
};

/** An event as it came. */
interface Unread {
  readonly event: unknown;
  readonly account: LoadAccount | undefined;
  readonly receipt: WebhookReceipt;
}

/** An event whose job is not in the ledger yet. */
interface Waiting extends Pick<JobEvent, 'state' | 'uid'> {
  readonly receipt: WebhookReceipt;
}

/** Events of known jobs that tell where all have the id of theirs; or else they are read as most services mean them. */
const ENOUGH = 100;
const MOST_UNREAD = 50_000;
/** The service counts a request once it has our answer, so its counters may lag. */
const LOOK_EVERY_MS = 100;
const MOST_LOOKS = 30;
/** A third request for an event would come five seconds after the second failed. */
const THIRD_REQUEST_US = 6e6;

/** Creates a webhook in each account of the shard. @throws ActionableError when the service does not answer */
export async function openWebhookReceivers(options: WebhookReceiversOptions): Promise<WebhookReceivers> {
  const account = new EventAccount(options);
  const server = await startSinkServer({
    clock: systemClock,
    publicHost: options.callbackHost,
    bodyMaxBytes: WEBHOOK_BODY_MAX_BYTES,
    answer: (request) => account.receive(request),
  });
  const close = async (): Promise<void> => {
    await account.removeWebhooks();
    await server.close();
  };
  try {
    await account.makeWebhooks(server.url);
  } catch (error) {
    await close();
    throw error;
  }
  return { isSettled: () => account.isSettled(), reconcile: () => account.reconcile(), close };
}

class EventAccount {
  readonly #options: WebhookReceiversOptions;
  readonly #account: WebhookAccount;
  readonly #ledger: Ledger;
  readonly #webhookIds = new Map<LoadAccount, number>();
  readonly #unread: Unread[] = [];
  #places: EventPlaces | undefined;
  #enough = ENOUGH;
  /** How many have to be unread before they are looked at again. */
  #nextLook = 1;
  /** By job id. */
  readonly #waiting = new Map<number, Waiting[]>();
  /** The first event that reported a job as sent, by row and as a number: a job that is sent again causes another. */
  readonly #firstSent: number[] = [];
  readonly #sentAgain = new Set<string>();
  readonly #requests = { good: 0, failed: 0 };
  #isOwed = false;

  constructor(options: WebhookReceiversOptions) {
    this.#options = options;
    this.#account = options.webhooks;
    this.#ledger = options.ledger;
  }

  async makeWebhooks(receiverUrl: string): Promise<void> {
    const { accounts, client, jobMessages = 'print job state' } = this.#options;
    for (const account of accounts.values()) {
      const url = `${receiverUrl}/account/${account.number}`;
      const secret = this.#secretOf(account.number);
      const json = { url, secret, messages: [jobMessages] };
      const request = { method: 'POST', path: '/webhook', apiKey: account.apiKey, json } as const;
      const { status, value } = await client.send(request);
      const list = status < 300 && Array.isArray(value) ? value : [];
      const ids = list.filter((one) => valueAt(one, 'url') === url).map((one) => valueAt(one, 'webhookId'));
      const id = ids.find((one) => typeof one === 'number');
      if (id !== undefined) this.#webhookIds.set(account, id);
    }
  }

  async removeWebhooks(): Promise<void> {
    for (const [{ apiKey }, id] of this.#webhookIds) {
      await this.#options.client.trySend({ method: 'DELETE', path: `/webhook/${id}`, apiKey });
    }
    this.#webhookIds.clear();
  }

  receive(request: SinkRequest): Reply {
    const atUs = this.#options.sinceStartUs();
    const answer = this.#answerAt(atUs / 1_000);
    const isAnsweredWell = isGoodAnswer(answer);
    if (isAnsweredWell) this.#requests.good++;
    else this.#requests.failed++;
    const account = this.#options.accounts.get(Number(request.path.split('/').at(-1)));
    const secret = headerValues(request.rawHeaders, WEBHOOK_SECRET_HEADER)[0];
    // How the secret is sent is not specified, so a request without it is not judged.
    const hasRightSecret = secret === undefined || secret === this.#secretOf(account?.number ?? 0);
    const events = readEvents(request.body);
    if (!events.ok) this.#account.receivedStray('unreadable');
    else
      for (const event of events.value)
        this.#keep({ event, account, receipt: { atUs, isAnsweredWell, hasRightSecret } });
    return replyOf(answer);
  }

  isSettled(): boolean {
    if (!this.#isOwed) this.#oweRegistrations();
    this.#readUnread(this.#enough);
    this.#takeUpWaiting();
    return this.#account.owed === 0;
  }

  async reconcile(): Promise<WebhookTotals> {
    this.isSettled();
    this.#readUnread(0);
    if (this.#account.totals().classes.dropped > 0) await this.#waitForThirdRequests();
    const mostLooks = this.#account.hasServiceDied ? 0 : MOST_LOOKS;
    for (let look = 0; ; look++) {
      const totals = this.#account.totals(await this.#counters(), this.#requests);
      if (look >= mostLooks || totals.reconciliation.every(({ agrees }) => agrees)) return this.#final(totals);
      await sleep(systemClock, LOOK_EVERY_MS);
    }
  }

  async #waitForThirdRequests(): Promise<void> {
    const sinceUs = this.#options.sinceStartUs() - (this.#account.lastFailedUs ?? 0);
    await sleep(systemClock, Math.max(0, THIRD_REQUEST_US - sinceUs) / 1_000);
  }

  #final(totals: WebhookTotals): WebhookTotals {
    const left = sumOf([...this.#waiting.values()], ({ length }) => length);
    return { ...totals, strays: { ...totals.strays, 'unknown-job': totals.strays['unknown-job'] + left } };
  }

  async #counters(): Promise<ServiceCounters | undefined> {
    const { client } = this.#options;
    const lists = [];
    for (const [{ apiKey }, id] of this.#webhookIds) {
      const answer = await client.trySend({ method: 'GET', path: '/webhooks', apiKey });
      lists.push({ id, list: answer.ok ? answer.value.value : undefined });
    }
    return serviceCounters(lists);
  }

  #keep(one: Unread): void {
    this.#unread.push(one);
    const { length } = this.#unread;
    if (this.#places || length >= this.#nextLook) this.#readUnread(length < MOST_UNREAD ? this.#enough : 0);
  }

  #readUnread(enough: number): void {
    this.#places ??= placesIn(
      this.#unread.map(({ event }) => event),
      (id) => this.#ledger.rowOfJob(id) !== undefined,
      enough,
    );
    this.#nextLook = Math.max(1, 2 * this.#unread.length);
    if (this.#places) for (const one of this.#unread.splice(0)) this.#take(one, this.#places);
  }

  #take({ event, account, receipt }: Unread, places: EventPlaces): void {
    const read = readJobEvent(event, places);
    if (typeof read === 'string') return this.#account.receivedStray(read);
    const { jobId, state, uid, accountId } = read;
    const isForeign = typeof account?.id === 'number' && accountId !== account.id;
    if (isForeign) return this.#account.receivedStray('wrong-account');
    const waiting = this.#waiting.get(jobId);
    if (waiting) waiting.push({ state, uid, receipt });
    else this.#waiting.set(jobId, [{ state, uid, receipt }]);
    this.#takeUp(jobId);
  }

  #enter(row: number, { state, uid, receipt }: Waiting): void {
    if (state === 'sent_to_client' && this.#isSentAgain(row, uid)) return;
    // A service that knows the job may have registered, sent or expired it at any time since.
    for (const possible of ['new', 'sent_to_client', 'expired'] as const) this.#account.mayCome(row, possible);
    this.#account.received(row, state, receipt);
    if (state === 'expired') this.#ledger.expired(row);
    if (state === 'done' || state === 'error') this.#ledger.webhook(row, receipt.atUs);
  }

  /** Whether the event reports that a job was sent again, which is allowed and a separate event. */
  #isSentAgain(row: number, uid: string): boolean {
    const event = numberOf(uid);
    // In the order of rows, without holes: eight bytes each.
    while (this.#firstSent.length <= row) this.#firstSent.push(NONE);
    const first = this.#firstSent[row];
    if (first === NONE) this.#firstSent[row] = event;
    if (first === NONE || first === event) return false;
    if (!this.#sentAgain.has(uid)) this.#account.receivedStray('again');
    this.#sentAgain.add(uid);
    return true;
  }

  /** Each accepted job must cause the event of its registration. */
  #oweRegistrations(): void {
    this.#isOwed = true;
    let accepted = 0;
    for (let row = 0; row < this.#ledger.rows; row++) {
      if (!this.#ledger.isAccepted(row)) continue;
      this.#account.mustCome(row, 'new', this.#options.sinceStartUs());
      accepted++;
    }
    this.#enough = Math.min(ENOUGH, accepted);
  }

  #takeUpWaiting(): void {
    for (const jobId of this.#waiting.keys()) this.#takeUp(jobId);
  }

  /** In the order of arrival: what is allowed after a failure is not allowed after a success. */
  #takeUp(jobId: number): void {
    const row = this.#ledger.rowOfJob(jobId);
    if (row === undefined) return;
    const events = this.#waiting.get(jobId) ?? [];
    this.#waiting.delete(jobId);
    for (const event of events) this.#enter(row, event);
  }

  #answerAt(ms: number): ReceiverAnswer {
    const { webhooks } = this.#options.plan.scenario;
    if (!webhooks) return { answers: 'ok', delayMs: 0 };
    const { receiver, outage } = webhooks;
    const isOut = outage && ms >= outage.atMs && ms < outage.atMs + outage.forMs;
    return isOut ? outage.receiver : receiver;
  }

  #secretOf(account: number): string {
    return createRandom(this.#options.plan.seed).stream(`webhook of account ${account}`).hex(32);
  }
}

/** No event has this number. */
const NONE = -1;
/** In bytes: as much of a hash as a number holds exactly. */
const NUMBER_BYTES = 6;

/** Two of a job are told apart by it, and all of its events do not have to be kept as text. */
function numberOf(uid: string): number {
  return hash('sha1', uid, 'buffer').readUIntBE(0, NUMBER_BYTES);
}

const REPLIES: Readonly<Record<ReceiverAnswerName, Reply>> = {
  ok: WEBHOOK_REPLIES.ok,
  slow: WEBHOOK_REPLIES.ok,
  error: WEBHOOK_REPLIES['status 500'],
  hang: WEBHOOK_REPLIES.hang,
  reset: WEBHOOK_REPLIES.reset,
  'no-header': WEBHOOK_REPLIES['header missing'],
};

const GOOD: ReadonlySet<ReceiverAnswerName> = new Set(['ok', 'slow']);

function replyOf({ answers, delayMs }: ReceiverAnswer): Reply {
  return answers === 'slow' ? slow(delayMs, REPLIES.slow) : REPLIES[answers];
}

/** Whether it is a success by the specification. */
function isGoodAnswer({ answers }: ReceiverAnswer): boolean {
  return GOOD.has(answers);
}

/**
 * The service's own counts, summed over our webhooks; undefined when one cannot be read.
 *
 * @param lists - answers of GET /webhooks, with the ids of our webhooks
 */
function serviceCounters(
  lists: readonly { readonly id: number; readonly list: unknown }[],
): ServiceCounters | undefined {
  const sums = sumsOf(STATISTICS, []);
  for (const { id, list } of lists) {
    const webhook = Array.isArray(list) ? list.find((one) => valueAt(one, 'webhookId') === id) : undefined;
    for (const counter of STATISTICS) {
      const count = measureIn(webhook, counter, 'counts');
      if (count === undefined) return undefined;
      sums[counter] += count;
    }
  }
  return sums;
}
