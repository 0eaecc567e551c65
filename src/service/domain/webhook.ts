/**
 * Webhooks: which events an account wants, and where.
 */

import { z } from 'zod';

import { STATISTICS, type EVENT_TYPES, type Statistic } from '../../specification/fields.ts';
import { EVERY_MESSAGE } from '../../specification/inputs.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Database } from '../store/database.ts';
import { Records } from '../store/records.ts';
import { STORED_COUNT, type DecayingCount, type DecayingCounts, type Measure } from './decaying-count.ts';

/** Spelt in `messages` as in the events themselves (choice: gap/message-identifiers). */
export type EventType = (typeof EVENT_TYPES)[number];

export interface Webhook {
  readonly id: number;
  readonly accountId: number;
  url: string;
  secret: string;
  messages: readonly string[];
  statistics: Record<Statistic, DecayingCount>;
}

export type WebhookFields = Pick<Webhook, 'url' | 'secret' | 'messages'>;

/** What a stored webhook has to have. */
export const STORED_WEBHOOK: z.ZodType<Webhook> = z.object({
  id: z.int(),
  accountId: z.int(),
  url: z.string(),
  secret: z.string(),
  messages: z.array(z.string()),
  statistics: z.record(z.enum(STATISTICS), STORED_COUNT),
});

export class Webhooks {
  readonly #records: Records<Webhook>;
  readonly #counts: DecayingCounts;
  readonly #byId = new Map<number, Webhook>();

  constructor(database: Database, counts: DecayingCounts) {
    this.#records = new Records(database, 'webhook');
    this.#counts = counts;
    for (const webhook of this.#records.load(STORED_WEBHOOK)) this.#byId.set(webhook.id, webhook);
  }

  byId(id: number): Webhook | undefined {
    return this.#byId.get(id);
  }

  /** The webhooks of an account, by ascending id. */
  ofAccount(accountId: number): Webhook[] {
    return [...this.#byId.values()].filter((webhook) => webhook.accountId === accountId);
  }

  /** Whether the account may have another one. */
  hasRoom(accountId: number): boolean {
    return this.ofAccount(accountId).length < LIMITS.webhooksPerAccount.value;
  }

  create(accountId: number, fields: WebhookFields, nowMs: number): Webhook {
    const nothing = this.#counts.nothing(nowMs);
    const webhook: Webhook = {
      ...fields,
      id: this.#records.nextId(),
      accountId,
      statistics: {
        receivedEvents: nothing,
        droppedEvents: nothing,
        successfulRequests: nothing,
        failedRequests: nothing,
      },
    };
    this.#byId.set(webhook.id, webhook);
    this.#records.save(webhook);
    return webhook;
  }

  change(webhook: Webhook, fields: Partial<WebhookFields>): void {
    Object.assign(webhook, fields);
    this.#records.save(webhook);
  }

  remove(webhook: Webhook): void {
    this.#byId.delete(webhook.id);
    this.#records.remove(webhook.id);
  }

  /** Counts for a webhook, if it still exists. */
  count(webhookId: number, statistic: Statistic, happenings: number, nowMs: number): void {
    const webhook = this.#byId.get(webhookId);
    if (!webhook || happenings === 0) return;
    webhook.statistics[statistic] = this.#counts.add(webhook.statistics[statistic], happenings, nowMs);
    this.#records.save(webhook);
  }

  /** The Webhook object as callers see it. */
  describe(webhook: Webhook, nowMs: number, nesting: 'by-statistic' | 'by-measure'): object {
    const { id, url, secret, messages } = webhook;
    const byStatistic = Object.fromEntries(
      STATISTICS.map((statistic) => [statistic, this.#counts.read(webhook.statistics[statistic], nowMs)]),
    );
    const statistics = nesting === 'by-statistic' ? byStatistic : turnedInsideOut(byStatistic);
    return { webhookId: id, url, secret, messages, ...statistics };
  }
}

export function wants(webhook: Webhook, type: EventType): boolean {
  return webhook.messages.includes(EVERY_MESSAGE.value) || webhook.messages.includes(type);
}

function turnedInsideOut(byStatistic: Record<string, Readonly<Record<Measure, number>>>): object {
  const byMeasure: Record<string, Record<string, number>> = {};
  for (const [statistic, measures] of Object.entries(byStatistic)) {
    for (const [measure, value] of Object.entries(measures)) {
      byMeasure[measure] = { ...byMeasure[measure], [statistic]: value };
    }
  }
  return byMeasure;
}
