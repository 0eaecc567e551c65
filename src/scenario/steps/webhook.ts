/**
 * Webhooks: the caller adds, changes and deletes them; its receiver answers in all the ways of real ones.
 */

import { z } from 'zod';

import { duration } from '../../common/duration-schema.ts';
import { showValue } from '../../common/json-value.ts';
import { slow, type Reply } from '../../sink/reply.ts';
import { WEBHOOK_REPLIES } from '../../sink/reply-plan.ts';
import type { GapId } from '../../specification/gaps.ts';
import type { ServiceAnswer } from '../../targets/service-client.ts';
import { answeredStatus, isAnswered, isPatientFor, type AnsweredStatus } from '../vocabulary/answers.ts';
import { gives, uses } from '../vocabulary/names.ts';
import { eventType, name } from '../vocabulary/schema-types.ts';
import type { Setup } from '../setup/setup.ts';
import { KEPT, outcomeOf, type StepOutcome } from '../vocabulary/outcome.ts';
import { stepKind } from './step.ts';

const replyName = z.enum(Object.keys(WEBHOOK_REPLIES) as [keyof typeof WEBHOOK_REPLIES]);
const reply = z.union([
  replyName,
  z.strictObject({
    reply: replyName,
    after: duration.describe('How long the receiver waits before it answers.'),
  }),
]);

const addArgs = z.strictObject({
  as: name.describe('Its name for later steps and expectations; also its path on the receiver.'),
  messages: z.array(eventType).default(['*']).describe('The events it subscribes to.'),
  secret: z.string().default('s3cret'),
  answers: answeredStatus.default('success'),
});

export const addWebhook = stepKind<z.output<typeof addArgs>>({
  about: 'The caller adds a webhook to its receiver.',
  args: addArgs,
  summary: ({ as }) => `add the webhook ${as}`,
  names: ({ as, answers }) => (isAnswered(answers, 200) || isAnswered(answers, 201) ? gives('webhook', as, 'as') : []),
  async run({ as, messages, secret, answers }, setup) {
    const path = `/${encodeURIComponent(as)}`;
    const url = (await setup.sinks.receiver()).url + path;
    const answer = await setup.api.send({
      method: 'POST',
      path: '/webhook',
      json: { url, secret, messages: spelt(messages, setup) },
      isPatient: isPatientFor(answers, setup),
    });
    const id = idOf(answer.value, url);
    if (id !== undefined) setup.webhooks.set(as, { id, path });
    const isSpeltOpenly = answers === 'success' && messages.some((type) => type !== '*');
    return expectStatus(`answer to adding the webhook ${as}`, answers, answer, isSpeltOpenly ? SPELLING : undefined);
  },
});

const changeArgs = z.strictObject({
  webhook: name.describe('The webhook.'),
  path: z.string().startsWith('/').exactOptional().describe('Its new path on the receiver.'),
  messages: z.array(eventType).exactOptional(),
  secret: z.string().exactOptional(),
});

export const changeWebhook = stepKind<z.output<typeof changeArgs>>({
  about: 'The caller changes a webhook.',
  args: changeArgs,
  summary: ({ webhook }) => `change the webhook ${webhook}`,
  names: ({ webhook }) => uses('webhook', webhook, 'webhook'),
  async run({ webhook, path, messages, ...changes }, setup) {
    const url = path === undefined ? {} : { url: (await setup.sinks.receiver()).url + path };
    const json = { ...url, ...changes, ...(messages && { messages: spelt(messages, setup) }) };
    const answer = await setup.api.send({
      method: 'PATCH',
      path: `/webhook/${idNamed(webhook, setup)}`,
      json,
      isPatient: isPatientFor('success', setup),
    });
    return expectStatus(`answer to changing the webhook ${webhook}`, 'success', answer, messages && SPELLING);
  },
});

export const deleteWebhook = stepKind({
  about: 'The caller deletes a webhook.',
  args: name,
  summary: (webhook) => `delete the webhook ${webhook}`,
  names: (webhook) => uses('webhook', webhook),
  async run(webhook, setup) {
    const path = `/webhook/${idNamed(webhook, setup)}`;
    const answer = await setup.api.send({ method: 'DELETE', path, isPatient: isPatientFor('success', setup) });
    return expectStatus(`answer to deleting the webhook ${webhook}`, 'success', answer);
  },
});

const replyArgs = z.strictObject({
  webhook: name.describe('The webhook.'),
  first: z.array(reply).default([]).describe('Replies to the next requests, one each.'),
  lasting: reply.default('ok').describe('The reply to all later requests.'),
});

export const receiverReplies = stepKind<z.output<typeof replyArgs>>({
  about: 'From now on the receiver of a webhook answers like this.',
  args: replyArgs,
  summary: ({ webhook, first, lasting }) => `${webhook} answers ${[...first, lasting].map(wordsOf).join(', then ')}`,
  names: ({ webhook }) => uses('webhook', webhook, 'webhook'),
  async run({ webhook, first, lasting }, setup) {
    const { path } = setup.webhooks.get(webhook) ?? { path: '' };
    (await setup.sinks.receiver()).plan(path, { first: first.map(replyOf), lasting: replyOf(lasting) });
    return KEPT;
  },
});

function replyOf(given: z.output<typeof reply>): Reply {
  return typeof given === 'string' ? WEBHOOK_REPLIES[given] : slow(given.after, WEBHOOK_REPLIES[given.reply]);
}

function wordsOf(given: z.output<typeof reply>): string {
  return typeof given === 'string' ? given : `${given.reply} after ${given.after}`;
}

function idNamed(webhook: string, setup: Setup): number | undefined {
  return setup.webhooks.get(webhook)?.id;
}

const webhookList = z.array(z.looseObject({ webhookId: z.number(), url: z.string() }));

/** The id of the webhook to this address, wherever in the list the service puts it. */
function idOf(list: unknown, url: string): number | undefined {
  return webhookList.safeParse(list).data?.findLast((one) => one.url === url)?.webhookId;
}

const SPELLING = 'gap/message-identifiers';

/** Types of events as the descriptor of the target says that it spells them. */
function spelt(messages: readonly string[], { target }: Setup): readonly string[] {
  const spellings: Readonly<Record<string, string>> = target.dialect?.['message-types'] ?? {};
  return messages.map((type) => spellings[type] ?? type);
}

function expectStatus(at: string, wanted: AnsweredStatus, { status, value }: ServiceAnswer, open?: GapId): StepOutcome {
  if (isAnswered(wanted, status)) return KEPT;
  const [expected, actual] = [String(wanted), `${status} ${showValue(value)}`];
  return outcomeOf([{ at, expected, actual, jobs: [], gap: open }]);
}
