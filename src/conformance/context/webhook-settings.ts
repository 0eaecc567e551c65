/**
 * Webhooks as settings: making ones that lead nowhere, and reading lists of them with their statistics.
 *
 * How the five measures are nested in the four statistics is a gap: both `receivedEvents: {counts, …}` and
 * `counts: {receivedEvents, …}` are read.
 */

import { showValue } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { EVERY_MESSAGE } from '../../spec/inputs.ts';
import { asRecords, isId, isObject, type JsonObject } from '../expect/records.ts';
import { expectThat } from '../expect/that.ts';
import { expectBody, expectFound, expectSuccess, type Answer } from '../expect/answer.ts';
import type { ApiClient } from './api-client.ts';
import { CheckEnded } from './check-ended.ts';
import type { CheckContext } from './context.ts';
import { keysOf } from '../../common/keys-of.ts';
import { STATISTIC_MEASURES, type Statistic } from '../../spec/fields.ts';

export const EVERY_TYPE: readonly string[] = [EVERY_MESSAGE.value];
/** Types as events are said to have; how `messages` spells them is a gap. */
export const ONE_TYPE: readonly string[] = ['print job state'];
export const SETTING_FIELDS = ['webhookId', 'url', 'secret', 'messages'] as const;

export interface WebhookFields {
  readonly url: string;
  readonly secret: string;
  readonly messages: readonly string[];
}

/** Fields of a webhook that leads nowhere. */
export function newWebhookFields(context: CheckContext, more: Partial<WebhookFields> = {}): WebhookFields {
  const url = `https://receiver.example/${context.uniqueText('hook')}`;
  return { url, secret: context.uniqueText('secret'), messages: EVERY_TYPE, ...more };
}

export function webhookAt(answer: Answer, url: string): JsonObject | undefined {
  return asRecords(answer.value)?.find((record) => record['url'] === url);
}

export function webhookIdOf(record: JsonObject | undefined): number {
  return Number(record?.['webhookId']);
}

/** Creates a webhook that the check builds on. */
export async function createWebhook(context: CheckContext, fields: WebhookFields, api = context.api): Promise<number> {
  return createdId(context, await api.post('/webhook', fields), fields);
}

/** As createWebhook, for messages that a target may spell differently. */
export async function createTypedWebhook(context: CheckContext, fields: WebhookFields): Promise<number> {
  const answer = await context.api.post('/webhook', fields);
  if (answer.status >= 400 && answer.status < 500) {
    throw new CheckEnded('inconclusive', 'the target may spell message types differently');
  }
  return createdId(context, answer, fields);
}

function createdId({ require }: CheckContext, answer: Answer, { url }: WebhookFields): number {
  const id = webhookAt(answer, url)?.['webhookId'];
  require(expectSuccess(answer), expectBody(answer, 'the new webhook among others', () => isId(id)));
  return Number(id);
}

/** Identity and settings of each webhook of a list, without what changes by itself. */
export function settingsOf(answer: Answer): readonly JsonObject[] | undefined {
  return asRecords(answer.value)?.map((record) =>
    Object.fromEntries(SETTING_FIELDS.map((field) => [field, record[field]])),
  );
}

export async function listWebhooks(context: CheckContext, api = context.api): Promise<readonly JsonObject[]> {
  const answer = await api.get('/webhooks');
  const found = settingsOf(answer);
  context.require(expectFound(answer, 'an array of webhooks', () => found !== undefined));
  return found ?? [];
}

/** Expects that an answer shows what GET /webhooks shows right after it. */
export async function expectList(answer: Answer, api: ApiClient): Promise<Mismatch | undefined> {
  const after = settingsOf(await api.get('/webhooks'));
  const shown = settingsOf(answer);
  const same = shown !== undefined && JSON.stringify(shown) === JSON.stringify(after);
  return (
    expectSuccess(answer) ??
    expectThat(
      same,
      `body of ${answer.request}`,
      `what GET /webhooks shows: ${showValue(after)}`,
      shown ?? answer.value,
    )
  );
}

export function expectUnchanged(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  what: string,
): Mismatch | undefined {
  const same = JSON.stringify(before) === JSON.stringify(after);
  return expectThat(same, `webhooks after ${what}`, showValue(before), after);
}

export function expectValue(record: JsonObject | undefined, field: string, wanted: unknown): Mismatch | undefined {
  const actual = record?.[field];
  const same = JSON.stringify(actual) === JSON.stringify(wanted);
  return expectThat(same, `${field} of the webhook`, showValue(wanted), actual);
}

export type Measure = keyof typeof STATISTIC_MEASURES;

export const MEASURES = keysOf(STATISTIC_MEASURES);

/** A measure of a statistic as it is shown, or undefined when it is not. */
export function measureOf(webhook: JsonObject, statistic: Statistic, measure: Measure): unknown {
  return within(webhook, statistic, measure) ?? within(webhook, measure, statistic);
}

/** Which way round they are nested. */
export function nestingOf(webhook: JsonObject): string {
  if (within(webhook, 'receivedEvents', 'counts') !== undefined) return 'receivedEvents: {counts, …}';
  if (within(webhook, 'counts', 'receivedEvents') !== undefined) return 'counts: {receivedEvents, …}';
  return 'neither by statistic nor by measure';
}

function within(webhook: JsonObject, outer: string, inner: string): unknown {
  const group = webhook[outer];
  return isObject(group) ? group[inner] : undefined;
}
