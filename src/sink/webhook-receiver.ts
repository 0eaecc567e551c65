/**
 * Webhook receiver: the HTTP server that a caller runs to get events.
 *
 *   service ── POST [event, …] ──► log the delivery ──► reply as planned for the path (ok unless planned)
 *
 * Every request is recorded as it came, even one that no service should send; replies can be wrong in all the
 * ways in which real receivers are (reply-plan.ts).
 */

import type { FaultPlan } from '../common/fault-plan.ts';
import { failure, success, type Outcome } from '../common/outcome.ts';
import { headerValues } from '../common/header-pairs.ts';
import { parseText } from '../common/json-value.ts';
import { replyUnderFaults } from './fault-replies.ts';
import { ReceivedLog } from './received-log.ts';
import { repliesOf, WEBHOOK_REPLIES, type ReplyPlan } from './reply-plan.ts';
import { answer, named, type Reply } from './reply.ts';
import {
  startSinkServer,
  type ReceivedBody,
  type SinkRequest,
  type SinkServer,
  type SinkServerOptions,
} from './sink-server.ts';

/** The longest request body that is accepted; a longer one is recorded up to here and answered with 413. */
export const WEBHOOK_BODY_MAX_BYTES = 16 * 1024 * 1024;

/** Where the secret of a webhook is looked for; the specification does not show how it travels. */
export const WEBHOOK_SECRET_HEADER = 'X-Service-Webhook-Secret';

const TOO_LARGE = named('413', answer(413));

/** One request as it arrived, and how its reply went. */
export interface WebhookDelivery extends SinkRequest {
  /** The events it carried, or why the body is not an array of events. */
  readonly events: Outcome<readonly unknown[], string>;
  /** Value of the secret header; null without one. */
  readonly secret: string | null;
}

export interface WebhookReceiver extends SinkServer {
  readonly log: ReceivedLog<WebhookDelivery>;
  /** From now on requests to `path` are answered by this plan. */
  plan(path: string, plan: ReplyPlan): void;
  /** Back to the state after the start: empty log, every path answers ok. */
  reset(): void;
}

interface WebhookReceiverOptions extends Omit<SinkServerOptions, 'bodyMaxBytes' | 'answer'> {
  /** What goes wrong here, at places `webhook/<path>`. */
  readonly faults?: FaultPlan | undefined;
}

/** Starts a receiver on a free loopback port. */
export async function startWebhookReceiver(options: WebhookReceiverOptions): Promise<WebhookReceiver> {
  const log = new ReceivedLog<WebhookDelivery>();
  const plans = new Map<string, Iterator<Reply, never>>();
  const server = await startSinkServer({
    ...options,
    bodyMaxBytes: WEBHOOK_BODY_MAX_BYTES,
    answer(request) {
      log.add(asDelivery(request));
      if (request.body.state === 'too-large') return TOO_LARGE;
      const planned = plans.get(request.path)?.next().value ?? WEBHOOK_REPLIES.ok;
      return replyUnderFaults('webhook', request.path, planned, options.faults);
    },
  });
  return {
    ...server,
    log,
    plan: (path, plan) => {
      plans.set(path, repliesOf(plan));
    },
    reset: () => {
      log.clear();
      plans.clear();
    },
  };
}

function asDelivery(request: SinkRequest): WebhookDelivery {
  return {
    ...request,
    events: readEvents(request.body),
    secret: headerValues(request.rawHeaders, WEBHOOK_SECRET_HEADER)[0] ?? null,
  };
}

/** The events, or why the body is not an array of events. */
export function readEvents(body: ReceivedBody): Outcome<readonly unknown[], string> {
  if (body.state === 'too-large') return failure('the body is larger than the receiver takes');
  if (body.state === 'cut') return failure(`the body ended early, after ${body.bytes.length} bytes`);
  if (body.bytes.length === 0) return failure('the body is empty');
  const text = decode(body.bytes);
  return text === undefined ? failure('the body is not UTF-8') : parse(text);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parse(text: string): Outcome<readonly unknown[], string> {
  const parsed = parseText(text);
  if (!parsed.ok) return failure(`the body is not JSON: ${parsed.error}`);
  const { value } = parsed;
  if (Array.isArray(value)) return success(value as readonly unknown[]);
  return failure(`the body is not an array but ${value === null ? 'null' : `of type ${typeof value}`}`);
}
