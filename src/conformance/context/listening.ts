/**
 * Listening: webhooks of a check and the receiver that they lead to, on the clock of the target.
 *
 *   listen() ─► POST /webhook with an address of its own ─► what arrives there, reply by reply as planned
 *
 * One receiver serves all webhooks of a check. After the check every webhook that it made is removed,
 * by its address, also one that the service should have refused.
 */

import type { Duration } from '../../common/duration.ts';
import { messageOf } from '../../common/error-message.ts';
import { showValue, type JsonObject } from '../../common/json-value.ts';
import type { ReplyPlan } from '../../sink/reply-plan.ts';
import { startWebhookReceiver, type WebhookDelivery, type WebhookReceiver } from '../../sink/webhook-receiver.ts';
import { EVERY_MESSAGE } from '../../specification/inputs.ts';
import type { Target } from '../../targets/target.ts';
import { asRecords, isId } from '../expect/records.ts';
import { lateMs, TOLERANCES } from '../expect/tolerances.ts';
import type { ApiClient } from './api-client.ts';
import { CheckEnded, ifOffered } from './check-ended.ts';
import type { Owner, OwnerAccess } from './computers.ts';
import { inTime } from './in-time.ts';
import { ABSENT_STATUSES } from './offers.ts';
import type { Traffic } from './traffic.ts';

export interface ListenPlan {
  /** Whose webhook it is; one that the check knows how to act for may be named too. */
  readonly owner?: Owner | Pick<OwnerAccess, 'api'>;
  /** Types that trigger it; every type unless given. */
  readonly messages?: readonly string[];
  readonly secret?: string;
  /** How its requests are answered; with success unless given. */
  readonly replies?: ReplyPlan;
  /** The query of its url; without one unless given. */
  readonly query?: string;
}

/** One webhook and what arrived for it. */
export interface Listener {
  readonly webhookId: number;
  readonly url: string;
  readonly secret: string;
  /** Requests so far, oldest first. */
  readonly requests: readonly WebhookDelivery[];
  /** From now on its requests are answered by this plan. */
  answer(replies: ReplyPlan): void;
  /**
   * The requests as soon as there are `count` of them, or those that came within the limit.
   *
   * @param dueMs - no further one is due before this time
   */
  waitForRequests(count: number, limit?: Duration, dueMs?: number): Promise<readonly WebhookDelivery[]>;
}

export interface Listening {
  /** A webhook that leads to a new address of the receiver. Ends the check when it is not created. */
  listen(plan?: ListenPlan): Promise<Listener>;
  /** An address of the receiver that no webhook leads to yet; requests there count as its own. */
  address(): Promise<ListeningAddress>;
  /** Ends the receiver and removes the webhooks; a line for each that could not be removed. */
  close(): Promise<readonly string[]>;
}

export type ListeningAddress = Omit<Listener, 'webhookId' | 'secret'>;

export interface ListeningOptions {
  readonly target: Target;
  readonly owners: Readonly<Record<Owner, OwnerAccess>>;
  /** Names addresses. */
  readonly uniqueText: (what: string) => string;
  /** Addresses of the webhooks that the check has made. */
  readonly webhookUrls: ReadonlySet<string>;
  /** Webhooks that the check was shown, which may be gone. */
  readonly shownWebhooks: () => readonly JsonObject[];
  /** Keeps what arrived. */
  readonly traffic: Traffic;
}

/** For a request that is due at once, beyond what is tolerated. */
const ARRIVAL_LIMIT_MS = 1_500;
const LOOK_EVERY_MS = 100;
/** Whatever carries it, nothing in it has to be escaped. */
const SECRET = 'Sec_ret.~';

export function createListening(options: ListeningOptions): Listening {
  const { target, owners, uniqueText, webhookUrls, shownWebhooks, traffic } = options;
  let starting: Promise<WebhookReceiver> | undefined;

  const arrivalLimitMs = ARRIVAL_LIMIT_MS + lateMs(TOLERANCES.eventLate, target);

  const address = async (query = ''): Promise<ListeningAddress> => {
    const { clock, timekeeper } = target;
    const { callbackHost: publicHost, callbackAddress: publicAddress } = target;
    starting ??= startWebhookReceiver({
      clock,
      ...(publicHost !== undefined && { publicHost }),
      ...(publicAddress !== undefined && { publicAddress }),
    });
    const receiver = await starting;
    const path = `/Hook/${uniqueText('hook')}`;
    const requests = (): readonly WebhookDelivery[] => receiver.log.to(path);
    return {
      url: receiver.url + path + query,
      get requests() {
        return requests();
      },
      answer: (replies) => receiver.plan(path, replies),
      async waitForRequests(count, limit = arrivalLimitMs, dueMs) {
        const probe = (): true | undefined => (requests().length >= count ? true : undefined);
        const description = `request ${count} of a webhook`;
        await inTime({ description, limit, every: LOOK_EVERY_MS, timekeeper, probe }, dueMs);
        return requests();
      },
    };
  };

  return {
    address: () => address(),
    async listen({ owner = 'account', messages = [EVERY_MESSAGE.value], secret, replies, query } = {}) {
      const place = await address(query);
      if (replies) place.answer(replies);
      const fields = { url: place.url, secret: secret ?? uniqueText(SECRET), messages };
      const { api } = typeof owner === 'string' ? owners[owner] : owner;
      const webhookId = await createWebhook(api, fields);
      // Not spread: `requests` would be read once and for all.
      return Object.assign(place, { webhookId, secret: fields.secret });
    },
    async close() {
      const problems: string[] = [];
      if (webhookUrls.size > 0) {
        const ours = target.secondApiKey === undefined ? [owners.account] : Object.values(owners);
        for (const { cleaner } of ours) await removeWebhooks(cleaner, webhookUrls, shownWebhooks, problems);
      }
      const receiver = await starting;
      traffic.deliveries.push(...(receiver?.log.entries ?? []));
      await receiver?.close();
      return problems;
    },
  };
}

/** Creates a webhook that the check builds on, and returns its id. Ends the check when that fails. */
async function createWebhook(
  api: ApiClient,
  fields: { readonly url: string; readonly secret: string; readonly messages: readonly string[] },
): Promise<number> {
  const answer = await api.post('/webhook', fields);
  const id = asRecords(answer.value)?.find(({ url }) => url === fields.url)?.['webhookId'];
  if (answer.status < 300 && isId(id)) return id;
  const shown = `status ${answer.status} with ${showValue(answer.value)}`;
  throw new CheckEnded('blocked', `POST /webhook for ${fields.messages.join()} answered ${shown}`);
}

async function removeWebhooks(
  api: ApiClient,
  urls: ReadonlySet<string>,
  shown: () => readonly JsonObject[],
  problems: string[],
): Promise<void> {
  try {
    const list = await ifOffered(api.get('/webhooks'));
    const isListed = list !== undefined && !ABSENT_STATUSES.has(list.status);
    const records = isListed ? (asRecords(list.value) ?? []) : shown();
    const ours = records.filter(({ url }) => typeof url === 'string' && urls.has(url));
    for (const webhookId of new Set(ours.map((record) => record['webhookId']))) {
      const { status } = await api.delete(`/webhook/${String(webhookId)}`);
      const isGone = !isListed && ABSENT_STATUSES.has(status);
      if (status >= 300 && !isGone)
        problems.push(`not cleaned up: DELETE /webhook/${String(webhookId)} answered ${status}`);
    }
  } catch (error) {
    problems.push(`not cleaned up: ${messageOf(error)}`);
  }
}
