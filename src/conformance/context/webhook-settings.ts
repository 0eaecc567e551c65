/**
 * Webhooks as settings: making ones that lead nowhere, and reading lists of them with their statistics.
 *
 * How the five measures are nested in the four statistics is a gap: they are read where the target has them.
 */

import { type JsonObject, showValue } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { EVERY_MESSAGE } from '../../specification/inputs.ts';
import { asRecords, isId } from '../expect/records.ts';
import { leavesOf, valueAt } from '../../common/places.ts';
import { expectThat, sameJson } from '../expect/that.ts';
import { expectBody, expectFound, expectSuccess, textsIn, type Answer } from '../expect/answer.ts';
import { OR } from '../../targets/dialect.ts';
import type { ApiClient } from './api-client.ts';
import type { CheckContext } from './context.ts';
import { keysOf } from '../../common/keys-of.ts';
import { STATISTIC_MEASURES, type Statistic } from '../../specification/fields.ts';

export const EVERY_TYPE: readonly string[] = [EVERY_MESSAGE.value];
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

/** Messages of one type, as the target spells it. */
export async function oneType({ speak }: CheckContext): Promise<readonly string[]> {
  return [(await speak('message-types'))['print job state']];
}

/** Creates a webhook that the check builds on. */
export async function createWebhook(context: CheckContext, fields: WebhookFields, api = context.api): Promise<number> {
  const answer = await api.post('/webhook', fields);
  const id = webhookAt(answer, fields.url)?.['webhookId'];
  context.require(
    expectSuccess(answer),
    expectBody(answer, 'the new webhook among others', () => isId(id)),
  );
  return Number(id);
}

/** Identity and settings of each webhook of a list, by id, without what changes by itself. */
export function settingsOf(answer: Answer): readonly JsonObject[] | undefined {
  return asRecords(answer.value)
    ?.map((record) => Object.fromEntries(SETTING_FIELDS.map((field) => [field, record[field]])))
    .toSorted((left, right) => webhookIdOf(left) - webhookIdOf(right));
}

export async function listWebhooks(context: CheckContext, api = context.api): Promise<readonly JsonObject[]> {
  const answer = await api.get('/webhooks');
  const found = settingsOf(answer);
  context.require(expectFound(answer, 'an array of webhooks', () => found !== undefined));
  return found ?? [];
}

/** Expects that an answer shows what GET /webhooks shows right after it, or what it showed `before`. */
export async function expectList(
  answer: Answer,
  api: ApiClient,
  before?: readonly JsonObject[],
): Promise<Mismatch | undefined> {
  const after = settingsOf(await api.get('/webhooks'));
  const shown = settingsOf(answer);
  const same = shown !== undefined && [after, before].some((list) => list !== undefined && sameJson(shown, list));
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
  const same = sameJson(before, after);
  return expectThat(same, `webhooks after ${what}`, showValue(before), after);
}

export function expectValue(record: JsonObject | undefined, field: string, wanted: unknown): Mismatch | undefined {
  const actual = record?.[field];
  const same = sameJson(actual, wanted);
  return expectThat(same, `${field} of the webhook`, showValue(wanted), actual);
}

export type Measure = keyof typeof STATISTIC_MEASURES;

export const MEASURES = keysOf(STATISTIC_MEASURES);

/** Where a webhook has its measures, such as `{statistic}.{measure}`; undefined where no place names both. */
export function nestingIn(webhook: JsonObject): string | undefined {
  const leaves = leavesOf(webhook).map(([place, leaf]) => ({ parts: place.split('.'), leaf }));
  const ofOne = leaves.filter(({ parts }) => parts.includes('receivedEvents'));
  const found = MEASURES.flatMap((measure) => {
    const named = ofOne.find(({ parts }) => parts.includes(measure))?.parts ?? namedInList(ofOne, measure);
    const general: Readonly<Record<string, string>> = { receivedEvents: '{statistic}', [measure]: '{measure}' };
    return named?.map((part) => general[part] ?? part).join('.') ?? [];
  });
  return found.length === 0 ? undefined : [...new Set(found)].join(OR);
}

interface Leaf {
  readonly parts: readonly string[];
  readonly leaf: string | number;
}

/** The number in an element of a list that has the measure in another place. */
function namedInList(leaves: readonly Leaf[], measure: Measure): readonly string[] | undefined {
  const name = leaves.find(({ leaf }) => leaf === measure)?.parts ?? [];
  const element = name.slice(0, -1);
  const isIn = ({ parts }: Leaf): boolean => element.every((part, index) => parts[index] === part);
  const number = leaves.find((one) => typeof one.leaf === 'number' && isIn(one));
  if (element.length === 0 || !number) return undefined;
  return [...element.slice(0, -1), `${name.at(-1) ?? ''}={measure}`, ...number.parts.slice(element.length)];
}

/** A measure of a statistic as it is shown at one of these places, or undefined when it is not. */
export function measureOf(webhook: JsonObject, nesting: string, statistic: Statistic, measure: Measure): unknown {
  return nesting
    .split(OR)
    .map((place) => valueAt(webhook, place.replace('{statistic}', statistic).replace('{measure}', measure)))
    .find((value) => value !== undefined);
}

/** Whether a webhook has the measure of a statistic, however the two are nested. */
export function showsMeasure(webhook: JsonObject, statistic: Statistic, measure: Measure): boolean {
  return textsIn(webhook[statistic]).includes(measure) || textsIn(webhook[measure]).includes(statistic);
}
