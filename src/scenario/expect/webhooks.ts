/**
 * webhooks: which requests the receiver of a webhook got, with which events.
 */

import { z } from 'zod';

import { showValue } from '../../common/json-value.ts';
import type { WebhookDelivery } from '../../sink/webhook-receiver.ts';
import { count, object } from '../vocabulary/schema-types.ts';
import type { Setup } from '../setup/setup.ts';
import type { Break } from '../vocabulary/outcome.ts';
import { expectationKind } from './expectation.ts';

const wanted = z.union([
  count.transform((requests) => ({ requests })),
  z.strictObject({
    requests: count.exactOptional().describe('Requests to its path.'),
    events: count.exactOptional().describe('Events in all requests together.'),
    batches: z.array(count).exactOptional().describe('Events in each request, in order.'),
    jobStates: z
      .array(z.string())
      .exactOptional()
      .describe('States of print jobs told, in the order they came.'),
    computerStates: z
      .array(z.string())
      .exactOptional()
      .describe('States of computers told, in the order they came.'),
    secret: z.string().exactOptional().describe('The secret that every request carries.'),
    statistics: object.exactOptional().describe('`counts` of its statistics: {droppedEvents: 1}.'),
    path: z.string().startsWith('/').exactOptional().describe('Another path than its own, after a change.'),
  }),
]);

interface WantedWebhook {
  readonly requests?: number;
  readonly events?: number;
  readonly batches?: readonly number[];
  readonly jobStates?: readonly string[];
  readonly computerStates?: readonly string[];
  readonly secret?: string;
  readonly statistics?: Readonly<Record<string, unknown>>;
  readonly path?: string;
}

export const webhooks = expectationKind<WantedWebhook>({
  about:
    'By name of a webhook: how many requests its receiver got (in short `hook: 2`), and what was in them.',
  of: 'webhook',
  wanted,
  async judge(name, given, setup) {
    const path = given.path ?? setup.webhooks.get(name)?.path ?? '';
    const deliveries = (await setup.sinks.receiver()).log.to(path);
    const batches = deliveries.map(eventsOf);
    const events = batches.flat();
    const seen: Readonly<Record<string, unknown>> = {
      requests: deliveries.length,
      events: events.length,
      batches: batches.map(({ length }) => length),
      jobStates: events.flatMap((event) => stateOf(event, 'print job state')),
      computerStates: events.flatMap((event) => stateOf(event, 'computer state')),
      secret: deliveries.find(({ secret }) => secret !== given.secret)?.secret ?? given.secret,
    };
    const { path: _path, statistics, ...simple } = given;
    return [
      ...Object.entries(simple).flatMap(([what, value]) =>
        differing(`${what} of ${name}`, value, seen[what]),
      ),
      ...(statistics ? await judgeStatistics(name, statistics, setup) : []),
    ];
  },
});

function eventsOf({ events }: WebhookDelivery): readonly unknown[] {
  return events.ok ? events.value : [];
}

const event = z.looseObject({ type: z.string(), data: z.looseObject({ state: z.string() }) });

function stateOf(given: unknown, type: string): readonly string[] {
  const read = event.safeParse(given);
  return read.success && read.data.type === type ? [read.data.data.state] : [];
}

async function judgeStatistics(
  name: string,
  given: Readonly<Record<string, unknown>>,
  setup: Setup,
): Promise<readonly Break[]> {
  const list: unknown = await setup.api.look('/webhooks');
  const id = setup.webhooks.get(name)?.id;
  const record: unknown = Array.isArray(list)
    ? list.find((one: unknown) => part(one, 'webhookId') === id)
    : undefined;
  return Object.entries(given).flatMap(([statistic, value]) => {
    // Either nesting of the five measures is lawful.
    const seen = part(part(record, statistic), 'counts') ?? part(part(record, 'counts'), statistic);
    return differing(`${statistic} of ${name}`, value, seen);
  });
}

function part(whole: unknown, key: string): unknown {
  if (typeof whole !== 'object' || whole === null || !Object.hasOwn(whole, key)) return undefined;
  return (whole as Record<string, unknown>)[key];
}

function differing(at: string, wanted: unknown, seen: unknown): readonly Break[] {
  const [expected, actual] = [showValue(wanted), showValue(seen)];
  return expected === actual ? [] : [{ at, expected, actual, jobs: [] }];
}
