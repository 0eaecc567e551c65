/**
 * webhooks: the requests to the receiver of a webhook, and their events.
 */

import { z } from 'zod';

import { isObject, showValue } from '../../common/json-value.ts';
import { valueAt } from '../../common/places.ts';
import { findStatePlace } from '../../oracle/account/event-places.ts';
import type { GapId } from '../../specification/gaps.ts';
import type { WebhookDelivery } from '../../sink/webhook-receiver.ts';
import { OR } from '../../targets/dialect.ts';
import { computerState, count, jobState, object } from '../vocabulary/schema-types.ts';
import type { Setup } from '../setup/setup.ts';
import type { Break } from '../vocabulary/outcome.ts';
import { expectationKind } from './expectation.ts';

const details = z.strictObject({
  requests: count.exactOptional().describe('Requests to its path.'),
  events: count.exactOptional().describe('Events in all requests together.'),
  batches: z.array(count).exactOptional().describe('Events in each request, in order.'),
  jobStates: z.array(jobState).exactOptional().describe('States of print jobs in the events, in order of arrival.'),
  computerStates: z
    .array(computerState)
    .exactOptional()
    .describe('States of computers in the events, in order of arrival.'),
  secret: z.string().exactOptional().describe('The secret that every request carries.'),
  statistics: object.exactOptional().describe('`counts` of its statistics: {droppedEvents: 1}.'),
  path: z.string().startsWith('/').exactOptional().describe('Path, if the webhook was changed to another one.'),
});
const wanted = z.union([count.transform((requests) => ({ requests })), details]);

export const webhooks = expectationKind<z.output<typeof details>>({
  about: 'By name of a webhook: the number of requests to its receiver (in short `hook: 2`), and their content.',
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
      jobStates: statesIn(events, 'print job state', findStatePlace(events)),
      computerStates: statesIn(events, 'computer state', 'state'),
      secret: deliveries.find(({ secret }) => secret !== given.secret)?.secret ?? given.secret,
    };
    const { path: _path, statistics, ...simple } = given;
    return [
      ...Object.entries(simple).flatMap(([what, value]) =>
        differing(`${what} of ${name}`, value, seen[what]).map((one) => ({ ...one, gap: OPEN[what] })),
      ),
      ...(statistics ? await judgeStatistics(name, statistics, setup) : []),
    ];
  },
});

/** What events have in `data`, in what order they stand, and how a request carries the secret is not printed. */
const OPEN: Readonly<Partial<Record<string, GapId>>> = {
  jobStates: 'gap/print-job-event-data',
  computerStates: 'gap/computer-event-data',
  secret: 'gap/secret-transmission',
};

function eventsOf({ events }: WebhookDelivery): readonly unknown[] {
  return events.ok ? events.value : [];
}

/** @param place - undefined where several would do, and none is taken */
function statesIn(events: readonly unknown[], type: string, place: string | undefined): readonly string[] {
  if (place === undefined) return [];
  return events
    .filter(isObject)
    .filter((event) => event['type'] === type)
    .map(({ data }) => valueAt(data, place))
    .filter((state) => typeof state === 'string');
}

const EITHER_NESTING = `{statistic}.{measure}${OR}{measure}.{statistic}`;

async function judgeStatistics(
  name: string,
  given: Readonly<Record<string, unknown>>,
  setup: Setup,
): Promise<readonly Break[]> {
  const list: unknown = await setup.api.look('/webhooks');
  const id = setup.webhooks.get(name)?.id;
  const record: unknown = Array.isArray(list)
    ? list.find((one: unknown) => valueAt(one, 'webhookId') === id)
    : undefined;
  // Either nesting of the five measures conforms, and so does another one that is known of the service.
  const places = (setup.target.dialect?.['statistics-nesting'] ?? EITHER_NESTING).split(OR);
  return Object.entries(given).flatMap(([statistic, value]) => {
    const [seen] = places.flatMap(
      (place) => valueAt(record, place.replace('{statistic}', statistic).replace('{measure}', 'counts')) ?? [],
    );
    const open = typeof seen === 'number' ? undefined : 'gap/webhook-statistics-nesting';
    return differing(`${statistic} of ${name}`, value, seen).map((one) => ({ ...one, gap: open }));
  });
}

function differing(at: string, wanted: unknown, seen: unknown): readonly Break[] {
  const [expected, actual] = [showValue(wanted), showValue(seen)];
  return expected === actual ? [] : [{ at, expected, actual, jobs: [] }];
}
