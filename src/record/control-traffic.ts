/**
 * The control API of traffic: requests that the service got, requests that it made to webhooks.
 */

import { z } from 'zod';

import { answer, anything, count, headers, id, ms, text } from './control-answers.ts';

export const body = z.object({
  text,
  /** The size of the whole body. */
  bytes: count,
  cut: z.boolean(),
});

export const delivery = answer('DeliveryEntry', {
  id,
  accountId: id.nullable(),
  webhookId: id,
  /** Without user info; values of the query are `…`. */
  url: text,
  /** The highest of its events: 1 for a first try, 2 for the retry; one made by hand counts as the next. */
  attempt: count,
  /** When its events were due. */
  dueMs: ms,
  sentMs: ms,
  endedMs: ms,
  /** Null when no answer came; `error` then says why. */
  status: count.nullable(),
  error: text.nullable(),
  events: z.array(anything),
  requestBody: body,
  responseHeaders: headers,
  /** Whether the answer carried `X-Service-Webhook-Status: OK`. */
  okHeader: z.boolean(),
  /** When what failed is tried again. */
  next: z.object({ dueMs: ms }).nullable(),
  outcome: z.enum(['delivered', 'will-retry', 'dropped']),
  /** The delivery that this one repeats by hand. */
  repeats: id.nullable(),
});

/** Oldest first. */
export const deliveryList = answer('DeliveryList', { entries: z.array(delivery) });

export const request = z.object({
  /** Grows by one with each request. */
  id,
  timeMs: ms,
  requestId: text,
  method: text,
  /** With the query; values of parameters that carry secrets are `…`. */
  path: text,
  status: count,
  /** Handling time in real milliseconds. */
  durationMs: z.number(),
  accountId: id.nullable(),
  /** Headers and bodies are kept of the newest requests alone; null where they are gone. */
  requestHeaders: headers.nullable(),
  requestBody: body.nullable(),
  responseHeaders: headers.nullable(),
  responseBody: body.nullable(),
  /** Sends it again, with `$PLATEN_API_KEY` in place of the key. */
  curl: text.nullable(),
});

/** Oldest first. */
export const requestList = answer('TrafficList', { entries: z.array(request) });
