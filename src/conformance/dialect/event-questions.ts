/** Questions about webhooks and scales. */

import { isObject } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { VIRTUAL_SCALE, type EVENT_TYPES } from '../../specification/fields.ts';
import type { ApiClient } from '../context/api-client.ts';
import { ifOffered } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { makeEvent } from '../context/events.ts';
import { newKey } from '../context/keys-and-tags.ts';
import type { Listener } from '../context/listening.ts';
import { scalePath } from '../context/scales.ts';
import { createWebhook, nestingIn, newWebhookFields } from '../context/webhook-settings.ts';
import { expectFound, expectSuccess, type Answer } from '../expect/answer.ts';
import { asRecords } from '../expect/records.ts';
import { untold, type Questions } from './question.ts';

type EventType = (typeof EVENT_TYPES)[number];
type EventQuestion = 'statistics-nesting' | 'message-types' | 'simulated-reading';

/** An account that nothing else uses, where one can be made: it has no webhooks, and a simulated scale of its own. */
async function freshAccount({ api, children, target }: CheckContext): Promise<ApiClient> {
  const child = target.isIntegrator === true ? await ifOffered(children.create()) : undefined;
  return child?.api ?? api;
}

/** How a type may be spelt; as events spell it first. In paths, print jobs are one word. */
function spellingsOf(type: EventType): readonly string[] {
  return [...new Set([type, type.replace('print job', 'printjob')].flatMap(spellingsOfWords))];
}

function spellingsOfWords(type: string): readonly string[] {
  const words = type.split(' ');
  const capital = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const camel = [...words.slice(0, 1), ...capital.slice(1)].join('');
  const joined = ['_', '-', '.', ':'].map((sign) => words.join(sign));
  return [type, ...joined, camel, capital.join(''), words.join('_').toUpperCase()];
}

/** Whether a webhook for this type can be made; it is removed at once, since an account may have only five. */
async function isTaken(context: CheckContext, api: ApiClient, type: string): Promise<boolean> {
  const fields = newWebhookFields(context, { messages: [type] });
  const answer = await api.post('/webhook', fields);
  if (expectSuccess(answer) !== undefined) return false;
  const id = asRecords(answer.value)?.find(({ url }) => url === fields.url)?.['webhookId'];
  context.require(expectSuccess(await api.delete(`/webhook/${String(id)}`)));
  return true;
}

async function spellingOf(context: CheckContext, api: ApiClient, type: EventType): Promise<string> {
  for (const spelling of spellingsOf(type)) if (await isTaken(context, api, spelling)) return spelling;
  return untold(`no spelling of ${type} that was tried is taken`);
}

/** Webhooks of one account at a time, beside one of its own. */
const LISTENERS = 4;
const SETTLING = '1s';
const ANY_TAKEN =
  'any string is taken as a type, so that trying does not tell; `dialect: {message-types: …}` of the descriptor can';

/** The spelling of a service that takes any string as a type: the one whose webhook hears of what happens. */
async function heardSpelling(context: CheckContext, type: EventType): Promise<string> {
  if (context.target.link === undefined) return untold(ANY_TAKEN);
  const spellings = spellingsOf(type);
  for (let from = 0; from < spellings.length; from += LISTENERS) {
    const listeners: { readonly spelling: string; readonly listener: Listener }[] = [];
    for (const spelling of spellings.slice(from, from + LISTENERS)) {
      listeners.push({ spelling, listener: await context.listening.listen({ messages: [spelling] }) });
    }
    const computer = await context.computers.away();
    await makeEvent(context, computer.printerId);
    await context.elapse(SETTLING);
    const heard = listeners.find(({ listener }) => listener.requests.length > 0);
    for (const { listener } of listeners) {
      context.require(expectSuccess(await context.api.delete(`/webhook/${listener.webhookId}`)));
    }
    if (heard) return heard.spelling;
  }
  return untold(ANY_TAKEN);
}

/** Bodies of PUT /scale that are tried: none, and what a reading has. */
const READINGS = [undefined, {}, { mass: [779_000_000, null], measurement: { g: 779_000_000_000 } }] as const;

/** The first body that PUT /scale takes, and what there is to be read after it. */
async function takenReading(
  api: ApiClient,
): Promise<{ readonly body: (typeof READINGS)[number]; readonly shown: Answer }> {
  const { computerId, deviceName, deviceNum } = VIRTUAL_SCALE;
  const path = scalePath(computerId.value, deviceName.value, deviceNum.value);
  for (const body of READINGS) {
    if (expectSuccess(await api.put('/scale', body)) === undefined) return { body, shown: await api.get(path) };
  }
  return untold('no body of PUT /scale that was tried is taken');
}

const expectReading = (shown: Answer): Mismatch | undefined =>
  expectFound(shown, 'the simulated measurement', isObject);

async function ownKeyOf(context: CheckContext, api: ApiClient): Promise<ApiClient> {
  return context.callAs(await newKey(context, api, 'asked'));
}

export const EVENT_QUESTIONS: Questions<EventQuestion> = {
  'statistics-nesting': {
    gap: 'gap/webhook-statistics-nesting',
    async ask(context) {
      const api = await freshAccount(context);
      const fields = newWebhookFields(context);
      await createWebhook(context, fields, api);
      const answer = await api.get('/webhooks');
      const webhook = asRecords(answer.value)?.find(({ url }) => url === fields.url) ?? {};
      return nestingIn(webhook) ?? untold(`${answer.request} shows nowhere the counts of receivedEvents`);
    },
    words: (place) => `a webhook has a measure of a statistic at ${place}`,
  },
  'message-types': {
    gap: 'gap/message-identifiers',
    async ask(context) {
      const api = await freshAccount(context);
      const takesAny = await isTaken(context, api, context.uniqueText('type'));
      const find = async (type: EventType): Promise<string> =>
        takesAny ? heardSpelling(context, type) : spellingOf(context, api, type);
      return { 'computer state': await find('computer state'), 'print job state': await find('print job state') };
    },
    words: (spelt) => `message types are spelt ${Object.values(spelt).join(' and ')}`,
  },
  'simulated-reading': {
    gap: 'gap/simulate-scale-request',
    async ask(context) {
      const api = await freshAccount(context);
      const { body, shown } = await takenReading(api);
      if (!context.target.isIntegrator || expectReading(shown) === undefined) context.require(expectReading(shown));
      // A service that overlooks Child headers here is to be accused of that, and of nothing else.
      else context.require(expectReading((await takenReading(await ownKeyOf(context, api))).shown));
      return body === undefined ? {} : { body: { ...body } };
    },
    words: ({ body }) => `PUT /scale is sent with ${body === undefined ? 'no body' : JSON.stringify(body)}`,
  },
};
