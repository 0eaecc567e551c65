/**
 * Receiver answers: how the receivers of a load's webhooks answer, by name, and which answers are successes.
 */

import { WEBHOOK_REPLIES } from '../../sink/reply-plan.ts';
import { slow, type Reply } from '../../sink/reply.ts';
import type { ReceiverAnswer, ReceiverAnswerName } from '../plan/load-scenario.ts';

const REPLIES: Readonly<Record<ReceiverAnswerName, Reply>> = {
  ok: WEBHOOK_REPLIES.ok,
  slow: WEBHOOK_REPLIES.ok,
  error: WEBHOOK_REPLIES['status 500'],
  hang: WEBHOOK_REPLIES.hang,
  reset: WEBHOOK_REPLIES.reset,
  'no-header': WEBHOOK_REPLIES['header missing'],
};

const GOOD: ReadonlySet<ReceiverAnswerName> = new Set(['ok', 'slow']);

export function replyOf({ answers, delayMs }: ReceiverAnswer): Reply {
  return answers === 'slow' ? slow(delayMs, REPLIES.slow) : REPLIES[answers];
}

/** Whether it is a success by the specification. */
export function isGoodAnswer({ answers }: ReceiverAnswer): boolean {
  return GOOD.has(answers);
}
