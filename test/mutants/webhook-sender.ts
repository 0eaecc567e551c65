/**
 * A sender of webhook requests that can be made to break rules: what it sends, what it takes for a
 * success, and how long it waits.
 */

import { request } from 'undici';

import { sleep } from '../../src/common/clock.ts';
import type { WebhookSender } from '../../src/service/delivery/webhook-request.ts';
import { SERVICE_RULES, type ServiceRules } from '../../src/service/service-rules.ts';
import { WEBHOOK_STATUS_HEADER } from '../../src/specification/headers.ts';

export type SentEvent = Record<string, unknown> & { readonly data: Record<string, unknown> };
type Target = Parameters<WebhookSender['send']>[0];

/** Changes the events of each request; a request that has none left counts as sent. */
export function events(
  change: (events: readonly SentEvent[], nowMs: number) => readonly unknown[],
): Partial<ServiceRules> {
  return sender((send, { clock }) => async (target, body) => {
    const changed = change(JSON.parse(body) as SentEvent[], clock.now());
    return changed.length === 0 ? 'success' : send(target, JSON.stringify(changed));
  });
}

export function eachEvent(change: (event: SentEvent, nowMs: number) => object): Partial<ServiceRules> {
  return events((all, nowMs) => all.map((event) => change(event, nowMs)));
}

type Send = WebhookSender['send'];

/** Wraps the sending. */
export function sender(
  wrap: (send: Send, options: Parameters<ServiceRules['webhookSender']>[0]) => Send,
): Partial<ServiceRules> {
  return {
    webhookSender: (options) => {
      const right = SERVICE_RULES.webhookSender(options);
      return { ...right, send: wrap((target, body) => right.send(target, body), options) };
    },
  };
}

/** Another idea of what a success is. Can follow redirects. */
export function judging(isSuccess: (status: number, header: string | undefined) => boolean): Partial<ServiceRules> {
  return sender((_, { clock }) => async (target, body) => {
    const hold = clock.hold('a request of a mutant');
    try {
      const { statusCode, headers, body: answer } = await post(target, body);
      await answer.dump();
      const header = headers[WEBHOOK_STATUS_HEADER.name.toLowerCase()];
      return isSuccess(statusCode, typeof header === 'string' ? header : undefined) ? 'success' : 'failure';
    } catch {
      return 'failure';
    } finally {
      hold.release();
    }
  });
}

/** Sends without any limit of time. */
export function patient(): Partial<ServiceRules> {
  return judging((status, header) => status >= 200 && status < 300 && header === WEBHOOK_STATUS_HEADER.value);
}

/** Waits before the first request to each address. */
export function late(delayMs: number): Partial<ServiceRules> {
  return sender((send, { clock }) => {
    const known = new Set<string>();
    return async (target, body) => {
      if (!known.has(target.url)) await sleep(clock, delayMs);
      known.add(target.url);
      return send(target, body);
    };
  });
}

function post(target: Target, body: string): ReturnType<typeof request> {
  return request(target.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-webhook-secret': target.secret },
    body,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
