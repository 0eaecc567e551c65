/**
 * Reply plan: how a webhook receiver answers the requests to one path, one after the other. Here two
 * failures, then success for ever:
 *
 *   { first: times(2, WEBHOOK_REPLIES['status 500']), lasting: WEBHOOK_REPLIES.ok }
 */

import type { HeaderPair } from '../common/header-pairs.ts';
import { WEBHOOK_STATUS_HEADER } from '../specification/headers.ts';
import { answer, chunked, HANG, hugeBody, named, redirectTo, RESET, type Answer, type Reply } from './reply.ts';

const HUGE_BODY_BYTES = 32 * 1024 * 1024;
const { name: STATUS_HEADER, value: TAKEN } = WEBHOOK_STATUS_HEADER;
const STATUS_OK: HeaderPair = [STATUS_HEADER, TAKEN];

/** An answer with the success header whatever its status: only a 2xx makes it a success. */
export function statusWithHeader(status: number): Answer {
  return named(`${status} with the status header`, answer(status, [STATUS_OK]));
}

/** An answer without the success header. */
export function statusAlone(status: number): Answer {
  return named(`${status} without the status header`, answer(status));
}

function statusHeader(name: string, value: string): Answer {
  return named(name, answer(200, [[STATUS_HEADER, value]]));
}

/** The replies tests and scenarios ask for by name; delays are added with `slow` and `slowBody`. */
export const WEBHOOK_REPLIES = {
  ok: named('ok', statusWithHeader(200)),
  'no content': named('no content', statusWithHeader(204)),
  'accepted in chunks': named('accepted in chunks', chunked(answer(202, [STATUS_OK], 'taken'))),
  'header missing': named('header missing', statusAlone(200)),
  'header in lower case': statusHeader('header in lower case', TAKEN.toLowerCase()),
  'header empty': statusHeader('header empty', ''),
  'header wrong': statusHeader('header wrong', 'FAILED'),
  'header longer': statusHeader('header longer', `${TAKEN}AY`),
  'status 400': named('status 400', statusWithHeader(400)),
  'status 401': named('status 401', statusWithHeader(401)),
  'status 403': named('status 403', statusWithHeader(403)),
  'status 404': named('status 404', statusWithHeader(404)),
  'status 410': named('status 410', statusWithHeader(410)),
  'status 429': named('status 429', statusWithHeader(429)),
  'status 500': named('status 500', statusWithHeader(500)),
  'status 502': named('status 502', statusWithHeader(502)),
  'status 503': named('status 503', statusWithHeader(503)),
  'status 504': named('status 504', statusWithHeader(504)),
  redirect: named('redirect', redirectTo('/moved', 307)),
  'huge body': named('huge body', hugeBody(HUGE_BODY_BYTES, statusWithHeader(200))),
  hang: HANG,
  reset: RESET,
} as const satisfies Readonly<Record<string, Reply>>;

/** The reply `count` times, for a sequence of replies. */
export function times(count: number, reply: Reply): readonly Reply[] {
  return Array.from({ length: count }, () => reply);
}

export interface ReplyPlan {
  /** Replies to the first requests, one each. */
  readonly first?: readonly Reply[];
  /** The reply to every request after those. */
  readonly lasting: Reply;
}

/** The replies of a plan, in turn; the iterator never ends. */
export function* repliesOf({ first = [], lasting }: ReplyPlan): Generator<Reply, never, undefined> {
  yield* first;
  for (;;) yield lasting;
}

/** A service may give up on an answer that takes longer, or on a body that takes its time. */
const PATIENCE_MS = 5_000;
const PATIENCE_BYTES = 1024 * 1024;

/** Whether a service must take a request for delivered that this answers; `unsure` where it may have given up. */
export function deliveryBy(reply: Reply): 'good' | 'bad' | 'unsure' {
  if (reply.kind === 'hang' || reply.delayMs >= PATIENCE_MS) return 'unsure';
  if (reply.kind === 'reset') return 'bad';
  const bytes = reply.body.reduce((sum, piece) => sum + piece.length, 0);
  if (reply.pauseMs > 0 || reply.claimedBytes !== null || bytes > PATIENCE_BYTES) return 'unsure';
  const isTaken = reply.headers.some(([name, value]) => name === STATUS_HEADER && value === TAKEN);
  return isTaken && reply.status < 300 ? 'good' : 'bad';
}
