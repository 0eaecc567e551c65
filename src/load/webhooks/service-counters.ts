/**
 * Service counters: the service's own counts of webhook events and requests, summed over the webhooks of a load.
 *
 * The nesting is not specified: `receivedEvents.counts` and `counts.receivedEvents` are both accepted.
 */

import type { ServiceCounters } from '../../oracle/webhook-account.ts';
import { STATISTICS } from '../../spec/fields.ts';

/** @param lists - answers of GET /webhooks, with the ids of our webhooks; undefined when one cannot be read */
export function serviceCounters(
  lists: readonly { readonly id: number; readonly list: unknown }[],
): ServiceCounters | undefined {
  const sums = { receivedEvents: 0, droppedEvents: 0, successfulRequests: 0, failedRequests: 0 };
  for (const { id, list } of lists) {
    const webhook = Array.isArray(list) ? list.find((one) => member(one, 'webhookId') === id) : undefined;
    for (const counter of STATISTICS) {
      const count = member(member(webhook, counter), 'counts') ?? member(member(webhook, 'counts'), counter);
      if (typeof count !== 'number') return undefined;
      sums[counter] += count;
    }
  }
  return sums;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
