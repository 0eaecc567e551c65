/**
 * Machine of webhooks: an account may have five, whatever was made, changed and deleted before. After each
 * move the whole list is compared.
 */

import * as fc from 'fast-check';

import type { JsonObject } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { LIMITS } from '../../specification/limits.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { listWebhooks, newWebhookFields, webhookAt } from '../context/webhook-settings.ts';
import { isId } from '../expect/records.ts';
import { expectEqual, firstOf } from '../expect/that.ts';
import { expectBody, expectRefusal, expectSuccess } from '../expect/answer.ts';
import { one, pick, type Machine, type Ruling } from './machine.ts';
import type { MoveArguments } from '../context/judgement.ts';

interface Webhook {
  readonly webhookId: number;
  url: string;
  secret: string;
  readonly messages: readonly string[];
}

interface World {
  readonly context: CheckContext;
  /** Those that were there before. */
  readonly others: readonly JsonObject[];
  readonly ours: Webhook[];
  readonly deletedIds: number[];
  /** There were as many as there may be, and one was deleted. */
  wasFreed: boolean;
}

const MOST = LIMITS.webhooksPerAccount.value;
const which = fc.nat({ max: 9 });

const countOf = ({ others, ours }: World): number => others.length + ours.length;
const chosen = ({ ours }: World, given: MoveArguments): Webhook | undefined => pick(ours, one(given, 'webhook'));
const hasOurs = ({ ours }: World): boolean => ours.length > 0;

const byId = (left: JsonObject, right: JsonObject): number => Number(left['webhookId']) - Number(right['webhookId']);

/** GET /webhooks shows these and no others, in any order. */
async function expectAll({ context, others, ours }: World): Promise<Mismatch | undefined> {
  const shown = (await listWebhooks(context)).filter(
    ({ webhookId }) => !others.some((other) => other['webhookId'] === webhookId),
  );
  const wanted = ours.map((webhook): JsonObject => ({ ...webhook })).toSorted(byId);
  return expectEqual('webhooks of the account', shown.toSorted(byId), wanted);
}

async function create(world: World): Promise<readonly Ruling[]> {
  const { context, ours } = world;
  const fields = newWebhookFields(context);
  const isFull = countOf(world) >= MOST;
  const answer = await context.api.post('/webhook', fields);
  if (isFull) {
    return [['limits/webhooks-sixth-refused', firstOf(expectRefusal(answer), await expectAll(world))]];
  }
  const isFreed = world.wasFreed && countOf(world) === MOST - 1;
  const webhookId = webhookAt(answer, fields.url)?.['webhookId'];
  const unnamed = expectBody(answer, 'the webhook that was made, with its id', () => isId(webhookId));
  const refused = expectSuccess(answer) ?? unnamed;
  if (!refused && isId(webhookId)) ours.push({ webhookId, ...fields });
  const mismatch = firstOf(refused, await expectAll(world));
  return [
    ['limits/webhooks-per-account', mismatch],
    ['webhooks/create', mismatch],
    ...(isFreed ? [['limits/webhooks-freed', mismatch] as const] : []),
  ];
}

/** Up to the limit, which is where it gets interesting. */
async function fill(world: World): Promise<readonly Ruling[]> {
  const rulings: Ruling[] = [];
  // Not until it is full: a service may answer as if it were never.
  for (let missing = MOST - countOf(world); missing > 0; missing--) {
    if (rulings.some(([, mismatch]) => mismatch)) break;
    rulings.push(...(await create(world)));
  }
  return rulings;
}

async function change(world: World, given: MoveArguments): Promise<readonly Ruling[]> {
  const webhook = chosen(world, given);
  if (!webhook) return [];
  const { url, secret } = newWebhookFields(world.context);
  const fields = one(given, 'field') === 0 ? { url } : { secret };
  const answer = await world.context.api.patch(`/webhook/${webhook.webhookId}`, fields);
  Object.assign(webhook, fields);
  const mismatch = firstOf(expectSuccess(answer), await expectAll(world));
  return [
    ['webhooks/update', mismatch],
    ['webhooks/update-leaves-the-rest', mismatch],
  ];
}

async function remove(world: World, given: MoveArguments): Promise<readonly Ruling[]> {
  const webhook = chosen(world, given);
  if (!webhook) return [];
  world.wasFreed ||= countOf(world) === MOST;
  const answer = await world.context.api.delete(`/webhook/${webhook.webhookId}`);
  world.ours.splice(world.ours.indexOf(webhook), 1);
  world.deletedIds.push(webhook.webhookId);
  const mismatch = firstOf(expectSuccess(answer), await expectAll(world));
  return [
    ['webhooks/delete', mismatch],
    ['webhooks/delete-leaves-other-webhooks', mismatch],
  ];
}

/** What that gets is a gap; it changes nothing. */
async function removeAgain(world: World, given: MoveArguments): Promise<readonly Ruling[]> {
  const id = pick(world.deletedIds, one(given, 'webhook'));
  await world.context.api.delete(`/webhook/${id}`);
  return [['webhooks/delete-leaves-other-webhooks', await expectAll(world)]];
}

export const WEBHOOK_MACHINE: Machine<World> = {
  moves: {
    create: { draw: fc.constant({}), play: create },
    fill: { draw: fc.constant({}), isPossible: (world) => countOf(world) < MOST, play: fill },
    change: {
      draw: fc.record({ webhook: which, field: fc.nat({ max: 1 }) }),
      isPossible: hasOurs,
      play: change,
    },
    delete: { draw: fc.record({ webhook: which }), isPossible: hasOurs, play: remove },
    'delete-again': {
      draw: fc.record({ webhook: which }),
      isPossible: ({ deletedIds }) => deletedIds.length > 0,
      play: removeAgain,
    },
  },
  opening: [
    ...Array.from({ length: MOST + 1 }, () => ({ move: 'create', with: {} })),
    { move: 'change', with: { webhook: 1, field: 0 } },
    { move: 'delete', with: { webhook: 0 } },
    { move: 'delete-again', with: { webhook: 0 } },
    { move: 'create', with: {} },
    { move: 'create', with: {} },
  ],
  async begin(context) {
    const others = await listWebhooks(context);
    if (others.length >= MOST) {
      throw new CheckEnded('inconclusive', `the account has ${others.length} webhooks of its own: delete some`);
    }
    return { context, others, ours: [], deletedIds: [], wasFreed: false };
  },
  async end({ context, others }) {
    for (const { webhookId } of await listWebhooks(context)) {
      const isOther = others.some((other) => other['webhookId'] === webhookId);
      if (!isOther) await context.api.delete(`/webhook/${String(webhookId)}`);
    }
  },
};
