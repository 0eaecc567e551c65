/** What a target does with webhooks and events where the specification shows nothing. */

import { WEBHOOK_REPLIES } from '../../sink/reply-plan.ts';
import { slow } from '../../sink/reply.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Rules } from '../check.ts';
import { newKey } from '../context/keys-and-tags.ts';
import { expectSuccess, type Answer } from '../expect/answer.ts';
import type { CheckContext } from '../context/context.ts';
import {
  eventsOf,
  expectRequests,
  makeEvent,
  placesOfSecret,
  untilDueArrived,
  type SeenEvent,
} from '../context/events.ts';
import { requestOf } from '../context/event-requests.ts';
import { createWebhook, nestingIn, newWebhookFields, type WebhookFields } from '../context/webhook-settings.ts';
import { datetimeMs } from '../../common/timestamp.ts';
import { asRecords } from '../expect/records.ts';
import { gapCheck, seen, shapeOf } from './gap-check.ts';

/** Longer than any service waits. */
const FOR_EVER = '1h';

function create(context: CheckContext, more?: Partial<WebhookFields>): Promise<Answer> {
  return context.api.post('/webhook', newWebhookFields(context, more));
}

/** What a webhook is sent when a computer connects and leaves and gets a job. */
async function furnishedEvents(context: CheckContext): Promise<readonly SeenEvent[]> {
  const listener = await context.listening.listen();
  const { printerId } = await context.computers.away();
  await makeEvent(context, printerId);
  await untilDueArrived(context);
  const events = eventsOf(listener.requests);
  context.require(expectRequests(listener.requests, events.length > 0, 'requests of a webhook', 'events'));
  return events;
}

/** The different shapes of the data of events of a type. */
function dataShapes(type: string): (context: CheckContext) => Promise<readonly string[]> {
  return async (context) => {
    const events = (await furnishedEvents(context)).filter(({ object }) => object['type'] === type);
    return [...new Set(events.map(({ object }) => shapeOf(object['data'])))];
  };
}

export const WEBHOOK_GAP_RULES: Rules = {
  ...gapCheck(
    'gap/webhook-statistics-nesting',
    [],
    async (context) => {
      const answer = await create(context);
      context.require(expectSuccess(answer));
      return [nestingIn(asRecords(answer.value)?.[0] ?? {}) ?? 'in no place that names both'];
    },
    ['account/webhooks'],
  ),
  ...gapCheck(
    'gap/webhooks-order',
    [],
    async (context) => {
      context.require(expectSuccess(await create(context)));
      const answer = await create(context);
      const ids = (asRecords(answer.value) ?? []).map(({ webhookId }) => Number(webhookId));
      const isSorted = (sign: number): boolean =>
        ids.every((id, index) => index === 0 || sign * (id - (ids[index - 1] ?? 0)) > 0);
      if (isSorted(-1)) return ['newest first'];
      return [isSorted(1) ? 'oldest first' : 'neither newest nor oldest first'];
    },
    ['account/webhooks'],
  ),
  ...gapCheck(
    'gap/webhook-sixth-code',
    [],
    async (context) => {
      let last = await create(context);
      for (let count = 0; count < LIMITS.webhooksPerAccount.value && last.status < 300; count++) {
        last = await create(context);
      }
      return [seen('POST /webhook', last)];
    },
    ['account/webhooks'],
  ),
  ...gapCheck(
    'gap/message-identifiers',
    [],
    async (context) => {
      const lines: string[] = [];
      for (const message of ['computer state', 'print job state', 'ComputerState', 'no such type']) {
        const { status } = await create(context, { messages: [message] });
        lines.push(`${message}: ${status < 300 ? 'taken' : `refused with ${status}`}`);
      }
      return lines;
    },
    ['account/webhooks'],
  ),
  ...gapCheck(
    'gap/unknown-webhook',
    [],
    async (context) => {
      const id = await createWebhook(context, newWebhookFields(context));
      context.require(expectSuccess(await context.api.delete(`/webhook/${id}`)));
      const patched = await context.api.patch(`/webhook/${id}`, {});
      return [seen('PATCH', patched), seen('DELETE', await context.api.delete(`/webhook/${id}`))];
    },
    ['account/webhooks'],
  ),
  ...gapCheck('gap/message-types-all', ['computer', 'webhook-receiver'], async (context) => {
    const types = new Set((await furnishedEvents(context)).map(({ object }) => String(object['type'])));
    return [`seen: ${[...types].toSorted().join(', ')}`];
  }),
  ...gapCheck('gap/event-order', ['computer', 'webhook-receiver'], async (context) => {
    const failOnce = { first: [WEBHOOK_REPLIES['status 500']], lasting: WEBHOOK_REPLIES.ok };
    const listener = await context.listening.listen({ replies: failOnce });
    const { printerId } = await context.computers.away();
    await requestOf(context, listener, 1);
    for (let count = 0; count < 3; count++) await makeEvent(context, printerId);
    const again = await requestOf(context, listener, 2);
    const times = eventsOf([again]).map(({ object }) => datetimeMs(object['createdAt']) ?? Number.NaN);
    const isSorted = (sign: number): boolean =>
      times.every((ms, index) => index === 0 || sign * (ms - (times[index - 1] ?? 0)) >= 0);
    if (isSorted(1)) return ['the oldest first'];
    return [isSorted(-1) ? 'the newest first' : 'in no order'];
  }),
  ...gapCheck('gap/computer-event-data', ['computer', 'webhook-receiver'], dataShapes('computer state')),
  ...gapCheck('gap/print-job-event-data', ['computer', 'webhook-receiver'], dataShapes('print job state')),
  ...gapCheck('gap/secret-transmission', ['computer', 'webhook-receiver'], async (context) => {
    const listener = await context.listening.listen();
    await context.computers.away();
    const places = placesOfSecret(await requestOf(context, listener, 1), listener.secret);
    return places.length > 0 ? places : ['nowhere in the request'];
  }),
  ...gapCheck('gap/webhook-request-timeout', ['computer', 'webhook-receiver', 'virtual-clock'], async (context) => {
    const replies = { first: [slow(FOR_EVER, WEBHOOK_REPLIES.ok)], lasting: WEBHOOK_REPLIES.ok };
    const listener = await context.listening.listen({ replies });
    await context.computers.away();
    const first = await requestOf(context, listener, 1);
    const [, next] = await listener.waitForRequests(2, FOR_EVER);
    if (!next) return [`more than ${FOR_EVER}`];
    const delay = LIMITS.webhookRetryDelaySeconds;
    const waited = next.arrivedAtMs - first.arrivedAtMs - delay.value * 1_000;
    return [`${Math.round(waited / 1_000)} seconds`];
  }),
  ...gapCheck('gap/webhook-target-identity', ['computer', 'webhook-receiver'], async (context) => {
    const { printerId } = await context.computers.away();
    const place = await context.listening.address();
    context.require(expectSuccess(await create(context, { url: place.url })));
    const second = await create(context, { url: place.url });
    if (second.status >= 300) return [`a second webhook with one url: ${second.status}`];
    await makeEvent(context, printerId);
    await untilDueArrived(context);
    return [`two webhooks with one url: ${place.requests.length} requests for one event`];
  }),
  ...gapCheck(
    'gap/webhook-of-integrator',
    ['child-account', 'computer', 'webhook-receiver'],
    async (context) => {
      const child = await context.children.create();
      const apiKey = await newKey(context, child.api, 'events');
      const listener = await context.listening.listen();
      await context.computers.away({ owner: { ...child, apiKey } });
      await untilDueArrived(context);
      const hears = eventsOf(listener.requests).some(({ object }) => object['accountId'] === child.id);
      return [`a webhook of the Integrator ${hears ? 'gets' : 'does not get'} the events of a Child`];
    },
    ['account/webhooks'],
  ),
};
