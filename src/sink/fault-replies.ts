/**
 * Fault replies: how a sink answers when a fault rule says that something goes wrong there.
 *
 *   { at: 'document/invoice.pdf', fault: 'cut-body', times: 1 }
 *   { at: 'webhook', fault: 'hang', for: '1m' }
 *
 * A fault changes the reply that was planned, or takes its place. Places are the paths of the requests.
 */

import type { FaultPlan, Firing } from '../common/fault-plan.ts';
import type { FaultMeaning } from '../common/fault-rule.ts';
import { countSetting, durationSetting } from '../common/fault-settings.ts';
import { statusAlone, statusWithHeader, WEBHOOK_REPLIES } from './reply-plan.ts';
import { answer, cutBody, HANG, redirectTo, RESET, slow, slowBody, type Answer, type Reply } from './reply.ts';

/** The reply in place of the planned one to a request for `path`. */
type FaultReply = (planned: Reply, firing: Firing, path: string) => Reply;

const anyAnswer = (planned: Reply, change: (planned: Answer) => Answer): Reply =>
  planned.kind === 'answer' ? change(planned) : planned;

const always =
  (reply: Reply): FaultReply =>
  () =>
    reply;

interface DescribedReply extends FaultMeaning {
  readonly reply: FaultReply;
}

const byBoth = {
  hang: { does: 'no answer comes', reply: always(HANG) },
  reset: { does: 'the connection is reset', reply: always(RESET) },
  latency: {
    does: 'the answer is late',
    settings: { delay: 'how much later (1s)' },
    reply: (planned, firing) => slow(durationSetting(firing, 'delay', 1_000), planned),
  },
  'slow-body': {
    does: 'the head of the answer comes at once, the body slowly',
    settings: { delay: 'how long the body takes (10s)' },
    reply: (planned, firing) =>
      anyAnswer(planned, (whole) => slowBody(durationSetting(firing, 'delay', 10_000), whole)),
  },
  'cut-body': {
    does: 'the connection ends in the middle of the body',
    settings: { bytes: 'after this number of bytes (half of the body)' },
    reply: (planned, firing) =>
      anyAnswer(planned, (whole) => cutBody(countSetting(firing, 'bytes', halfOf(whole)), whole)),
  },
} as const satisfies Readonly<Record<string, DescribedReply>>;

/** What can go wrong at a document host. */
export const DOCUMENT_FAULTS = {
  ...byBoth,
  'not-found': { does: 'the answer is 404', reply: always(answer(404)) },
  unauthorized: {
    does: 'the answer is 401, whatever the credentials',
    reply: always(answer(401, [['WWW-Authenticate', 'Basic realm="documents"']])),
  },
  'status-500': { does: 'the answer is 500', reply: always(answer(500)) },
  'status-503': { does: 'the answer is 503', reply: always(answer(503)) },
  'redirect-loop': {
    does: 'the answer redirects to the same address',
    reply: (_planned, _firing, path) => redirectTo(path),
  },
  empty: { does: 'the answer is 200 without a body', reply: always(answer(200)) },
} as const satisfies Readonly<Record<string, DescribedReply>>;

/** What can go wrong at a webhook receiver. */
export const WEBHOOK_FAULTS = {
  ...byBoth,
  'header-missing': {
    does: 'the answer lacks the status header',
    reply: always(WEBHOOK_REPLIES['header missing']),
  },
  'header-lower-case': {
    does: 'the status header says `ok` in lower case',
    reply: always(WEBHOOK_REPLIES['header in lower case']),
  },
  'header-wrong': {
    does: 'the status header has a value other than `OK`',
    reply: always(WEBHOOK_REPLIES['header wrong']),
  },
  'status-404': { does: 'the answer is 404, with the status header', reply: always(statusWithHeader(404)) },
  'status-500': { does: 'the answer is 500, with the status header', reply: always(statusWithHeader(500)) },
  'status-503': { does: 'the answer is 503', reply: always(statusAlone(503)) },
  redirect: { does: 'the answer redirects elsewhere', reply: always(WEBHOOK_REPLIES.redirect) },
  'huge-body': { does: 'the answer has a huge body', reply: always(WEBHOOK_REPLIES['huge body']) },
} as const satisfies Readonly<Record<string, DescribedReply>>;

/** The reply to a request for `path`: as planned, or as a fault at `kind` + `path` makes it. */
export function replyUnderFaults(
  kind: 'document' | 'webhook',
  path: string,
  planned: Reply,
  plan: FaultPlan | undefined,
): Reply {
  const faults: Readonly<Record<string, DescribedReply>> = kind === 'document' ? DOCUMENT_FAULTS : WEBHOOK_FAULTS;
  const firing = plan?.firstOf(kind + path, Object.keys(faults));
  return (firing && faults[firing.fault]?.reply(planned, firing, path)) ?? planned;
}

function halfOf({ body }: Answer): number {
  return Math.floor(body.reduce((sum, piece) => sum + piece.length, 0) / 2);
}
